import PostgresMigrations
import Tables

/// How a database's own schema stands to that of this program.
struct SchemaAge {
    /// The names of the migrations that the database hasn't seen; all of them where zumod never opened it.
    let pending: [String]
    /// Whether a later version of zumod has opened the database.
    let isLater: Bool
    /// Whether zumod has opened the database before.
    let isKnown: Bool

    init(on connection: PostgresConnection) throws(PostgresFailure) {
        let history = try connection.run(
            """
            SELECT 1 FROM pg_class WHERE relname = 'zumod_migrations'
                AND relnamespace = \(CurrentSchema.oid)
            """)
        isKnown = history.rowCount > 0
        var applied: Set<Int64> = []
        if isKnown {
            let numbers = try connection.run("SELECT number::int8 FROM zumod_migrations")
            applied = Set((0..<numbers.rowCount).map { numbers.integer($0, 0) })
        }
        pending = PostgresMigrations.all.filter { !applied.contains(Int64($0.number)) }.map(\.name)
        isLater = applied.contains { $0 > PostgresMigrations.all.count }
    }

    /// Refuses to read what another version wrote.
    func refuseOther() throws(PostgresFailure) {
        guard isKnown else {
            throw .table(.definition("the database was never opened by zumod: it has no tables of its own"))
        }
        if isLater {
            throw .table(.definition("the database's schema is from a later version of zumod; use that one"))
        }
        if !pending.isEmpty {
            throw .table(
                .definition("the database's schema is behind this version of zumod; run `zumod migrate` first"))
        }
    }
}
