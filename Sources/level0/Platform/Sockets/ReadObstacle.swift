/// Explains why this process can't read what an operator named: who owns it and what is denied, or that it is absent.
public enum ReadObstacle {
    /// - Returns: nil if nothing prevents it, or nothing exists at the path.
    public static func sentence(about path: String) -> String? {
        var status = stat()
        if unsafe stat(path, &status) != 0 {
            let code = errno
            if code == EACCES, let folder = closedFolder(above: path) {
                return "can't be read: the folder \(folder.path) \(owner(folder.status)), can't enter it"
            }
            return code == ENOENT || code == ENOTDIR ? nil : "can't be read: \(unsafe String(cString: strerror(code)))"
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard unsafe access(path, isFolder ? R_OK | X_OK : R_OK) != 0 else { return nil }
        guard errno == EACCES else { return "can't be read: \(unsafe String(cString: strerror(errno)))" }
        return "can't be read: it \(owner(status)), can't read it"
    }

    /// Returns whether nothing exists at a path, as opposed to being inaccessible.
    public static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    private static func closedFolder(above path: String) -> (path: String, status: stat)? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        while !parts.isEmpty {
            let folder = parts.joined(separator: "/")
            var status = stat()
            if unsafe stat(folder.isEmpty ? "/" : folder, &status) == 0 {
                return unsafe access(folder.isEmpty ? "/" : folder, X_OK) == 0 ? nil : (folder, status)
            }
            parts = parts.dropLast()
        }
        var status = stat()
        return unsafe stat(".", &status) == 0 ? (".", status) : nil
    }

    private static func owner(_ status: stat) -> String {
        let mode = String(status.st_mode & 0o7777, radix: 8)
        return """
            belongs to user \(status.st_uid) and group \(status.st_gid) with mode \(mode), so that this process, \
            user \(geteuid()) and group \(getegid())
            """
    }
}
