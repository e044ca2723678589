import Foundation
import ServerConfiguration

/// A configuration directory of a test's own, gone with the test.
final class ConfigurationDirectory {
    let path: String

    /// - Parameter files: their contents by their paths in the directory.
    init(_ files: [String: String] = [:]) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "zumod-\(UUID().uuidString)")
            .path(percentEncoded: false)
        for folder in ["apis", "tables", "secrets"] {
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
        }
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)")) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func read(
        environment: [String: String] = [:], flags: [ConfigurationSources.Flag] = []
    ) throws(ConfigurationFaults) -> Configuration {
        try Configuration.read(from: ConfigurationSources(directory: path, environment: environment, flags: flags))
    }

    /// What is said to be wrong, with the directory's own path left out.
    func faults(environment: [String: String] = [:], flags: [ConfigurationSources.Flag] = []) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try read(environment: environment, flags: flags)
            return []
        } catch {
            return error.all.map { $0.description.replacingOccurrences(of: "\(path)/", with: "") }
        }
    }

    /// The same for one file of settings.
    static func faults(in settings: String) throws -> [String] {
        try ConfigurationDirectory(["zumod.yaml": settings]).faults()
    }
}
