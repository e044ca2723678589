import Foundation
import PostgresStorage
import PostgresTesting
import Scalars
import StorageTesting
import Tables
import WireTesting

/// A schema of its own in the database that the tests were given, or in a database of its own.
struct PostgresBackend: StorageBackend {
    /// The URL of a store or session whose tables are in the schema; its sessions bear the backend's name.
    let url: String
    let schema: String
    var settings = PostgresBackend.settings
    /// Its own database; nil for the one that the tests were given.
    var database: String?

    private var name: String { database ?? schema }

    /// The server to test with; nil where none was started. `scripts/test-postgres` starts one.
    static let server = ProcessInfo.processInfo.environment["ZUMOD_TEST_POSTGRES_URL"]

    static let kinds = both(with: settings)
    /// The same without anything in the database, not even what a store keeps for itself.
    static let emptyKinds = both(with: settings) { try make() }
    /// The same with a time limit near that of a server, for what runs into it: others have time on a busy machine.
    static let limitedKinds = {
        var limited = settings
        limited.statementTimeout = .seconds(6)
        return both(with: limited)
    }()

    private static func both(
        with settings: PostgresSettings,
        _ make: @escaping @Sendable () async throws -> PostgresBackend = { try await prepared() }
    ) -> [BackendKind] {
        [
            BackendKind("PostgreSQL", isPersistent: true, isShared: true, isLooselyTyped: false) {
                var backend = try await make()
                backend.settings = settings
                return backend
            },
            // As behind a pooler that gives each transaction another connection.
            BackendKind("PostgreSQL without sessions", isPersistent: true, isShared: true, isLooselyTyped: false) {
                var backend = try await make()
                backend.settings = settings
                backend.settings.keepsSessions = false
                return backend
            },
        ]
    }

    struct NoServer: Error {}

    static func make(on server: String? = server) throws -> PostgresBackend {
        guard let server else { throw NoServer() }
        let schema = newName()
        try RawSession(server).runNow("CREATE SCHEMA \(schema)")
        let mark = server.contains("?") ? "&" : "?"
        return PostgresBackend(
            url: "\(server)\(mark)options=-csearch_path%3D\(schema)&application_name=\(schema)",
            schema: schema)
    }

    private static func newName() -> String {
        "zumod_test_\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
    }

    /// A database of its own in which a store has made what it keeps for itself. A copy takes a third of the time that the
    /// migrations take, and its sessions hear of no other test's changes to a schema.
    static func prepared() async throws -> PostgresBackend {
        guard let server else { throw NoServer() }
        let (origin, backend) = (try await origin.value, beside(server))
        try await OwnDatabases.make(backend.name, like: origin, on: server)
        return backend
    }

    /// What the copies are made of, to which nobody is connected.
    private static let origin = Task {
        guard let server else { throw NoServer() }
        let backend = beside(server)
        try await OwnDatabases.make(backend.name, like: "template1", on: server)
        try await RawSession(DatabaseSession.url(backend.name, on: server)).run("CREATE SCHEMA \(backend.schema)")
        let store = try await backend.open([], clock: { Instant(milliseconds: 1_800_000_000_000) })
        try await backend.close(store)
        return backend.name
    }

    /// A backend whose database is yet to be made.
    private static func beside(_ server: String) -> PostgresBackend {
        let (name, schema) = (newName(), "zumod_prepared")
        let url = DatabaseSession.url(name, on: server)
        return PostgresBackend(
            url: "\(url)?options=-csearch_path%3D\(schema)&application_name=\(name)", schema: schema,
            database: name)
    }

    /// The server's port.
    var port: UInt16 { UInt16(url.split(separator: ":")[2].prefix { $0.isNumber }) ?? 0 }

    /// The same place through a proxy.
    func url(atPort other: UInt16) -> String {
        url.replacing(":\(port)/", with: ":\(other)/")
    }

    /// Few connections, since all cases run at once.
    static var settings: PostgresSettings {
        var settings = PostgresSettings()
        settings.readingConnections = 2
        settings.writingConnections = 2
        settings.patience = .seconds(30)
        settings.startPatience = nil
        settings.statementTimeout = .seconds(30)
        return settings
    }

    func open(
        _ tables: [TableDefinition], servesClientTables: Bool = true,
        clock: @escaping @Sendable () -> Instant = { SystemClock.now() }
    ) async throws -> any TableStore {
        try await PostgresTableStore.open(
            url: url, tables: tables, servesClientTables: servesClientTables, settings: settings, clock: clock)
    }

    /// Waits until the store's database is there.
    func untilReady(_ store: any TableStore) async throws {
        guard try await Patience.eventually({ (try? await store.ping()) != nil }) else { return try await store.ping() }
    }

    func close(_ store: any TableStore) async throws {
        await (store as? PostgresTableStore)?.close()
    }

    func run(_ sql: String) async throws {
        try await RawSession(url).run(sql)
    }

    func runUnseen(_ sql: String) async throws {
        let session = try RawSession(url)
        try await session.run("SET zumod.writes = 'on'")
        try await session.run(sql)
    }

    /// Waits until some sessions of the schema wait for a lock.
    func isLocked(count: Int = 1) async throws -> Bool {
        try await locks(count: count).contains(true)
    }

    /// Begins to look whether some sessions of the schema wait for a lock, and says so once: for five minutes, and on a
    /// thread of its own, as a short wait is over before a busy machine gives the test its turn.
    func locks(count: Int = 1) throws -> AsyncStream<Bool> {
        let session = try RawSession(url)
        let question = """
            SELECT count(*) >= \(count) FROM pg_stat_activity
            WHERE application_name = '\(name)' AND wait_event_type = 'Lock'
            """
        let (found, finding) = AsyncStream.makeStream(of: Bool.self)
        DispatchQueue(label: "locks").async {
            defer { finding.finish() }
            for _ in 0..<15_000 {
                guard let answer = try? session.runNow(question) else { return }
                if answer == [["t"]] {
                    finding.yield(true)
                    return
                }
                usleep(20_000)
            }
        }
        return found
    }

    func remove() {
        guard let server = Self.server else { return }
        if let database { return OwnDatabases.remove(database, from: server) }
        _ = try? RawSession(server).runNow("SET lock_timeout = '5s'; DROP SCHEMA IF EXISTS \(schema) CASCADE")
    }
}

extension PostgresBackend {
    /// Whether to try again may help.
    static func isUnavailable(_ error: TableError) -> Bool {
        if case .unavailable = error { true } else { false }
    }

    /// Ends the store's sessions in the midst of reads, so many times, while the reads wait for a lock of the table `Item`.
    func endSessions(_ times: Int, while reads: @Sendable () async throws -> Void) async throws {
        let blocker = try RawSession(url)
        let admin = try RawSession(Self.server ?? url)
        for _ in 1...times {
            try await blocker.run("BEGIN; LOCK TABLE \"Item\" IN ACCESS EXCLUSIVE MODE")
            async let all: Void = reads()
            try await Task.sleep(for: .milliseconds(50))
            try await admin.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = '\(name)' AND wait_event_type = 'Lock'
                """)
            try await blocker.run("COMMIT")
            try await all
        }
    }
}
