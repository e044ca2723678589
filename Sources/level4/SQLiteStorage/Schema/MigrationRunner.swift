import TableSQL
import Tables

/// Brings the database's own schema to the newest version.
struct MigrationRunner {
    let connection: SQLiteConnection
    let migrations: [Migration]

    /// Runs the migrations that the database hasn't seen, each in its own transaction.
    func run() throws(TableError) {
        try makeHistory()
        for migration in migrations {
            try connection.run("BEGIN IMMEDIATE")
            do throws(TableError) {
                try apply(migration)
                try connection.run("COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.run("ROLLBACK") }
                throw error
            }
        }
    }

    /// Runs the migrations that the database hasn't seen inside the transaction that is open.
    func runInside() throws(TableError) {
        try makeHistory()
        for migration in migrations { try apply(migration) }
    }

    private func makeHistory() throws(TableError) {
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS zumod_migrations (
                number INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, applied_at TEXT NOT NULL)
            """)
    }

    /// Asks inside the transaction: another process may be opening the same file.
    private func apply(_ migration: Migration) throws(TableError) {
        var isApplied = false
        let number = Value.integer(Int64(migration.number))
        try connection.query("SELECT 1 FROM zumod_migrations WHERE number = ?1", [number]) { _ in isApplied = true }
        if isApplied { return }
        try connection.run(script: migration.script)
        try connection.run(
            """
            INSERT INTO zumod_migrations (number, name, applied_at)
            VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
            """, [number, .text(migration.name)])
    }
}
