import PostgresTesting
import StorageTesting
import Synchronization
import Tables
import Testing
import WireTesting

@testable import PostgresStorage

@Suite(
    .ownThread, .serialized,
    .enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Tables of PostgreSQL that somebody has locked` {
    private static let items = TableDefinition(name: "Item", columns: [Column("text", .string)])

    @Test func `as many locked tables as there are writers hold up no other table`() async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings = PostgresSettings()
        backend.settings.patience = min(Patience.time(backend.settings.patience), .seconds(20))
        let patience = backend.settings.patience
        let names = (1...5).map { "Held\($0)" } + ["Free"]
        let tables = names.map { TableDefinition(name: Identifier($0)!, columns: [Column("text", .string)]) }
        let store = try await backend.open(tables)
        let raw = try RawSession(backend.url)
        try await raw.run("BEGIN; SELECT FROM zumod_tables WHERE name LIKE 'Held%' FOR UPDATE")
        let held = Flag()
        try await withThrowingTaskGroup { group in
            for name in names.dropLast() {
                group.addTask {
                    let table = try #require(store.table(named: Identifier(name)!))
                    var told = ""
                    // On a busy machine the store may have looked at another moment.
                    for _ in 0..<10 where !told.contains("idle in transaction") {
                        let error = await #expect(throws: TableError.self) {
                            _ = try await store.insert([], id: .text("a"), in: table, into: RecordedRows())
                        }
                        guard case .unavailable(let detail) = error else { throw PostgresBackend.NoServer() }
                        told = detail
                        held.isOver.store(true, ordering: .relaxed)
                    }
                    #expect(told.contains("idle in transaction"), "\(told)")
                }
            }
            let table = try #require(store.table(named: "Free"))
            var number = 0
            var longest = Duration.zero
            while !held.isOver.load(ordering: .relaxed) {
                number += 1
                let start = ContinuousClock.now
                let result = try await store.insert(
                    [], id: .text("\(number)"), in: table, into: RecordedRows())
                #expect(result.outcome == .written)
                longest = max(longest, ContinuousClock.now - start)
            }
            // Each would take all of their patience, did they wait for the others.
            #expect(number > 3 && longest < patience * 0.8, "\(number) writes, the longest \(longest)")
            try await group.waitForAll()
        }
        // Another program's session is not ended, however long it holds what others want.
        try await raw.run("COMMIT")
        let table = try #require(store.table(named: "Held1"))
        let result = try await store.insert([], id: .text("a"), in: table, into: RecordedRows())
        #expect(result.outcome == .written)
        try await backend.close(store)
    }

    /// How a session of another program keeps writers from a table.
    enum Keeping: CaseIterable {
        /// It has locked the table.
        case lock
        /// It reads, and a session that wants to lock the table waits for it.
        case reader
        /// It keeps the session that has the table's turn from another table.
        case otherTable
        /// It has the table's turn since a savepoint.
        case savepoint
        /// It has locked the row.
        case row
    }

    @Test(arguments: Keeping.allCases)
    func `the log names the session that all wait for`(keeping: Keeping) async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings.patience = .seconds(3)
        let tables = [Self.items, TableDefinition(name: "Other")]
        let stores = [try await backend.open(tables), try await backend.open(tables)]
        let item = try #require(stores[0].table(named: "Item"))
        _ = try await stores[0].insert([], id: .text("a"), in: item, into: RecordedRows())
        let (culprit, waiter) = (try RawSession(backend.url), try RawSession(backend.url))
        let pid = try #require(try await culprit.run("SELECT pg_backend_pid()")[0][0])
        var waits: String?
        switch keeping {
        case .lock: try await culprit.run(#"BEGIN; LOCK TABLE "Item""#)
        case .savepoint: try await culprit.run(#"BEGIN; SAVEPOINT s; INSERT INTO "Item" ("id") VALUES ('x')"#)
        case .row: try await culprit.run(#"BEGIN; SELECT FROM "Item" FOR UPDATE"#)
        case .reader:
            try await culprit.run(#"BEGIN; SELECT FROM "Item""#)
            waits = #"LOCK TABLE "Item""#
        case .otherTable:
            try await culprit.run(#"BEGIN; LOCK TABLE "Other""#)
            try await waiter.run(#"BEGIN; INSERT INTO "Item" ("id") VALUES ('x')"#)
            waits = #"INSERT INTO "Other" ("id") VALUES ('x')"#
        }
        async let waiting: Void = { [waits] in if let waits { try await waiter.run("BEGIN; \(waits); ROLLBACK") } }()
        if waits != nil { #expect(try await backend.isLocked()) }
        try await withThrowingTaskGroup { group in
            for store in stores {
                group.addTask {
                    let table = try #require(store.table(named: "Item"))
                    let wanted = "is held by session \(pid) "
                    var told = ""
                    // On a busy machine the other store may be seen between two of its own statements.
                    for _ in 0..<40 where !told.contains(wanted) {
                        let error = await #expect(throws: TableError.self) {
                            _ = try await store.update(
                                .text("a"), set: [Property("text", .text("x"))], if: .none, in: table,
                                into: RecordedRows())
                        }
                        guard case .unavailable(let detail) = error else { throw PostgresBackend.NoServer() }
                        told = detail
                    }
                    #expect(told.contains(wanted), "\(told)")
                }
            }
            try await group.waitForAll()
        }
        try await culprit.run("ROLLBACK")
        try await waiting
        for store in stores { try await backend.close(store) }
    }

    @Test func `callers of one table share transactions also after it was locked`() async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings = PostgresSettings()
        backend.settings.patience = .seconds(120)
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: "Item"))
        let raw = try RawSession(backend.url)
        try await raw.run("BEGIN; SELECT FROM zumod_tables FOR UPDATE")
        let callers = Meeting(100)
        try await withThrowingTaskGroup { group in
            for number in 1...100 {
                group.addTask {
                    callers.arrive()
                    let result = try await store.insert(
                        [], id: .text("\(number)"), in: table, into: RecordedRows())
                    #expect(result.outcome == .written)
                }
            }
            #expect(try await backend.isLocked())
            while callers.isWaiting { try await Task.sleep(for: .milliseconds(5)) }
            try await Task.sleep(for: .seconds(1))
            try await raw.run("COMMIT")
            try await group.waitForAll()
        }
        let transactions = try await RawSession(backend.url).run("SELECT count(DISTINCT xmin::text) FROM \"Item\"")
        #expect(Int(transactions[0][0] ?? "") ?? 100 < 20)
        try await backend.close(store)
    }
}

private final class Flag: Sendable {
    let isOver = Atomic(false)
}
