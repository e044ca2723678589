import CPostgres
import Foundation

/// A schema of a test's own on a PostgreSQL server, for several servers at once. It is gone with the test.
final class SharedDatabase {
    /// The server that the tests were given; nil where none was started. `scripts/test-postgres` starts one.
    static let server = ProcessInfo.processInfo.environment["ZUMOD_TEST_POSTGRES_URL"]

    /// Whoever connects with it has the schema as the first of its search path.
    let url: String
    private let server: String
    private let schema: String

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

    /// Waits until a session of that server waits for a lock: thirty seconds at most.
    func waits(forLockOf name: String) async throws -> Bool {
        let session = try session()
        for _ in 0..<1_500 {
            let waiting = try session.run(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE application_name = '\(schema)_\(name)' AND wait_event_type = 'Lock'
                """)
            if waiting != [["0"]] { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
}

/// A session of psql or another program, on the caller's thread.
@safe final class DatabaseSession {
    private let handle: OpaquePointer?

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ url: String) throws {
        unsafe handle = unsafe PQconnectdb(url)
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            throw Failure(description: unsafe String(cString: PQerrorMessage(handle)))
        }
        unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// Runs SQL and answers the rows of its last statement as text.
    @discardableResult
    func run(_ sql: String) throws -> [[String?]] {
        let result = unsafe PQexec(handle, sql)
        defer { unsafe PQclear(result) }
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
        default: throw Failure(description: unsafe String(cString: PQerrorMessage(handle)))
        }
        return unsafe (0..<PQntuples(result)).map { row in
            unsafe (0..<PQnfields(result)).map { column in
                unsafe PQgetisnull(result, row, column) == 1
                    ? nil : unsafe String(cString: PQgetvalue(result, row, column))
            }
        }
    }
}
