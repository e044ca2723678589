import Platform

/// The permissions of a database's files, which contain password hashes and the key that seals links.
public enum FilePrivacy {
    /// Creates a file that only its owner can use, unless it exists. SQLite's log and index get the same mode.
    ///
    /// An existing file isn't opened: closing it would release the locks that this process holds on it.
    static func make(_ path: String) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // Any problem with the path is left to SQLite to report.
        if descriptor >= 0 { close(descriptor) }
    }

    /// Lists the files of a database that other users of the machine may read or write, a sentence with a remedy each.
    public static func exposures(of path: String) -> [String] {
        var sentences: [String] = []
        for file in [path, path + "-wal", path + "-shm"] {
            guard let mode = mode(of: file), mode & 0o077 != 0 else { continue }
            let deed = mode & 0o022 != 0 ? "read and change" : "read"
            sentences.append(
                """
                other users of this machine may \(deed) \(file), which holds secrets: \
                chmod 600 \(ShellWord.quoted(file))
                """)
        }
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        // With the sticky bit, users can remove only their own files.
        if let mode = mode(of: folder.isEmpty ? "/" : String(folder)), mode & 0o022 != 0, mode & 0o1000 == 0 {
            sentences.append(
                """
                other users of this machine may put files of theirs in the place of \(path): \
                chmod 700 \(ShellWord.quoted(String(folder)))
                """)
        }
        return sentences
    }

    /// - Returns: the permissions; nil if the file doesn't exist.
    private static func mode(of path: String) -> mode_t? {
        FileObstacle.status(of: path).map { $0.st_mode & 0o7777 }
    }
}
