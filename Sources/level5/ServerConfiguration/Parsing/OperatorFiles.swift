import Foundation
import Platform

/// Reads files and folders named by an operator, and says why if one can't be read.
enum OperatorFiles {
    /// Returns the names in a folder; empty if there is no such folder.
    static func names(in folder: String) throws(ConfigurationFault) -> [String] {
        guard !ReadObstacle.isAbsent(folder) else { return [] }
        if let obstacle = ReadObstacle.sentence(about: folder) {
            throw ConfigurationFault.file(folder, obstacle)
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw ConfigurationFault.file(folder, "is no folder")
        }
        return names
    }

    /// Returns the fault of a file that can't be read as text.
    static func fault(of path: String) -> ConfigurationFault {
        ConfigurationFault.file(path, ReadObstacle.sentence(about: path) ?? "can't be read as UTF-8 text")
    }
}
