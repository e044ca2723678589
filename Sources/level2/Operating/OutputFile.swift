import Platform

/// A file that appears under its name only when it is complete and synced; or standard output.
package struct OutputFile: ~Copyable {
    /// The final path; nil for standard output.
    let path: String?
    private let descriptor: Int32
    /// The temporary path while the file is being written; nil once it has its own.
    private var draft: String?

    private init(path: String?, descriptor: Int32, draft: String?) {
        self.path = path
        self.descriptor = descriptor
        self.draft = draft
    }

    /// Creates a file under a temporary name.
    /// - Parameter path: nil for standard output.
    /// - Throws: `file` if it already exists or can't be created.
    package static func begin(_ path: String?) throws(CommandFault) -> OutputFile {
        guard let path else { return OutputFile(path: nil, descriptor: STDOUT_FILENO, draft: nil) }
        try refuseExisting(path)
        let draft = draftPath(of: path)
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file("\(path) can't be made: \(reason)") }
        return OutputFile(path: path, descriptor: descriptor, draft: draft)
    }

    deinit {
        guard path != nil else { return }
        _ = close(descriptor)
        if let draft { _ = unsafe unlink(draft) }
    }

    /// Writes all of the bytes.
    package func write(_ bytes: [UInt8]) throws(CommandFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Platform.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .file("\(path ?? "standard output") can't be written: \(Self.reason)") }
            rest.removeFirst(count)
        }
    }

    /// Syncs the file and gives it its name.
    /// - Throws: `file` if another file has taken the name.
    package consuming func publish() throws(CommandFault) {
        guard let path, let draft else { return }
        guard fsync(descriptor) == 0 else { throw .file("\(path) can't be written: \(Self.reason)") }
        try Self.publish(draft, as: path)
        self.draft = nil
    }

    /// Returns a temporary path for a file that is being written.
    package static func draftPath(of path: String) -> String {
        // Random, because in containers every process has the same id.
        "\(path).partial-\(String(UInt32.random(in: .min ... .max), radix: 16))"
    }

    /// Removes an unfinished file, with any SQLite companion files.
    package static func discard(_ draft: String) {
        for ending in ["", "-journal", "-wal", "-shm"] { _ = unsafe unlink(draft + ending) }
    }

    /// Syncs a file that another program wrote.
    package static func sync(_ draft: String) throws(CommandFault) {
        let descriptor = unsafe open(draft, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("\(draft) can't be opened: \(reason)") }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .file("\(draft) can't be written: \(reason)") }
    }

    /// Copies a file, byte by byte, to a path that doesn't exist yet.
    package static func copy(_ source: String, to target: String) throws(CommandFault) {
        let input = unsafe open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw .file("\(source) can't be read: \(reason)") }
        defer { _ = close(input) }
        let output = try begin(target)
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = unsafe read(input, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file("\(source) can't be read: \(reason)") }
            if count == 0 { break }
            try output.write(Array(piece[..<count]))
        }
        try output.publish()
    }

    /// Creates the folder of a path if it doesn't exist, accessible only to its owner.
    package static func makeFolder(of path: String) throws(CommandFault) {
        let folder = folder(of: path)
        guard unsafe access(folder, F_OK) != 0 else { return }
        try makeFolder(of: folder)
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .file("\(folder) can't be made: \(reason)")
        }
    }

    /// Throws if a path exists, or if no file can be created in its folder.
    package static func refuseExisting(_ path: String) throws(CommandFault) {
        guard unsafe access(folder(of: path), W_OK) == 0 else { throw .file("\(path) can't be made: \(reason)") }
        if unsafe access(path, F_OK) == 0 { throw .file("\(path) exists already and is not overwritten") }
    }

    /// Gives a synced file its final name, never replacing another, and makes the name durable.
    package static func publish(_ draft: String, as path: String) throws(CommandFault) {
        if unsafe link(draft, path) == 0 {
            _ = unsafe unlink(draft)
        } else {
            // Some file systems have no hard links.
            guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else {
                throw .file("\(path) can't be made: \(reason)")
            }
            try refuseExisting(path)
            guard unsafe rename(draft, path) == 0 else { throw .file("\(path) can't be made: \(reason)") }
        }
        let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { _ = close(descriptor) }
        // Some file systems can't sync a folder, and don't need to.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw .file("\(path) is written, but its name may get lost: \(reason)")
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The system's message for the last error.
    package static var reason: String {
        unsafe String(cString: strerror(errno))
    }
}
