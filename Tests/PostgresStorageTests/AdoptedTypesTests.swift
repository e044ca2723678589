import OData
import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Types of PostgreSQL that only adopted tables have` {
    private static let table = """
        CREATE TABLE kinds (id varchar(9) PRIMARY KEY, fixed char(3), short name, told json, yes bool, day date,
            moment timestamp, instant timestamptz, small int2, half int4, whole int8, single float4, double float8,
            endless float8, kept text, exact numeric, undefined numeric, mark uuid)
        """
    private static let shared = """
        'ab', 'n', '{"a": 1}', true, '2026-01-31', '2026-01-31 10:20:30.4', '2026-01-31 10:20:30.4567+00', -2, -4,
        -9007199254740993, 0.5, 0.1, '-Infinity'
        """

    @Test func `each cell is answered, in rows that are passed on whole and in others`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.run(Self.table)
        try await backend.run(
            """
            INSERT INTO kinds VALUES ('a', \(Self.shared), chr(1) || 'é' || chr(1) || chr(1), -1234.50, 'NaN',
                '01234567-89ab-cdef-0123-456789abcdef'), ('b', \(Self.shared), '', NULL, NULL, NULL)
            """)
        try await backend.run("INSERT INTO kinds (id) VALUES ('c')")
        try await PostgresAdoption.plan("kinds", softDelete: false, url: backend.url).perform()
        let store = try await backend.open([TableDefinition(name: "kinds")])
        let kinds = try #require(store.table(named: "kinds"))
        let rows = try await store.list(TableQuery(limit: 10), in: kinds, into: RecordedRows()).rows
        #expect(rows.faults.isEmpty && rows.rows.count == 3)
        let shared: [String: Cell] = [
            "fixed": .text("ab "), "short": .text("n"), "told": .text("{\"a\": 1}"), "yes": .boolean(true),
            "day": .text("2026-01-31T00:00:00.000Z"), "moment": .text("2026-01-31T10:20:30.400Z"),
            "instant": .text("2026-01-31T10:20:30.456Z"), "small": .integer(-2), "half": .integer(-4),
            "whole": .integer(-9_007_199_254_740_993), "single": .number(0.5), "double": .number(0.1), "endless": .null,
        ]
        let own: [[String: Cell]] = [
            [
                "kept": .text("\u{1}é\u{0}"), "exact": .decimal("-1234.50"), "undefined": .null,
                "mark": .text("01234567-89ab-cdef-0123-456789abcdef"),
            ], ["kept": .text(""), "exact": .null, "undefined": .null, "mark": .null],
        ]
        for (id, own) in zip(["a", "b"], own) {
            let row = try #require(rows.rows.first { $0["id"] == .text(id) })
            for (name, cell) in shared.merging(own, uniquingKeysWith: { _, own in own }) {
                #expect(row[name] == cell, "\(name) of \(id)")
            }
        }
        let empty = try #require(rows.rows.first { $0["id"] == .text("c") })
        #expect(kinds.columns.allSatisfy { empty[$0.name.text] == .null })
        try await backend.close(store)
    }

    @Test func `a script sees a UUID as text`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.run("CREATE TABLE kinds (id text PRIMARY KEY, mark uuid)")
        try await backend.run("INSERT INTO kinds VALUES ('a', '01234567-89ab-cdef-0123-456789abcdef')")
        try await PostgresAdoption.plan("kinds", softDelete: false, url: backend.url).perform()
        let store = try await backend.open([TableDefinition(name: "kinds")])
        let statements = try #require(store as? any StatementStore)
        let results = try await statements.run(StatementScript("SELECT mark FROM kinds"))
        #expect(results.last?.rows == [[.text("01234567-89ab-cdef-0123-456789abcdef")]])
        try await backend.close(store)
    }

    @Test func `a user whose id is a UUID in capitals sees and writes the rows that are theirs`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.run("CREATE TABLE kinds (id text PRIMARY KEY, mark uuid, kept text)")
        try await backend.run("INSERT INTO kinds VALUES ('a', '01234567-89ab-cdef-0123-456789abcdef')")
        try await backend.run("INSERT INTO kinds VALUES ('b', '11234567-89ab-cdef-0123-456789abcdef')")
        try await PostgresAdoption.plan("kinds", softDelete: false, url: backend.url).perform()
        let store = try await backend.open([TableDefinition(name: "kinds")])
        let table = try #require(store.table(named: "kinds"))
        let user = "01234567-89AB-CDEF-0123-456789ABCDEF"
        let own = Expression.binary(.equal, .column("mark", at: 0), .literal(.text(user), at: 0), at: 0)
        let scope = RowScope(own)
        var query = TableQuery(limit: 10)
        query.scope = scope
        let rows = RecordedRows()
        #expect(try await store.list(query, in: table, into: rows).rowCount == 1)
        query.scope = nil
        query.filter = own
        query.textComparison = .ordinal
        for _ in 0..<2 { #expect(try await store.list(query, in: table, into: rows).rowCount == 1) }
        let change = RowUpdate([Property("kept", .text("x")), Property("mark", .text(user))])
        #expect(try await store.update(.text("a"), change, scope: scope, in: table, into: rows).outcome == .written)
        #expect(try await store.update(.text("b"), change, scope: scope, in: table, into: rows).outcome != .written)
        let made = try await store.insert(
            [Property("mark", .text(user))], id: .text("c"), scope: scope, in: table, into: rows)
        #expect(made.outcome == .written)
        try await backend.close(store)
    }
}
