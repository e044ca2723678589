/// The state of a file when it was examined, following links.
public struct FileState: Equatable, Sendable {
    private let path: String
    /// The facts; nil if there is no file, or a folder on the way to it is inaccessible.
    private let facts: Facts?

    private struct Facts: Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let modified: [Int]
        /// When its owner, permissions or contents last changed.
        let changed: [Int]
    }

    /// Examines a file.
    public init(_ path: String) {
        self.path = path
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            facts = nil
            return
        }
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        facts = Facts(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino),
            size: Int64(status.st_size), modified: [modified.tv_sec, modified.tv_nsec],
            changed: [changed.tv_sec, changed.tv_nsec])
    }

    /// Returns whether there is a file that is not a folder, a pipe or a device.
    public static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns whether there is a folder, even if this process may not read it.
    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
