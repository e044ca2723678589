import Foundation
public import Operating
import SQLiteStorage
public import ServerConfiguration
import Tables

/// `zumod backup`: makes a consistent copy of a SQLite database while its server keeps running.
public enum Backup {
    /// Makes the copy, which gets its name only when it is complete and on disk.
    /// - Parameter path: the path of the copy; nothing may exist there yet.
    public static func run(on configuration: Configuration, to path: String) async throws(CommandFault) {
        let source: String
        switch configuration.database {
        case .sqlite(let path): source = path
        case .sqliteInMemory: throw .usage("a database in memory ends with its server; there is nothing to back up")
        case .postgres(let url):
            throw .usage(
                """
                zumod backs up SQLite; for this PostgreSQL database use
                pg_dump --format=custom --file='\(path)' --dbname='\(DatabaseLocation.withoutPassword(url))'
                """)
        }
        try OutputFile.refuseExisting(path)
        let draft = OutputFile.draftPath(of: path)
        do throws(CommandFault) {
            try await CommandFault.asking(SQLiteBackup.copy(source, to: draft))
            try OutputFile.sync(draft)
            try OutputFile.publish(draft, as: path)
        } catch {
            OutputFile.discard(draft)
            throw error
        }
    }
}

extension DatabaseLocation {
    /// Returns a PostgreSQL URL without its password.
    static func withoutPassword(_ url: String) -> String {
        var shown = url
        if let scheme = shown.range(of: "://") {
            let authority = shown[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
            if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
                shown.removeSubrange(colon..<at)
            }
        }
        guard let query = shown.firstIndex(of: "?") else { return shown }
        let options = shown[shown.index(after: query)...].split(separator: "&").filter {
            !$0.lowercased().hasPrefix("password=") && !$0.lowercased().hasPrefix("sslpassword=")
        }
        return String(shown[..<query]) + (options.isEmpty ? "" : "?\(options.joined(separator: "&"))")
    }
}
