import ByteText
import Synchronization
import TableSQL
public import Tables

/// The databases that a test server creates next to the one it was given. They are copies of each other, and are
/// removed when it ends. The given one isn't changed. The URL's user needs the right CREATEDB.
public final class PostgresCopies: Sendable {
    private let url: String
    private let pool: ReadPool
    /// Its session only holds the lock of this run.
    private let lockPool: ReadPool
    private let state = Mutex<Task<Void, Never>?>(nil)
    private let run: UInt32
    private let count = Atomic(0)

    /// The connection limit of these databases, which no others have, so that a server never takes another's for its
    /// own. Unlike a comment, a database has it from the moment of its creation.
    private static let mark = 99_731

    /// The prefix of the names of all servers' databases.
    private static let prefix = "zumod_test_"

    /// The prefix of the names of this server's databases.
    public var ownPrefix: String { "\(Self.prefix)\(run.hexText)_" }

    /// Connects, and removes what killed servers left behind.
    public static func open(url: String) async throws(TableError) -> PostgresCopies {
        // Copies are made one after another, and each takes a while on a busy server.
        let pool = try SchemaTask.pool(
            url, statementTimeout: .seconds(60), patience: .seconds(60), keepsSessions: true)
        let copies = PostgresCopies(url, pool, try SchemaTask.pool(url, keepsSessions: true))
        do throws(TableError) {
            try await copies.removeLeftovers()
            let task = Task { [weak copies] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(2))
                    await copies?.hold()
                }
            }
            copies.state.withLock { $0 = task }
        } catch {
            await copies.close()
            throw error
        }
        return copies
    }

    private init(_ url: String, _ pool: ReadPool, _ lockPool: ReadPool) {
        self.url = url
        self.pool = pool
        self.lockPool = lockPool
        run = .random(in: 1 ... .max)
    }

    /// Creates a database.
    /// - Parameter template: the database to copy, which must have no connections; nil for an empty one.
    /// - Returns: the name of the new database.
    public func make(like template: Identifier? = nil) async throws(TableError) -> Identifier {
        let number = count.add(1, ordering: .relaxed).newValue
        guard let name = Identifier("\(ownPrefix)\(number)") else { throw .failed(detail: "no name for a copy") }
        let source: SQLFragment = template.map { "\($0)" } ?? "\"template0\" ENCODING 'UTF8'"
        let limit = SQLFragment(stringLiteral: "\(Self.mark)")
        try await perform("CREATE DATABASE \(name) TEMPLATE \(source) CONNECTION LIMIT \(limit)")
        return name
    }

    /// Removes a database and ends all connections to it.
    public func drop(_ name: Identifier) async throws(TableError) {
        try await perform("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
    }

    /// Makes the links of two runs equal, in a database that no store has open.
    public func setContinuationSecret(_ secret: [UInt8], in name: Identifier) async throws(TableError) {
        try await SchemaTask.run(url, database: name) { connection throws(PostgresFailure) in
            _ = try connection.run(
                "UPDATE zumod_secrets SET hexadecimal = $1::text WHERE name = 'continuation'", [.text(secret.hexText)])
        }
    }

    /// Removes all databases that were created and still exist, and disconnects from the server.
    public func close() async {
        state.withLock { $0 }?.cancel()
        for name in (try? await databases(startingWith: ownPrefix)) ?? [] { try? await drop(name) }
        await pool.close()
        await lockPool.close()
    }

    private func perform(_ statement: SQLFragment) async throws(TableError) {
        _ = try await pool.run(isPatient: true) { connection throws(PostgresFailure) in
            try connection.rows(of: statement)
        }
    }

    private func databases(startingWith prefix: String) async throws(TableError) -> [Identifier] {
        try await pool.run(isPatient: true) { connection throws(PostgresFailure) in
            try connection.rows(
                "SELECT datname FROM pg_database WHERE starts_with(datname, $1::text) ORDER BY datname",
                [.text(prefix)]
            ).compactMap { Identifier($0.words(0)) }
        }
    }

    /// Takes the lock again if its session has ended, such as when the server restarted.
    private func hold() async {
        let own = Self.lock(of: run)
        _ = try? await lockPool.run { connection throws(PostgresFailure) in
            let held = try connection.run(
                """
                SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
                    AND (classid::int8 << 32 | objid::int8) = $1::int8
                """, [.integer(own)])
            guard held.rowCount == 0 else { return }
            _ = try connection.run(SQLText("SELECT pg_advisory_lock($1::int8)", [.integer(own)]))
        }
    }

    /// Removes databases that bear the mark, belong to this user, and were created by a server that no longer runs:
    /// they have no connections, and their lock is free. Those that can't be removed stay.
    private func removeLeftovers() async throws(TableError) {
        await hold()
        let leftovers = try await pool.run(isPatient: true) { connection throws(PostgresFailure) -> [Identifier] in
            let found = try connection.run(
                """
                SELECT d.datname FROM pg_database d
                WHERE d.datname ~ '^zumod_test_[0-9a-f]{8}_[0-9]+$' AND d.datname <> current_database()
                    AND pg_get_userbyid(d.datdba) = current_user
                    AND d.datconnlimit = $1::int8
                    AND NOT EXISTS (
                        SELECT FROM pg_stat_activity a
                        WHERE starts_with(a.datname, left(d.datname, \(Self.prefix.utf8.count + 9))))
                ORDER BY d.datname
                """, [.integer(Int64(Self.mark))])
            var leftovers: [Identifier] = []
            for row in 0..<found.rowCount {
                guard let name = Identifier(found.string(row, 0)),
                    let run = UInt32(name.text.dropFirst(Self.prefix.count).prefix(8), radix: 16)
                else { continue }
                let key = Value.integer(Self.lock(of: run))
                let lock = SQLText("SELECT pg_try_advisory_lock($1::int8)", [key])
                guard try connection.run(lock).boolean(0, 0) else { continue }
                _ = try connection.run(SQLText("SELECT pg_advisory_unlock($1::int8)", [key]))
                leftovers.append(name)
            }
            return leftovers
        }
        for name in leftovers { try? await drop(name) }
    }

    /// The database's own locks have two numbers, so this one can't clash with them.
    private static func lock(of run: UInt32) -> Int64 {
        0x7A75_6D6F_0000_0000 | Int64(run)
    }
}
