import Synchronization

/// The databases that tests have for themselves, made and removed one after the other in two sessions that all tests share: a
/// session costs as much as half a database.
public enum OwnDatabases {
    private static let making = SharedSession()
    private static let removing = SharedSession()

    /// Makes a database of a server.
    /// - Parameter origin: what it is a copy of; nobody may be connected to it.
    public static func make(_ name: String, like origin: String, on server: String) async throws {
        // As files: by the log, as is usual, a copy costs three times as much.
        let sql = "CREATE DATABASE \(name) TEMPLATE \(origin) STRATEGY FILE_COPY"
        for _ in 0..<12 {
            do {
                try await making.session(server).run(sql)
                return
            } catch let failure as DatabaseSession.Failure where failure.description.contains("is being accessed by") {
                // Sessions that were closed may take a busy machine longer to end than the five seconds that it waits.
            }
        }
        try await making.session(server).run(sql)
    }

    /// Has a database removed, and its sessions ended, without waiting for it: PostgreSQL may wait for sessions of other tests,
    /// and these for the threads that all tests share.
    public static func remove(_ name: String, from server: String) {
        guard let session = try? removing.session(server) else { return }
        Task { try? await session.run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)") }
    }
}

/// A session of each server, made when it is first asked for.
private final class SharedSession: Sendable {
    private let sessions = Mutex<[String: RawSession]>([:])

    func session(_ server: String) throws -> RawSession {
        try sessions.withLock { sessions in
            if let session = sessions[server] { return session }
            let session = try RawSession(server)
            sessions[server] = session
            return session
        }
    }
}
