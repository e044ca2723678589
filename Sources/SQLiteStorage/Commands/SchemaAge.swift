import SQLiteMigrations
import Tables

/// How a database's own schema stands to that of this program.
struct SchemaAge {
    /// The names of the migrations that the database hasn't seen; all of them where zumod never opened it.
    let pending: [String]
    /// Whether a later version of zumod has opened the database.
    let isLater: Bool
    /// Whether zumod has opened the database before.
    let isKnown: Bool

    init(of connection: SQLiteConnection) throws(TableError) {
        var hasHistory = false
        try connection.query("SELECT 1 FROM sqlite_master WHERE name = 'zumod_migrations'") { _ in hasHistory = true }
        var applied: Set<Int64> = []
        if hasHistory {
            try connection.query("SELECT number FROM zumod_migrations") { applied.insert($0.integer(at: 0)) }
        }
        isKnown = hasHistory
        pending = SQLiteMigrations.all.filter { !applied.contains(Int64($0.number)) }.map(\.name)
        isLater = applied.contains { $0 > SQLiteMigrations.all.count }
    }

    /// Refuses to read what another version wrote.
    func refuseOther() throws(TableError) {
        guard isKnown else { throw .definition("the database was never opened by zumod: it has no tables of its own") }
        if isLater { throw .definition("the database's schema is from a later version of zumod; use that one") }
        if !pending.isEmpty {
            throw .definition("the database's schema is behind this version of zumod; run `zumod migrate` first")
        }
    }
}
