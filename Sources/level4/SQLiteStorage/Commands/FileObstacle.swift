import Foundation
import Platform
import Tables

/// Explains why this process can't use a database file, such as one on a volume with another owner or a wrong path.
enum FileObstacle {
    /// - Parameter error: the error of SQLite or of the system, which names no path.
    /// - Returns: the error with path, owner and remedy, if these are the problem.
    static func explained(_ error: TableError, at location: SQLiteLocation) -> TableError {
        switch (error, location) {
        case (.unavailable, .file(let path)), (.failed, .file(let path)):
            sentence(about: path).map { .unavailable(detail: $0) } ?? error
        default: error
        }
    }

    /// Returns the error for a database file that isn't found: either it doesn't exist, or it can't be looked up.
    static func absence(of path: String) -> TableError {
        .unavailable(
            detail: ReadObstacle.sentence(about: path).map { "\(path) \($0)" } ?? "there is no database \(path)")
    }

    private static func sentence(about path: String) -> String? {
        var folder = folder(of: path)
        while status(of: folder) == nil, folder != "/", folder != "." { folder = Self.folder(of: folder) }
        if let found = status(of: folder), found.st_mode & S_IFMT != S_IFDIR {
            return "\(path) can't be the database: \(folder) is no folder"
        }
        // SQLite creates its log and its index next to the file.
        if let sentence = refusal(to: folder, W_OK | X_OK) { return sentence }
        if let found = status(of: path), found.st_mode & S_IFMT == S_IFDIR {
            return "\(path) can't be the database: it is a folder"
        }
        for file in [path, path + "-wal", path + "-shm"] where status(of: file) != nil {
            if let sentence = refusal(to: file, R_OK | W_OK) { return sentence }
        }
        return nil
    }

    private static func refusal(to path: String, _ wish: Int32) -> String? {
        guard unsafe access(path, wish) != 0 else { return nil }
        if errno == EROFS {
            return "\(path) lies on a file system that is mounted to be read only: mount a volume to keep rows in"
        }
        guard let found = status(of: path) else { return nil }
        let mode = String(found.st_mode & 0o7777, radix: 8)
        let (user, group) = (geteuid(), getegid())
        let remedy =
            found.st_uid == user
            ? "chmod u+rwX \(ShellWord.quoted(path))"
            : "chown -R \(user):\(group) \(ShellWord.quoted(path)), or run it as that user"
        return """
            \(path) belongs to user \(found.st_uid) and group \(found.st_gid) with mode \(mode), so that this process, \
            user \(user) and group \(group), can't write there: \(remedy)
            """
    }

    /// Whether a file is whole by itself, without a log, and can only be read: SQLite can write nothing next to it, and
    /// no server that this process shares it with does.
    static func isSealed(_ path: String) -> Bool {
        guard unsafe access(path, R_OK) == 0, (status(of: path + "-wal")?.st_size ?? 0) == 0 else { return false }
        return unsafe access(path, W_OK) != 0 || access(folder(of: path), W_OK | X_OK) != 0
    }

    static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

extension SQLiteConnection {
    /// Opens an existing file for reading.
    /// - Throws: `unavailable` if it doesn't exist.
    convenience init(reading path: String) throws(TableError) {
        guard FileManager.default.fileExists(atPath: path) else { throw FileObstacle.absence(of: path) }
        try self.init(.file(path), role: .reader)
        do { try checkEncoding(of: path) } catch { throw FileObstacle.explained(error, at: .file(path)) }
    }

    /// Opens an existing file for reading, even where nothing can be written next to it, as where backups are kept.
    static func examining(_ path: String) throws(TableError) -> SQLiteConnection {
        guard FileObstacle.isSealed(path) else { return try SQLiteConnection(reading: path) }
        let connection = try SQLiteConnection(.file(path), role: .sealedReader)
        try connection.checkEncoding(of: path)
        return connection
    }
}
