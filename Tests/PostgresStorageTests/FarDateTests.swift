import OData
import PostgresStorage
import PostgresTesting
import Scalars
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Dates of another program that can't be written down` {
    static let first = Instant.first.wireText
    static let last = Instant.last.wireText

    private static let ids = ["-inf", "before", "first", "inside", "none", "beyond", "far", "inf"]

    /// A table with a column of each of PostgreSQL's types, adopted.
    private func adopt(_ backend: PostgresBackend) async throws -> (any TableStore, Table) {
        try await backend.run(
            """
            CREATE TABLE "Times" (id text COLLATE "C" PRIMARY KEY, day date, local timestamp, moment timestamptz);
            INSERT INTO "Times" VALUES
                ('-inf', '-infinity', '-infinity', '-infinity'),
                ('before', '4713-01-01 BC', '4712-01-01 BC', '4712-01-01 00:00:00+00 BC'),
                ('first', '0001-01-01', '0001-01-01', '0001-01-01 00:00:00+00'),
                ('inside', '2026-11-21', '2026-11-21 10:00:00.123456', '2026-11-21 10:00:00.123456+00'),
                ('none', NULL, NULL, NULL),
                ('beyond', '10000-01-01', '10000-01-01', '10000-01-01 00:00:00+00'),
                ('far', '5874897-12-31', '294276-12-31', '294276-12-31 00:00:00+00'),
                ('inf', 'infinity', 'infinity', 'infinity')
            """)
        try await PostgresAdoption.plan("Times", softDelete: true, url: backend.url).perform()
        var definition = TableDefinition(name: "Times")
        definition.rules.softDelete = true
        let store = try await backend.open([definition])
        return (store, try #require(store.table(named: "Times")))
    }

    @Test(arguments: ["day", "local", "moment"]) func `are shown as the first and the last`(column: String) async throws
    {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let (store, table) = try await adopt(backend)
        let rows = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
        let shown = Dictionary(zip(rows.ids, rows.rows.map { $0[column] }), uniquingKeysWith: { $1 })
        for id in ["-inf", "before"] { #expect(shown[id] == .text(Self.first), "\(id)") }
        for id in ["far", "inf"] { #expect(shown[id] == .text(Self.last), "\(id)") }
        #expect(shown["none"] == .null)
        try await backend.close(store)
    }

    @Test(arguments: ["day", "local", "moment"]) func `compare as they are shown`(column: String) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let (store, table) = try await adopt(backend)
        let (low, middle) = (["-inf", "before", "first"], ["inside"])
        let high = ["beyond", "far", "inf"]
        let cases: [(String, [String])] = [
            ("eq LAST", high), ("ne LAST", low + middle), ("lt LAST", low + middle), ("le LAST", low + middle + high),
            ("gt LAST", []), ("ge LAST", high), ("eq FIRST", low), ("ne FIRST", middle + high),
            ("gt FIRST", middle + high), ("ge FIRST", low + middle + high), ("lt FIRST", []), ("le FIRST", low),
        ]
        for (condition, expected) in cases {
            let literal = condition.replacing("LAST", with: "datetimeoffset'\(Self.last)'")
                .replacing("FIRST", with: "datetimeoffset'\(Self.first)'")
            #expect(
                try await ids("\(column) \(literal)", store, table) == expected.sorted(), "\(column) \(condition)")
        }
        #expect(try await ids("year(\(column)) eq 9999", store, table) == high.sorted())
        #expect(try await ids("year(\(column)) eq 1", store, table) == low.sorted())
        #expect(try await ids("day(\(column)) eq 31 and hour(\(column)) eq 23", store, table) == high.sorted())
        #expect(try await ids("day eq moment", store, table) == (low + high).sorted())
        #expect(try await ids("local le moment", store, table) == (low + middle + high).sorted())
        try await backend.close(store)
    }

    @Test(arguments: ["day", "local", "moment"]) func `are walked page by page in their order`(column: String)
        async throws
    {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let (store, table) = try await adopt(backend)
        for isDescending in [false, true] {
            var query = TableQuery(limit: 1)
            query.order = [OrderTerm(.column(column, at: 0), isDescending: isDescending)]
            var found: [String] = []
            while true {
                let page = try await store.list(query, in: table, into: RecordedRows())
                found += page.rows.ids
                guard page.hasMore, found.count < 20 else { break }
                query.after = page.cursor
                query.skip = found.count
            }
            let rising = ["-inf", "before", "first", "inside", "beyond", "far", "inf"]
            #expect(found == (isDescending ? rising.reversed() + ["none"] : ["none"] + rising))
        }
        try await backend.close(store)
    }

    @Test func `stay what they are where a client brings back what it was shown`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let (store, table) = try await adopt(backend)
        let columns = ["day", "local", "moment"]
        let before = try await stored(backend)
        for id in Self.ids {
            let row = try #require(try await store.find(.text(id), in: table, into: RecordedRows())).row
            let changes = columns.map { name in
                if case .text(let shown) = row[name] { Property(name, .text(shown)) } else { Property(name, .null) }
            }
            _ = try await store.update(.text(id), set: changes, in: table, into: RecordedRows())
        }
        #expect(try await stored(backend) == before)
        let other = Property("day", .text("2030-01-02T00:00:00.000Z"))
        _ = try await store.update(.text("inf"), set: [other], in: table, into: RecordedRows())
        let kept = try await RawSession(backend.url).run(#"SELECT day, local FROM "Times" WHERE id = 'inf'"#)
        #expect(kept == [["2030-01-02", "infinity"]])
        try await backend.close(store)
    }

    private func stored(_ backend: PostgresBackend) async throws -> [[String?]] {
        try await RawSession(backend.url).run(#"SELECT id, day, local, moment FROM "Times" ORDER BY id"#)
    }

    private func ids(_ filter: String, _ store: any TableStore, _ table: Table) async throws -> [String] {
        var query = TableQuery(limit: 20)
        query.filter = try QueryOptions.parse([("$filter", filter)]).filter
        return try await store.list(query, in: table, into: RecordedRows()).rows.ids.sorted()
    }
}
