import ByteText
import Synchronization
import TableSQL
public import Tables

/// Databases that a server for tests makes beside the one that it was given, copies of each other, and removes at its end.
/// The given one stays as it is. The URL's user needs the right CREATEDB.
public final class PostgresCopies: Sendable {
    private let url: String
    private let pool: ReadPool
    private let run: UInt32
    private let count = Atomic(0)

    /// What the names of all servers' databases begin with.
    private static let prefix = "zumod_test_"

    /// What the names of this one's databases begin with.
    public var ownPrefix: String { "\(Self.prefix)\(run.hexText)_" }

    /// Connects, and removes what servers left behind that were killed.
    public static func open(url: String) async throws(TableError) -> PostgresCopies {
        // Copies are made one after the other, and a busy server takes its time for each.
        let pool = try SchemaTask.pool(url, statementTimeout: .seconds(60), patience: .seconds(60))
        let copies = PostgresCopies(url, pool)
        do throws(TableError) {
            try await copies.removeLeftovers()
        } catch {
            await copies.close()
            throw error
        }
        return copies
    }

    private init(_ url: String, _ pool: ReadPool) {
        self.url = url
        self.pool = pool
        run = .random(in: 1 ... .max)
    }

    /// Makes a database.
    /// - Parameter template: the one that it is a copy of, to which nobody may be connected; nil for an empty one.
    /// - Returns: its name.
    public func make(like template: Identifier? = nil) async throws(TableError) -> Identifier {
        guard let name = Identifier("\(ownPrefix)\(count.add(1, ordering: .relaxed).newValue)") else {
            throw .failed(detail: "no name for a copy")
        }
        try await perform(DatabaseStatement.create(name, like: template))
        return name
    }

    /// Removes a database, with whoever is connected to it.
    public func drop(_ name: Identifier) async throws(TableError) {
        try await perform(DatabaseStatement.drop(name))
    }

    /// Has the links of two runs be alike, in a database that no store has open.
    public func setContinuationSecret(_ secret: [UInt8], in name: Identifier) async throws(TableError) {
        let pool = try SchemaTask.pool(url, database: name)
        do throws(TableError) {
            try await pool.run { connection throws(PostgresFailure) in
                _ = try connection.run(
                    SQLText(
                        text: "UPDATE zumod_secrets SET hexadecimal = $1::text WHERE name = 'continuation'",
                        bindings: [.text(secret.hexText)]))
            }
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    /// Lets go of the server.
    public func close() async {
        await pool.close()
    }

    private func perform(_ statement: SQLText) async throws(TableError) {
        try await pool.run(isPatient: true) { connection throws(PostgresFailure) in
            _ = try connection.run(statement)
        }
    }

    /// A server holds its lock for as long as it is connected: what has no lock is nobody's.
    private func removeLeftovers() async throws(TableError) {
        let own = Self.lock(of: run)
        let leftovers = try await pool.run(isPatient: true) { connection throws(PostgresFailure) -> [Identifier] in
            _ = try connection.run(SQLText(text: "SELECT pg_advisory_lock($1::int8)", bindings: [.integer(own)]))
            let found = try connection.run(
                SQLText(
                    text: "SELECT datname FROM pg_database WHERE starts_with(datname, $1::text) ORDER BY datname",
                    bindings: [.text(Self.prefix)]))
            var leftovers: [Identifier] = []
            for row in 0..<found.rowCount {
                guard let name = Identifier(found.string(row, 0)),
                    let run = UInt32(name.text.dropFirst(Self.prefix.count).prefix { $0 != "_" }, radix: 16)
                else { continue }
                let lock = SQLText(
                    text: "SELECT pg_try_advisory_lock($1::int8)", bindings: [.integer(Self.lock(of: run))])
                if try connection.run(lock).boolean(0, 0) { leftovers.append(name) }
            }
            return leftovers
        }
        for name in leftovers { try await drop(name) }
    }

    /// Locks of a database's own have two numbers, so that this one is nobody else's.
    private static func lock(of run: UInt32) -> Int64 {
        0x7A75_6D6F_0000_0000 | Int64(run)
    }
}
