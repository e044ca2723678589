import Foundation
import Scripts
import Tables

/// Reads the definition of one table. The keys are those of the Azure Node SDK and of Easy Tables files.
struct TableFile {
    let path: String
    private(set) var faults: [ConfigurationFault] = []
    private(set) var notes: [ConfigurationFault] = []
    /// The definition; nil if it has no valid name.
    private(set) var definition: TableDefinition?
    /// The name of the accompanying file with the first rows.
    private(set) var seedFile: String?

    /// Where the old server kept its rows.
    private(set) var container = LegacyContainer()

    /// How long tombstones are kept; nil for forever.
    private(set) var tombstones: Duration?

    private let directory: String
    let stem: String
    private let defaults: Configuration
    private(set) var access = TableAccess()
    private(set) var behaviour: BehaviourDeclaration

    init(directory: String, entry: String, defaults: Configuration) {
        self.directory = directory
        self.path = "\(directory)/\(entry)"
        self.stem = String(entry[..<(entry.lastIndex(of: ".") ?? entry.endIndex)])
        self.defaults = defaults
        behaviour = BehaviourDeclaration(webhookSecret: defaults.webhookSecret)
    }

    /// - Parameter text: the content of the file, if it isn't on disk.
    mutating func read(_ text: String? = nil) {
        faults += .of(interpret(try YAMLFile.members(of: path, holding: text)))
    }

    /// Reads the file on top of what a script says.
    /// - Parameters:
    ///   - script: the script next to the file, or in place of it.
    ///   - root: the folder of the scripts.
    mutating func read(over script: ScriptedTable, in root: String, isFile: Bool) {
        faults += .of(
            interpret(try script.written(in: root).overlaid(by: isFile ? try YAMLFile.members(of: path) : [])))
        // A table under another name would be open to callers whom the script keeps out.
        guard let name = definition?.name, name != Identifier(script.name) else { return }
        faults.append(
            .file(
                path, key: "name",
                "is \(name), and the script \(script.file) beside it serves \(script.name): say the name there too, "
                    + "as in table.name = '\(name)'"))
    }

    private mutating func interpret(_ members: [ConfigurationValue.Member]) {
        let written = members.filter { !$0.value.isEmpty }
        guard let name = name(in: written) else { return }
        var table = TableDefinition(name: name)
        table.rules.pageSize = defaults.pageSize
        table.rules.maxTop = defaults.maxTop
        for member in members where !Self.keys.contains(member.name) {
            faults.append(.unknownKey(member, among: Self.keys))
        }
        for member in written { faults += .of(try apply(member, to: &table)) }
        faults += behaviour.finish(&table)
        faults += .of(try Self.addIndexes(to: &table, written))
        readSeed(of: &table, written: written)
        definition = table
    }

    private mutating func name(in members: [ConfigurationValue.Member]) -> Identifier? {
        let written = members.first { $0.name == "name" }?.value
        guard case .some(.text(let text, _)) = written?.form ?? .text(stem, quoted: false),
            let name = Identifier(text)
        else {
            let sentence = "a table's name has to be a letter or _ and then letters, digits and _, at most 128"
            faults.append(written?.fault(sentence) ?? ConfigurationFault.file(path, sentence))
            return nil
        }
        return name
    }

    private static let keys =
        [
            "name", "databaseTableName", "containerName", "schema", "columns", "dynamicSchema", "softDelete",
            "autoIncrement", "pageSize", "maxTop", "access", "authorize", "disable", "indexes", "seed", "tombstones",
        ] + BehaviourDeclaration.keys + Operation.allCases.map(\.rawValue)

    private mutating func apply(
        _ member: ConfigurationValue.Member, to table: inout TableDefinition
    ) throws(ConfigurationFault) {
        let value = member.value
        switch member.name {
        case "columns": table.columns = columns(in: try value.members())
        case "dynamicSchema": table.rules.dynamicSchema = try value.boolean()
        case "softDelete": table.rules.softDelete = try value.boolean()
        case "autoIncrement": table.rules.autoIncrement = try value.boolean()
        case "pageSize": table.rules.pageSize = try value.whole(in: PageRules.pageSizes)
        case "maxTop": table.rules.maxTop = try value.whole(in: PageRules.maxTops)
        case "access", "authorize", "disable": try access.applyToTable(member)
        case "read", "insert", "update", "delete", "undelete":
            if let operation = Operation(rawValue: member.name) {
                faults += access.apply(try value.members(), to: operation)
            }
        case "databaseTableName", "containerName", "schema":
            try container.take(member)
            notes.append(value.fault("has no effect here: a table is stored under its own name"))
        case "tombstones": tombstones = try RetentionDeclaration.read(value)
        default: try behaviour.apply(member)
        }
    }

    private mutating func columns(in members: [ConfigurationValue.Member]) -> [Column] {
        var columns: [Column] = []
        for member in members { faults += .of(try add(member, to: &columns)) }
        if columns.count > Table.maximumColumns, let first = members.first {
            faults.append(first.value.fault("a table has at most \(Table.maximumColumns) columns"))
        }
        return columns
    }

    private mutating func add(
        _ member: ConfigurationValue.Member, to columns: inout [Column]
    ) throws(ConfigurationFault) {
        let name = try ColumnDeclaration.name(of: member, after: columns)
        let written = try ColumnDeclaration(member.value)
        columns.append(Column(name, written.type))
        if let required = written.required { try behaviour.require(name, required) }
    }

    private static func addIndexes(
        to table: inout TableDefinition, _ written: [ConfigurationValue.Member]
    ) throws(ConfigurationFault) {
        for item in try written.first(where: { $0.name == "indexes" })?.value.list() ?? [] {
            table.indexes.append(try ColumnDeclaration.index(item, of: table))
        }
    }

    private mutating func readSeed(of table: inout TableDefinition, written: [ConfigurationValue.Member]) {
        var seed = SeedDeclaration(
            table: Table(name: table.name, columns: table.columns, rules: table.rules))
        if let value = written.first(where: { $0.name == "seed" })?.value {
            if case .text(let name, _) = value.form {
                seedFile = name
                seed.read(fileNamed: name, in: directory, for: value)
            } else {
                seed.read(value)
            }
        } else if FileManager.default.fileExists(atPath: "\(directory)/\(stem).jsonl") {
            seedFile = "\(stem).jsonl"
            seed.read(linesOf: "\(directory)/\(stem).jsonl")
        }
        table.seed = seed.rows
        faults += seed.faults
    }
}
