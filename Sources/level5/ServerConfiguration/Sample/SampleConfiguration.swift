import Foundation
public import Operating

/// The configuration of `config/`, which is built in: it is served if there is no other, and is a starting point for
/// writing one.
public enum SampleConfiguration {
    /// A file of the sample.
    struct File {
        /// The path within a configuration directory.
        let path: String
        let text: String
    }

    static let table = File(
        path: "tables/TodoItem.yaml", text: String(decoding: PackageResources.TodoItem_yaml, as: UTF8.self))
    private static let settings = File(
        path: "zumod.yaml", text: String(decoding: PackageResources.zumod_yaml, as: UTF8.self))

    /// Writes the sample to a directory, which may already exist.
    /// - Returns: the paths of the files.
    /// - Throws: `file` if one of them exists or can't be written; existing files are then unchanged.
    public static func write(to directory: String) throws(CommandFault) -> [String] {
        let files = [settings, table].map { File(path: "\(directory)/\($0.path)", text: $0.text) }
        for file in files where FileManager.default.fileExists(atPath: file.path) {
            throw .file("\(file.path) is there already, and nothing was written; name another directory")
        }
        do {
            try FileManager.default.createDirectory(atPath: "\(directory)/tables", withIntermediateDirectories: true)
            for file in files {
                try Data(file.text.utf8).write(to: URL(filePath: file.path), options: .withoutOverwriting)
            }
        } catch {
            throw .file("\(directory) can't be written: \(error.localizedDescription)")
        }
        return files.map(\.path)
    }
}
