import Foundation
import PostgresTesting
import StorageTesting
import Synchronization
import TableSQL
import Tables
import Testing
import WireTesting

@testable import PostgresStorage

@Suite(
    .ownThread, .serialized,
    .enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `PostgreSQL that holds somebody up` {
    private static let items = TableDefinition(name: "Item", columns: [Column("text", .string)])

    /// What ends the transaction of a server that is gone: its own time limit, or another server.
    enum End: CaseIterable {
        case timeLimit, otherServer
    }

    @Test(arguments: End.allCases)
    func `a server that vanishes in the middle of a write holds the others up for ten seconds at most`(
        by end: End
    ) async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings.patience = .seconds(5)
        let second = try await backend.open([Self.items])
        let proxy = try FreezingProxy(to: backend.port)
        defer { proxy.close() }
        // It keeps waiting for the row, so that it is frozen there and nowhere else.
        backend.settings.lockPatience = .seconds(60)
        if end == .otherServer { backend.settings.silence = .zero }
        let first = try await PostgresTableStore.open(
            url: backend.url(atPort: proxy.port), tables: [Self.items], servesClientTables: true,
            settings: backend.settings)
        let table = try #require(first.table(named: "Item"))
        _ = try await retrying { try await first.insert([], id: .text("a"), in: table, into: RecordedRows()) }
        let raw = try RawSession(backend.url)
        try await raw.run("BEGIN; SELECT FROM \"Item\" WHERE id = 'a' FOR UPDATE")
        async let update = Result {
            try await first.update(
                .text("a"), set: [Property("text", .text("x"))], if: .none, in: table, into: RecordedRows())
        }
        #expect(try await backend.isLocked())
        proxy.freeze()
        let start = ContinuousClock.now
        try await raw.run("COMMIT")
        // The first one's transaction goes on from here on, to the end of what it was told, and holds the table.
        let row = try await retrying {
            try await second.insert([], id: .text("b"), in: table, into: RecordedRows())
        }
        #expect(row.outcome == .written)
        // A busy machine has its time, here and below.
        #expect(ContinuousClock.now - start < min(Patience.time(.seconds(10)), .seconds(45)))
        let outcome = await update
        proxy.thaw()
        let again = try await retrying {
            try await first.update(
                .text("a"), set: [Property("text", .text("y"))], if: .none, in: table, into: RecordedRows())
        }
        #expect(again.outcome == .written)
        // It was refused, or done when its turn came again; acknowledged and undone it was not.
        if case .success(let written) = outcome { #expect(written.outcome == .written) }
        let rows = try await second.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
        #expect(rows.ids.sorted() == ["a", "b"])
        await first.close()
        try await backend.close(second)
    }

    @Test func `a server that is cut off under load loses nothing and repeats nothing`() async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings.patience = .seconds(5)
        let proxy = try FreezingProxy(to: backend.port)
        defer { proxy.close() }
        let first = try await PostgresTableStore.open(
            url: backend.url(atPort: proxy.port), tables: [Self.items], servesClientTables: true,
            settings: backend.settings)
        let second = try await backend.open([Self.items])
        let loads = [try WriteLoad(first, name: "a"), try WriteLoad(second, name: "b")]
        let running = Task {
            await withTaskGroup { group in
                for load in loads { group.addTask { await load.run(callers: 8) } }
            }
        }
        try await until { loads.allSatisfy { $0.written > 50 } }
        proxy.freeze()
        let before = loads[1].written
        let start = ContinuousClock.now
        try await until { loads[1].written > before + 50 }
        #expect(ContinuousClock.now - start < Patience.time(.seconds(15)))
        try await until { ContinuousClock.now - start > .seconds(7) }
        proxy.thaw()
        let stalled = loads[0].written
        try await until { loads[0].written > stalled + 50 }
        for load in loads { load.stop() }
        await running.value
        for load in loads { try await load.check(isAlone: false) }
        await first.close()
        try await backend.close(second)
    }

    @Test(arguments: [true, false])
    func `a store opens and closes while the database says nothing in the middle of its preparation`(
        comesBack: Bool
    ) async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.close(backend.open([Self.items]))
        backend.settings.startPatience = .seconds(1)
        let settings = backend.settings
        let proxy = try FreezingProxy(to: backend.port)
        defer { proxy.close() }
        let raw = try RawSession(backend.url)
        try await raw.run("BEGIN; SELECT FROM zumod_tables FOR UPDATE")
        let url = backend.url(atPort: proxy.port)
        async let opening = PostgresTableStore.open(
            url: url, tables: [Self.items], servesClientTables: true, settings: settings)
        #expect(try await backend.isLocked())
        proxy.freeze()
        try await raw.run("COMMIT")
        let store = try await opening
        await #expect(throws: TableError.self) { try await store.ping() }
        if comesBack {
            proxy.thaw()
            try await backend.untilReady(store)
            try await store.ping()
        }
        await store.close()
    }

    @Test func `every call ends in its time while the database says nothing`() async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings = PostgresSettings()
        let proxy = try FreezingProxy(to: backend.port)
        defer { proxy.close() }
        let store = try await PostgresTableStore.open(
            url: backend.url(atPort: proxy.port), tables: [Self.items], servesClientTables: true,
            settings: backend.settings)
        let table = try #require(store.table(named: "Item"))
        _ = try await retrying { try await store.insert([], id: .text("a"), in: table, into: RecordedRows()) }
        proxy.freeze()
        let calls: [(limit: Duration, call: @Sendable () async throws -> Void)] = [
            (.seconds(5), { try await store.ping() }), (.seconds(5), { _ = try await store.lastStamps() }),
            (.seconds(12), { _ = try await store.find(.text("a"), in: table, into: RecordedRows()) }),
            (.seconds(12), { _ = try await store.list(TableQuery(limit: 1), in: table, into: RecordedRows()) }),
            (.seconds(11), { _ = try await store.insert([], id: .text("b"), in: table, into: RecordedRows()) }),
            (.seconds(12), { _ = try await store.createTable(TableDefinition(name: "Made")) }),
        ]
        await withTaskGroup { group in
            for (limit, call) in calls {
                group.addTask {
                    let start = ContinuousClock.now
                    await #expect(throws: TableError.self) { try await call() }
                    #expect(ContinuousClock.now - start < limit + Patience.time(.seconds(2)))
                }
            }
        }
        guard case .notReady(let reason, _) = await store.readiness() else { throw PostgresBackend.NoServer() }
        #expect("\(reason)" == "The database can't be reached")
        proxy.thaw()
        let written = try await retrying {
            try await store.insert([], id: .text("c"), in: table, into: RecordedRows())
        }
        #expect(written.outcome == .written)
        try await backend.untilReady(store)
        await store.close()
    }

    @Test func `a list ends one second behind its time while the database says nothing`() async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings = PostgresSettings()
        let proxy = try FreezingProxy(to: backend.port)
        defer { proxy.close() }
        let store = try await PostgresTableStore.open(
            url: backend.url(atPort: proxy.port), tables: [Self.items], servesClientTables: true,
            settings: backend.settings)
        let table = try #require(store.table(named: "Item"))
        let raw = try RawSession(backend.url)
        func time(_ call: @Sendable () async throws -> Void) async -> Duration {
            let start = ContinuousClock.now
            await #expect(throws: TableError.self) { try await call() }
            return ContinuousClock.now - start
        }
        // Both have six seconds. On a busy machine either may come late, though not each time.
        var delay = Duration.seconds(60)
        for _ in 1...10 where delay >= .milliseconds(600) {
            // So that both are on their way when the database falls silent.
            try await raw.run(#"BEGIN; LOCK TABLE "Item""#)
            async let list = time {
                _ = try await store.list(TableQuery(limit: 1), in: table, into: RecordedRows())
            }
            async let find = time { _ = try await store.find(.text("a"), in: table, into: RecordedRows()) }
            #expect(try await backend.isLocked(count: 2))
            proxy.freeze()
            let (listed, found) = (await list, await find)
            #expect(listed > .seconds(5))
            delay = listed - found
            proxy.thaw()
            try await raw.run("COMMIT")
            try await backend.untilReady(store)
        }
        #expect(delay < .milliseconds(600))
        await store.close()
    }

    @Test func `a connection that nobody answers is no lack of connections`() async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let notes = Notes()
        backend.settings = PostgresSettings()
        backend.settings.report = { notes.add($0) }
        let proxy = try FreezingProxy(to: backend.port)
        defer { proxy.close() }
        let store = try await PostgresTableStore.open(
            url: backend.url(atPort: proxy.port) + "&connect_timeout=2", tables: [Self.items], servesClientTables: true,
            settings: backend.settings)
        let table = try #require(store.table(named: "Item"))
        _ = try await store.find(.text("a"), in: table, into: RecordedRows())
        proxy.freeze()
        // Those that have the connections that there are end as lists do, and others wait for more.
        var details: [String] = []
        for _ in 1...20 where !details.contains(where: { $0.contains("timeout expired") }) {
            details = await withTaskGroup { group in
                for _ in 1...6 {
                    group.addTask {
                        let error = await #expect(throws: TableError.self) {
                            _ = try await store.find(.text("a"), in: table, into: RecordedRows())
                        }
                        return error?.detail ?? ""
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(details.contains { $0.contains("timeout expired") }, "\(details)")
        proxy.thaw()
        try await backend.untilReady(store)
        #expect(!notes.all.contains { $0.contains("the database gives") }, "\(notes.all)")
        await store.close()
    }

    @Test(arguments: [1, 2, 3, 6, 8])
    func `a store makes do with the connections that the database gives it`(count: Int) async throws {
        var backend = try PostgresBackend.make()
        defer { backend.remove() }
        let notes = Notes()
        backend.settings = PostgresSettings()
        backend.settings.patience = .seconds(30)
        backend.settings.report = { notes.add($0) }
        let role = "\(backend.schema)_role"
        try await backend.run(
            "CREATE ROLE \(role) LOGIN CONNECTION LIMIT \(count); GRANT ALL ON SCHEMA \(backend.schema) TO \(role)")
        let tables = ["A", "B", "C"].map { TableDefinition(name: Identifier($0)!, columns: [Column("text", .string)]) }
        let store = try await PostgresTableStore.open(
            url: backend.url.replacing("//zumod@", with: "//\(role)@"), tables: tables, servesClientTables: true,
            settings: backend.settings)
        let table = try #require(store.table(named: "A"))
        for _ in 1...50 { _ = try await store.find(.text("a"), in: table, into: RecordedRows()) }
        // A connection that the opening has closed takes the database a moment to end, and who looks for other servers'
        // tables may have made one of its own.
        try await until { try await backend.connections(of: role) <= 3 }
        let words = "the database gives \(count) connection"
        let isTold = { notes.all.contains { $0.contains(words) && $0.contains("too many connections") } }
        // A busy machine may never do as much at once as would take another connection.
        for round in 0..<(count < 3 ? 50 : 1) where round == 0 || !isTold() {
            try await withThrowingTaskGroup { group in
                for reader in 0..<24 {
                    group.addTask {
                        for _ in 1...20 {
                            _ = try await store.find(.text("\(reader)"), in: table, into: RecordedRows())
                        }
                    }
                }
                for definition in tables {
                    for writer in 0..<4 {
                        group.addTask {
                            let table = try #require(store.table(named: definition.name))
                            for number in 1...5 {
                                let result = try await store.insert(
                                    [], id: .text("\(round) \(writer) \(number)"), in: table, into: RecordedRows())
                                #expect(result.outcome == .written)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await store.ping()
        #expect(try await backend.connections(of: role) <= count)
        #expect(notes.all.filter { $0.contains(words) }.count <= 1)
        if count < 3 { #expect(isTold()) }
        await store.close()
        try await backend.run("DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)")
    }

    /// Calls again while the answer is that trying again may help: ten minutes at most.
    private func retrying<Success>(_ body: () async throws -> Success) async throws -> Success {
        let deadline = ContinuousClock.now + .seconds(600)
        while true {
            do {
                return try await body()
            } catch let error as TableError {
                guard case .unavailable = error, ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private func until(_ condition: () async throws -> Bool) async throws {
        #expect(try await Patience.eventually(condition))
    }
}

/// What a store reported.
private final class Notes: Sendable {
    private let notes = Mutex<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func add(_ note: PostgresNote) {
        switch note {
        case .warning(let text), .notice(let text): notes.withLock { $0.append(text) }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension PostgresBackend {
    fileprivate func connections(of role: String) async throws -> Int {
        let rows = try await RawSession(url).run("SELECT count(*) FROM pg_stat_activity WHERE usename = '\(role)'")
        return Int(rows[0][0] ?? "") ?? 0
    }
}
