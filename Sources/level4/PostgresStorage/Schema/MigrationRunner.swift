import TableSQL
import Tables

/// Brings the database's own schema to the newest version. Runs inside a transaction that holds the schema's lock.
struct MigrationRunner {
    let connection: PostgresConnection
    let migrations: [Migration]

    /// Runs the migrations that the database hasn't seen.
    func run() throws(PostgresFailure) {
        // Looked for first: where all is done, a user who may not make tables can run zumod.
        let age = try SchemaVersionStatus(on: connection)
        if !age.isKnown {
            _ = try connection.run(
                """
                CREATE TABLE IF NOT EXISTS zumod_migrations (
                    number integer PRIMARY KEY, name text NOT NULL,
                    applied_at timestamp with time zone NOT NULL DEFAULT now())
                """)
        }
        for migration in migrations where age.pending.contains(migration.name) {
            // As it was released, a migration folds the schema's name.
            let script = migration.script
                .replacing("current_schema()::regnamespace", with: CurrentSchema.oid)
            try connection.run(script: script)
            _ = try connection.run(
                SQLText(
                    text: "INSERT INTO zumod_migrations (number, name) VALUES ($1::int8, $2::text)",
                    bindings: [.integer(Int64(migration.number)), .text(migration.name)]))
        }
    }
}
