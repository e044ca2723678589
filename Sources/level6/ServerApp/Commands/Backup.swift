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
            let name = ShellWord.always(DatabaseLocation.withoutPassword(url))
            throw .usage(
                """
                zumod backs up SQLite; for this PostgreSQL database use
                pg_dump --format=custom --file=\(ShellWord.path(path)) --dbname=\(name)
                """)
        }
        try OutputFile.refuseExisting(path)
        let draft = OutputFile.draftPath(of: path)
        do throws(CommandFault) {
            do throws(SQLiteBackup.Fault) { try SQLiteBackup.copy(source, to: draft) } catch {
                throw CommandFault(error, copying: source, to: path)
            }
            try OutputFile.sync(draft)
            try OutputFile.publish(draft, as: path)
        } catch {
            OutputFile.discard(draft)
            throw error
        }
    }
}

extension CommandFault {
    /// - Parameters:
    ///   - source: the database, as the operator names it.
    ///   - target: the copy.
    init(_ fault: SQLiteBackup.Fault, copying source: String, to target: String) {
        switch fault {
        case .source(let error): self = .application(StartFault(error, in: source))
        case .target(.full): self = .file("\(target) can't be written: there is no room for it")
        case .target(let error): self = .file("\(target) can't be written: \(error.detail)")
        }
    }
}

extension StartFault {
    /// - Parameters:
    ///   - path: the file that the error is about, as the operator names it.
    ///   - copy: the copy of it that was read; nil if there is none.
    init(_ error: TableError, in path: String, readFrom copy: String? = nil) {
        guard case .database(var sentence) = StartFault(error) else {
            self = StartFault(error)
            return
        }
        if let copy { sentence.replace(copy, with: path) }
        let isNamed = sentence.hasPrefix(path) || sentence.hasSuffix(path)
        self = .database(isNamed ? sentence : "\(path): \(sentence)")
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
