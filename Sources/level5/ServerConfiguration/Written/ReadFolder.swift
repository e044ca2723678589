import Foundation
import Platform

/// Reads what an operator named, and says why if it can't be read.
enum OperatorFiles {
    /// The names in a folder; none if there is no such folder.
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

    /// What is wrong with a file that is no text.
    static func fault(of path: String) -> ConfigurationFault {
        ConfigurationFault.file(path, ReadObstacle.sentence(about: path) ?? "can't be read as UTF-8 text")
    }
}
