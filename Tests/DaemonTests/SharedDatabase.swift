import Foundation
import PostgresTesting
import WireTesting

/// A schema of a test's own on a PostgreSQL server, for several servers at once. It is gone with the test.
final class SharedDatabase {
    /// The server that the tests were given; nil where none was started. `scripts/test-postgres` starts one.
    static let server = ProcessInfo.processInfo.environment["ZUMOD_TEST_POSTGRES_URL"]

    /// Whoever connects with it has the schema as the first of its search path.
    let url: String
    /// The same server without the schema, for programs that name it themselves.
    var plainURL: String { server }
    let schema: String
    private let server: String

    struct NoServer: Error {}

    init(on server: String? = server) throws {
        guard let server else { throw NoServer() }
        self.server = server
        schema = "zumod_daemon_\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
        url = "\(server)?options=-csearch_path%3D\(schema)"
        try DatabaseSession(server).run("CREATE SCHEMA \(schema)")
    }

    deinit {
        _ = try? DatabaseSession(server).run("SET lock_timeout = '5s'; DROP SCHEMA IF EXISTS \(schema) CASCADE")
    }

    /// A session of another program.
    func session() throws -> DatabaseSession {
        try DatabaseSession(url)
    }

    /// The URL for a server whose sessions are to be told from others'.
    func url(named name: String) -> String {
        "\(url)&application_name=\(schema)_\(name)"
    }

    /// The processes of a server's sessions.
    func processes(of name: String) throws -> [Int32] {
        let sql = "SELECT pid FROM pg_stat_activity WHERE application_name = '\(schema)_\(name)'"
        return try session().run(sql).compactMap { $0[0].flatMap { Int32($0) } }
    }

    /// Waits until a session of that server waits for a lock, and no longer than it can.
    func waits(forLockOf name: String, unless isOver: () throws -> Bool = { false }) async throws -> Bool {
        let session = try session()
        var isWaiting = false
        try await Patience.eventually {
            let waiting = try session.run(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE application_name = '\(schema)_\(name)' AND wait_event_type = 'Lock'
                """)
            isWaiting = waiting != [["0"]]
            return try isWaiting || isOver()
        }
        return isWaiting
    }

    /// Whether a session of that server is between two statements of a transaction that has written.
    func isInTransaction(_ name: String, _ session: DatabaseSession) throws -> Bool {
        try session.run(
            """
            SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)_\(name)'
                AND state = 'idle in transaction' AND backend_xid IS NOT NULL
            """) != [["0"]]
    }
}
