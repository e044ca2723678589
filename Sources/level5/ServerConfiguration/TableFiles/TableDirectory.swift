import Access
import Foundation
import Scripts
import TableOperations
import Tables
import Webhooks

/// Reads the table definitions of a configuration: one file for each in `config/tables`.
struct TableDirectory {
    /// The configuration that tables are added to, which has the defaults for all of them.
    private(set) var configuration: Configuration
    /// The original configuration, so that no file copies what earlier ones have added.
    private let defaults: Configuration
    private(set) var faults: [ConfigurationFault] = []
    private var containers: [LegacyContainer.Holder] = []
    /// The tables that are open to everyone because their files don't mention access.
    private(set) var openTables: [ConfigurationFault] = []

    init(_ configuration: Configuration) {
        self.configuration = configuration
        defaults = configuration
    }

    /// - Parameters:
    ///   - directory: nil if only scripts define tables.
    ///   - scripts: the definitions in scripts, which files override.
    mutating func read(_ directory: String?, scripts: ScriptHost?) {
        var entries: [String] = []
        if let directory { faults += .of(entries = try OperatorFiles.names(in: directory)) }
        var merged: Set<Identifier> = []
        let directory = directory ?? ""
        var firstFiles: [Identifier: String] = [:]
        var seedFiles: Set<String> = []
        for entry in entries.sorted() where ["yaml", "yml", "json"].contains(Self.extension(of: entry)) {
            var file = TableFile(directory: directory, entry: entry, defaults: defaults)
            if let scripts,
                let script = scripts.inventory.tables.first(where: {
                    !$0.isAssumed && $0.isBeside(file.stem, scripts.project)
                })
            {
                file.read(over: script, in: scripts.project.root, isFile: true)
                if let name = Identifier(script.name) { merged.insert(name) }
            } else {
                file.read()
            }
            take(file, &firstFiles)
            if let seedFile = file.seedFile { seedFiles.insert(seedFile) }
        }
        for script in scripts?.inventory.tables ?? [] {
            guard let name = Identifier(script.name), !merged.contains(name) else { continue }
            // The rules and rows of a script next to another table's file apply only to that table.
            if firstFiles[name] != nil { continue }
            var file = TableFile(
                directory: scripts?.project.root ?? directory, entry: script.file, defaults: defaults)
            file.read(over: script, in: scripts?.project.root ?? directory, isFile: false)
            take(file, &firstFiles)
        }
        faults += LegacyContainer.faults(of: containers)
        noteStrangers(entries.sorted(), in: directory, seedFiles: seedFiles)
    }

    /// Reads the built-in table.
    mutating func readSample() {
        var file = TableFile(directory: "built in", entry: "TodoItem.yaml", defaults: defaults)
        file.read(SampleConfiguration.table.text)
        var firstFiles: [Identifier: String] = [:]
        take(file, &firstFiles)
    }

    private mutating func take(_ file: TableFile, _ firstFiles: inout [Identifier: String]) {
        faults += file.faults
        configuration.notes += file.notes
        guard let definition = file.definition else { return }
        if let first = firstFiles[definition.name] {
            let sentence = "table \(definition.name) is defined in \(first) too; names match in any case"
            return faults.append(.file(file.path, sentence))
        }
        firstFiles[definition.name] = file.path
        configuration.tables.append(definition)
        containers.append(LegacyContainer.Holder(table: definition.name, path: file.path, container: file.container))
        configuration.access[definition.name] = file.access.rules
        configuration.accessSources[definition.name] = Operation.allCases.map {
            AccessSource($0, file.access.applied(to: $0))
        }
        configuration.behaviours[definition.name] = file.behaviour.behaviour
        configuration.webhooks[definition.name] = file.behaviour.webhook
        configuration.tombstones[definition.name] = file.tombstones
        // If rows have owners, every operation requires a user.
        if file.access.isSilent, file.behaviour.behaviour.ownerColumn == nil {
            openTables.append(.silentAccess(file.path, "the table \(definition.name)"))
        }
    }

    /// Reports files that look like definitions but are not read.
    private mutating func noteStrangers(_ entries: [String], in directory: String, seedFiles: Set<String>) {
        for entry in entries where !entry.hasPrefix(".") && !seedFiles.contains(entry) {
            let sentence: String
            switch Self.extension(of: entry) {
            case "yaml", "yml", "json", "js": continue
            case "jsonl": sentence = "no table is seeded from this file"
            default: sentence = "is not read; a definition is .yaml, .yml or .json"
            }
            configuration.notes.append(.file("\(directory)/\(entry)", sentence))
        }
    }

    private static func `extension`(of entry: String) -> String {
        guard let dot = entry.lastIndex(of: "."), !entry.hasPrefix(".") else { return "" }
        return entry[entry.index(after: dot)...].lowercased()
    }
}
