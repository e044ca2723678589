import SQLiteMigrations
import Tables

/// Brings the database's own schema to the newest version.
struct MigrationRunner {
    let connection: SQLiteConnection
    let migrations: [Migration]

    /// Runs the migrations that the database hasn't seen, each in its own transaction.
    func run() throws(TableError) {
        try makeHistory()
        for migration in migrations {
            try apply(migration)
        }
    }

    /// Runs the migrations that the database hasn't seen inside the transaction that is open.
    func runInside() throws(TableError) {
        try makeHistory()
        for migration in migrations where try !isApplied(migration) { try perform(migration) }
    }

    private func makeHistory() throws(TableError) {
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS zumod_migrations (
                number INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, applied_at TEXT NOT NULL)
            """)
    }

    private func apply(_ migration: Migration) throws(TableError) {
        try connection.run("BEGIN IMMEDIATE")
        do throws(TableError) {
            // Asked inside the transaction: another process may be opening the same file.
            if try !isApplied(migration) { try perform(migration) }
            try connection.run("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            throw error
        }
    }

    private func perform(_ migration: Migration) throws(TableError) {
        try connection.run(script: String(decoding: migration.script, as: UTF8.self))
        try connection.run(
            """
            INSERT INTO zumod_migrations (number, name, applied_at)
            VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
            """, [.integer(Int64(migration.number)), .text(migration.name)])
    }

    private func isApplied(_ migration: Migration) throws(TableError) -> Bool {
        var found = false
        try connection.query(
            "SELECT 1 FROM zumod_migrations WHERE number = ?1", [.integer(Int64(migration.number))]
        ) { _ in found = true }
        return found
    }
}
