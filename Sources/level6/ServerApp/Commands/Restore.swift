public import Operating
import Platform
import PostgresStorage
import SQLiteStorage
public import ServerConfiguration
import Tables

/// `zumod restore`: restores a database from a backup.
///
/// Devices have seen versions, and ids of numbered tables, that were assigned after the backup. If they were assigned
/// again, a device's edit of a row it knows would pass for an edit of the current row, so the numbers move on first.
public enum Restore {
    /// More than was assigned between a backup and its use: versions for 49 days at a thousand a second; ids that still
    /// fit the 32 bits in which clients keep them; an hour of stamps, which get ahead of the clock by a millisecond per
    /// row when many rows are written at once.
    static let lead = NumberGap(versions: 1 << 32, ids: 1_000_000, milliseconds: 3_600_000)

    /// On SQLite, puts the copy in place of the database; then moves the numbers on. No server may be running on it.
    /// - Parameter backup: a copy made by `zumod backup`; nil if the database has been restored already.
    /// - Returns: a summary, in sentences.
    /// - Throws: `file` if the database still exists, `data` if the copy isn't zumod's.
    public static func run(
        on configuration: Configuration, from backup: String?
    ) async throws(CommandFault) -> String {
        switch (configuration.database, backup) {
        case (.sqliteInMemory, _):
            throw .usage("a database in memory begins anew with every server; there is nothing to restore")
        case (.sqlite, nil):
            throw .usage("name the copy that zumod backup made")
        case (.sqlite(let path), let backup?):
            return try await bring(backup, to: path, configuration)
        case (.postgres(let url), nil):
            guard try await CommandFault.asking(await PostgresTableStore.isOfZumod(url)) else {
                throw .data(
                    "the database was never served by zumod: run pg_restore first, or see which one database.url names")
            }
            guard try await CommandFault.asking(await !PostgresTableStore.isServed(url)) else {
                throw .application(
                    .database(
                        """
                        a server runs on it, and may have given devices numbers that they already have from after the \
                        backup: stop all servers, and begin again with pg_restore
                        """))
            }
            let full = try await moveNumbersOn(configuration)
            return words("the numbers have moved on: start the servers", full)
        case (.postgres(let url), let backup?):
            throw .usage(
                """
                PostgreSQL brings its backups back itself. Into an empty database
                pg_restore --exit-on-error --no-owner \
                --dbname=\(ShellWord.always(DatabaseLocation.withoutPassword(url))) \(ShellWord.path(backup))
                and then `zumod restore`, without a file
                """)
        }
    }

    private static func bring(
        _ backup: String, to path: String, _ configuration: Configuration
    ) async throws(CommandFault) -> String {
        try OutputFile.makeFolder(of: path)
        // The leftover log of another database would be taken for this one's.
        for ending in ["", "-wal", "-shm"] { try OutputFile.refuseExisting(path + ending) }
        let draft = OutputFile.draftPath(of: path)
        let full: [String]
        do throws(CommandFault) {
            guard try copy(backup, to: draft, for: path) else { throw .data("\(backup) is no database of zumod") }
            var configuration = configuration
            configuration.database = .sqlite(path: draft)
            full = try await moveNumbersOn(configuration)
            try OutputFile.sync(draft)
            try OutputFile.publish(draft, as: path)
        } catch {
            OutputFile.discard(draft)
            throw error
        }
        return words("restored to \(path), and its numbers have moved on: start the server", full)
    }

    /// - Parameter full: the numbers that could not be moved on.
    private static func words(_ done: String, _ full: [String]) -> String {
        full.isEmpty ? done : "\(done)\nbut not all of them:\n\(full.map { "- \($0)" }.joined(separator: "\n"))"
    }

    /// - Returns: false if the file belongs to another program, or is empty.
    private static func copy(
        _ backup: String, to draft: String, for path: String
    ) throws(CommandFault) -> Bool {
        if unsafe access(backup + "-wal", F_OK) == 0 {
            do throws(SQLiteBackup.Fault) { try SQLiteBackup.copy(backup, to: draft) } catch {
                throw CommandFault(error, copying: backup, to: path)
            }
        } else {
            // SQLite writes next to the file it reads, which a backup folder may forbid; a whole file needs no SQLite.
            try OutputFile.copy(backup, to: draft)
        }
        do throws(TableError) { return try SQLiteBackup.isOfZumod(draft) } catch {
            throw .application(StartFault(error, in: backup, readFrom: draft))
        }
    }

    private static func moveNumbersOn(_ configuration: Configuration) async throws(CommandFault) -> [String] {
        try await OperatorDatabase.using(configuration, creates: true) { database throws(CommandFault) in
            try await CommandFault.asking(await database.store.moveNumbersOn(by: lead))
        }
    }
}
