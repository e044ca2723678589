import Foundation
import Tables

/// The folder of a database file, where SQLite also keeps its log.
enum SQLiteFolder {
    /// Checks that the folder exists or can be created, and that files can be created in it, without creating anything.
    /// - Throws: `unavailable` with the reason.
    static func check(_ location: SQLiteLocation) throws(TableError) {
        guard case .file(let path) = location else { return }
        let files = FileManager.default
        let folder = URL(filePath: path).deletingLastPathComponent().path
        var nearest = folder
        while !files.fileExists(atPath: nearest), nearest.count > 1 {
            nearest = URL(filePath: nearest).deletingLastPathComponent().path
        }
        var isFolder: ObjCBool = false
        guard unsafe files.fileExists(atPath: nearest, isDirectory: &isFolder), isFolder.boolValue else {
            throw .unavailable(detail: "the folder \(folder) can't be made: \(nearest) is no folder")
        }
        guard files.isWritableFile(atPath: nearest) else {
            let verb = nearest == folder ? "written" : "made"
            throw .unavailable(
                detail: "the folder \(folder) can't be \(verb): \(nearest) may not be written by this user")
        }
        if files.fileExists(atPath: path), !files.isWritableFile(atPath: path) {
            throw .unavailable(detail: "the file \(path) may not be written by this user")
        }
    }
}
