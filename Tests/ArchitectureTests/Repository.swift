import Foundation

/// The files of this package, as they lie on the disk beside this test.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path(percentEncoded: false))
    }

    /// All Swift files below a folder, by their paths from the root.
    static func swiftFiles(below folder: String) -> [String] { files(below: folder, endingIn: [".swift"]) }

    static func files(below folder: String, endingIn endings: [String]) -> [String] {
        let start = root.appending(path: folder).path(percentEncoded: false)
        let paths = FileManager.default.enumerator(atPath: start)?.compactMap { $0 as? String } ?? []
        return paths.filter { path in endings.contains { path.hasSuffix($0) } }.sorted().map { "\(folder)/\($0)" }
    }
}
