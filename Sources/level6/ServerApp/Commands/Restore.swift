public import Operating
import Platform
import PostgresStorage
import SQLiteStorage
public import ServerConfiguration
import Tables

/// `zumod restore`: brings a database back from a backup.
///
/// Devices have seen versions, and ids of numbered tables, that were given after the backup. If they were given again,
/// a device's edit of a row that it knows would pass for an edit of what the row is now, so the numbers move on first.
public struct Restore: Sendable {
    private let backup: String?

    /// More than was given between a backup and its use: versions for 49 days of a thousand a second; ids that still fit
    /// the 32 bits in which clients keep them; an hour of stamps, which run ahead of the clock by a millisecond a row
    /// where many rows are written at once.
    static let lead = NumberGap(versions: 1 << 32, ids: 1_000_000, milliseconds: 3_600_000)

    /// - Parameter backup: a copy made by `zumod backup`; nil if the database has its rows back already.
    public init(from backup: String?) {
        self.backup = backup
    }

    /// On SQLite, puts the copy in the database's place; then moves the numbers on. No server may run on it meanwhile.
    /// - Returns: what was done, in words.
    /// - Throws: `file` if the database is still there, `data` if the copy isn't zumod's.
    public func run(on configuration: Configuration) async throws(CommandFault) -> String {
        switch (configuration.database, backup) {
        case (.sqliteInMemory, _):
            throw .usage("a database in memory begins anew with every server; there is nothing to restore")
        case (.sqlite, nil):
            throw .usage("name the copy that zumod backup made")
        case (.sqlite(let path), let backup?):
            return try await bring(backup, to: path, configuration)
        case (.postgres(let url), nil):
            guard try await Self.isOfZumod(url) else {
                throw .data(
                    "the database was never served by zumod: run pg_restore first, or see which one database.url names")
            }
            let full = try await moveNumbersOn(configuration)
            return Self.words("the numbers have moved on: start the servers", full)
        case (.postgres(let url), let backup?):
            throw .usage(
                """
                PostgreSQL brings its backups back itself. Into an empty database
                pg_restore --exit-on-error --no-owner --dbname='\(DatabaseLocation.withoutPassword(url))' '\(backup)'
                and then `zumod restore`, without a file
                """)
        }
    }

    private func bring(
        _ backup: String, to path: String, _ configuration: Configuration
    ) async throws(CommandFault) -> String {
        try OutputFile.makeFolder(of: path)
        // What is left of another database's log would be taken for this one's.
        for ending in ["", "-wal", "-shm"] { try OutputFile.refuseExisting(path + ending) }
        let draft = OutputFile.draftPath(of: path)
        let full: [String]
        do throws(CommandFault) {
            guard try Self.copy(backup, to: draft) else { throw .data("\(backup) is no database of zumod") }
            var configuration = configuration
            configuration.database = .sqlite(path: draft)
            full = try await moveNumbersOn(configuration)
            try OutputFile.sync(draft)
            try OutputFile.publish(draft, as: path)
        } catch {
            OutputFile.discard(draft)
            throw error
        }
        return Self.words("restored to \(path), and its numbers have moved on: start the server", full)
    }

    /// - Parameter full: what there was no room for.
    private static func words(_ done: String, _ full: [String]) -> String {
        full.isEmpty ? done : "\(done)\nbut not all of them:\n\(full.map { "- \($0)" }.joined(separator: "\n"))"
    }

    /// - Returns: false if the file is another program's, or empty.
    private static func copy(_ backup: String, to draft: String) throws(CommandFault) -> Bool {
        let hasLog = unsafe access(backup + "-wal", F_OK) == 0
        // SQLite writes beside what it reads, which a folder of backups may not allow; a whole file needs no SQLite.
        if !hasLog { try OutputFile.copy(backup, to: draft) }
        do throws(TableError) {
            if hasLog { try SQLiteBackup.copy(backup, to: draft) }
            return try SQLiteBackup.isOfZumod(draft)
        } catch {
            throw .application(StartFault(error))
        }
    }

    private static func isOfZumod(_ url: String) async throws(CommandFault) -> Bool {
        do throws(TableError) {
            return try await PostgresTableStore.isOfZumod(url)
        } catch {
            throw .application(StartFault(error))
        }
    }

    private func moveNumbersOn(_ configuration: Configuration) async throws(CommandFault) -> [String] {
        try await OperatorDatabase.using(configuration) { database throws(CommandFault) in
            do throws(TableError) {
                return try await database.store.moveNumbersOn(by: Self.lead)
            } catch {
                throw .application(StartFault(error))
            }
        }
    }
}
