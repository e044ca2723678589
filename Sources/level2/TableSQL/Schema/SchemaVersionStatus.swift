import Tables

/// The state of a database's own schema relative to this program's.
public struct SchemaVersionStatus: Sendable {
    /// The migrations that the database lacks; all of them if zumod never opened it.
    public let pending: [Migration]
    /// Whether a later version of zumod has opened the database.
    public let isLater: Bool
    /// Whether zumod has opened the database before.
    public let isKnown: Bool

    /// Reads the migrations that the database has.
    public init<Connection: SQLConnection>(on connection: Connection) throws(Connection.Failure) {
        isKnown = try connection.has("zumod_migrations")
        var applied: Set<Int64> = []
        if isKnown {
            let numbers = try connection.rows(of: "SELECT CAST(number AS bigint) FROM zumod_migrations")
            applied = Set(numbers.compactMap { $0.integer(0) })
        }
        pending = Connection.migrations.filter { !applied.contains(Int64($0.number)) }
        isLater = applied.contains { $0 > Connection.migrations.count }
    }

    /// Whether the schema is this program's.
    public var isCurrent: Bool { isKnown && pending.isEmpty && !isLater }
}

extension SQLConnection {
    /// Migrates the database's own schema to the newest version, in a transaction that excludes other migrations.
    public func migrate() throws(Failure) {
        // Checked first: if everything is done, a user without the right to create tables can run zumod.
        let status = try SchemaVersionStatus(on: self)
        if !status.isKnown { _ = try rows(of: dialect.migrationTable) }
        for migration in status.pending {
            try run(script: migration.script)
            _ = try rows(
                of: """
                    INSERT INTO zumod_migrations (number, name, applied_at) \
                    VALUES (\(.integer(Int64(migration.number))), \(.text(migration.name)), \(dialect.now))
                    """)
        }
    }

    /// Throws if another version's schema would be read.
    public func refuseOtherSchema() throws(Failure) {
        let status = try SchemaVersionStatus(on: self)
        guard status.isKnown else {
            throw .table(.definition("the database was never opened by zumod: it has no tables of its own"))
        }
        if status.isLater {
            throw .table(.definition("the database's schema is from a later version of zumod; use that one"))
        }
        if !status.pending.isEmpty {
            throw .table(
                .definition("the database's schema is behind this version of zumod; run `zumod migrate` first"))
        }
    }
}
