import Foundation
import Platform
public import ServerConfiguration

/// A configuration that can be reread while its server runs.
public struct ConfigurationReading: Sendable {
    private let sources: ConfigurationSources
    private let absence: Configuration.Absence
    /// The states of its files and of scripts before it was first read: a change since then may not be what was read.
    private(set) var first: (files: [FileState], scripts: [FileState]) = ([], [])

    /// - Parameter absence: what to do if there is no configuration directory.
    public init(_ sources: ConfigurationSources, without absence: Configuration.Absence = .needsDatabase) {
        self.sources = sources
        self.absence = absence
        first = (state(), scriptState())
    }

    /// Reads and checks the configuration in its current state.
    public func read() throws(ConfigurationFaults) -> Configuration {
        try Configuration.read(from: sources, without: absence)
    }

    /// Returns a state by which changes to its files are detected. Key files are watched separately.
    func state() -> [FileState] {
        var files = sources.environment.filter { $0.key.hasPrefix("ZUMOD_") && $0.key.hasSuffix("_FILE") }
            .map(\.value).sorted()
        if let directory = sources.directory {
            files.append("\(directory)/zumod.yaml")
            for folder in ["tables", "apis"] {
                let entries = (try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(folder)")) ?? []
                files += entries.sorted().map { "\(directory)/\(folder)/\($0)" }
            }
        }
        return files.map(FileState.init) + scriptState()
    }

    /// Returns a state by which changes are detected to scripts and to files that they read when they start.
    func scriptState() -> [FileState] {
        let roots =
            sources.app.map { [$0] }
            ?? sources.directory.map { directory in
                ["tables", "api", "shared", "scheduler"].map { "\(directory)/\($0)" }
            } ?? []
        // Beside the folders of a configuration too.
        var files = (sources.app == nil ? sources.directory : nil).map { Self.marks(of: "\($0)/node_modules") } ?? []
        for root in roots {
            guard let walk = FileManager.default.enumerator(atPath: root) else { continue }
            for case let name as String in walk {
                if name.hasSuffix("node_modules") || name.hasSuffix(".git") {
                    walk.skipDescendants()
                    if name.hasSuffix("node_modules") { files += Self.marks(of: "\(root)/\(name)") }
                } else if name.hasSuffix(".js") || name.hasSuffix(".json") {
                    files.append("\(root)/\(name)")
                }
                if files.count == Self.mostFiles { break }
            }
        }
        return files.sorted().map(FileState.init)
    }

    /// What changes with each package that is installed in a folder: there are too many files to look at all of them.
    private static func marks(of modules: String) -> [String] { [modules, "\(modules)/.package-lock.json"] }

    /// The maximum number of script files that are watched.
    private static let mostFiles = 5_000
}
