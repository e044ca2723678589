import Foundation
import PostgresTesting
import StorageTesting
import TableSQL
import Tables
import Testing
import WireTesting

@testable import PostgresStorage

@Suite(
    .ownThread, .serialized,
    .enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Lists that were brief before go in one round trip` {
    private static let items = TableDefinition(name: "Item", columns: [Column("text", .string)])
    private static let count = 40

    /// A store with one thread that reads, and a table whose lists are known to be brief.
    private func open(_ backend: PostgresBackend) async throws -> (store: PostgresTableStore, table: Table) {
        let store = try await open(backend.url, backend.settings)
        let table = try #require(store.table(named: "Item"))
        for number in 0..<Self.count {
            let text = Property("text", .text("\(number)"))
            _ = try await store.insert(
                [text], id: .text(String(format: "%03d", number)), in: table, into: RecordedRows())
        }
        // A busy machine may take its time for some.
        for _ in 0..<100 where try !isKnown(in: store, table) {
            for number in 0..<2 { try await list(number + 1, in: store) }
        }
        #expect(try isKnown(in: store, table))
        return (store, table)
    }

    private func open(_ url: String, _ settings: PostgresSettings) async throws -> PostgresTableStore {
        try await PostgresTableStore.open(
            url: url, tables: [Self.items], servesClientTables: true, settings: settings)
    }

    /// Whether the lists are known to be brief.
    private func isKnown(in store: PostgresTableStore, _ table: Table) throws -> Bool {
        try (0..<2).allSatisfy { number in
            let query = query(number, asker: "")
            return store.brief.has(try store.selects.statement(for: query, in: table).sql.text)
        }
    }

    private func make(keepsSessions: Bool = true) async throws -> PostgresBackend {
        var backend = try await PostgresBackend.prepared()
        backend.settings.readingConnections = 1
        // A busy machine has its time.
        backend.settings.statementTimeout = .seconds(60)
        backend.settings.keepsSessions = keepsSessions
        return backend
    }

    private func query(_ number: Int, asker: String) -> TableQuery {
        var query = TableQuery(limit: number.isMultiple(of: 2) ? 5 : 10)
        query.asker = asker
        return query
    }

    /// Lists at once by several askers, and looks at each answer.
    private func list(_ count: Int, in store: PostgresTableStore, _ columns: [String] = []) async throws {
        let table = try #require(store.table(named: "Item"))
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask {
                    let query = query(number, asker: "asker \(number % 3)")
                    let page = try await store.list(query, in: table, into: RecordedRows())
                    #expect(page.rows.ids == (0..<query.limit).map { String(format: "%03d", $0) })
                    #expect(page.hasMore && page.rowCount == query.limit && page.cursor != nil)
                    for column in columns { #expect(page.rows.names.contains(column)) }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [true, false], [0, 50, 400])
    func `each that waited is answered its own page, also where they have to be stopped`(
        keepsSessions: Bool, milliseconds: Int
    ) async throws {
        let backend = try await make(keepsSessions: keepsSessions)
        defer { backend.remove() }
        let (store, _) = try await open(backend)
        let blocker = try RawSession(backend.url)
        for _ in 1...3 {
            try await blocker.run("BEGIN; LOCK TABLE \"Item\" IN ACCESS EXCLUSIVE MODE")
            async let all: Void = list(Self.count, in: store)
            try await Task.sleep(for: .milliseconds(milliseconds))
            try await blocker.run("COMMIT")
            try await all
        }
        try await backend.close(store)
    }

    @Test func `a column that another server adds meanwhile is in each of them`() async throws {
        let backend = try await make()
        defer { backend.remove() }
        let ((store, _), other) = (try await open(backend), try await backend.open([Self.items]))
        let table = try #require(other.table(named: "Item"))
        for name in ["one", "two", "three"] {
            _ = try await other.update(
                .text("001"), set: [Property(name, .text("x"))], if: .none, in: table, into: RecordedRows())
            try await list(Self.count, in: store, [name])
        }
        try await backend.close(store)
        try await backend.close(other)
    }

    @Test func `rows that have grown since are answered one by one`() async throws {
        let backend = try await make()
        defer { backend.remove() }
        let (store, table) = try await open(backend)
        let text = String(repeating: "Zumo ", count: 200_000)
        for number in 0..<2 {
            _ = try await store.update(
                .text("00\(number)"), set: [Property("text", .text(text))], if: .none, in: table, into: RecordedRows())
        }
        try await list(Self.count, in: store)
        #expect(try !isKnown(in: store, table))
        try await backend.close(store)
    }

    @Test func `sessions that are ended in their midst cost no answer`() async throws {
        let backend = try await make()
        defer { backend.remove() }
        let (store, _) = try await open(backend)
        try await backend.endSessions(5) { try await list(Self.count, in: store) }
        try await backend.close(store)
    }
}
