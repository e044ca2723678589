import Tables

/// A column in a definition: its type alone, or `{ type: …, required: … }`.
struct ColumnDeclaration {
    let type: ColumnType
    /// Whether rows need a value in it, not yet checked.
    let required: ConfigurationValue?

    init(_ value: ConfigurationValue) throws(ConfigurationFault) {
        guard case .members(let members) = value.form else {
            type = try Self.type(value)
            required = nil
            return
        }
        var type: ColumnType?
        var required: ConfigurationValue?
        for member in members where !member.value.isEmpty {
            switch member.name {
            case "type": type = try Self.type(member.value)
            case "required": required = member.value
            default: throw .unknownKey(member, among: ["type", "required"])
            }
        }
        guard let type else { throw value.fault("needs a type") }
        self.type = type
        self.required = required
    }

    static func name(
        of member: ConfigurationValue.Member, after columns: [Column]
    ) throws(ConfigurationFault) -> Identifier {
        if SystemColumn(named: member.name) != nil {
            throw member.value.fault("the server keeps this column in every table; take it out")
        }
        guard let name = Identifier(member.name) else {
            throw member.value.fault("a column's name has to be a letter or _ and then letters, digits and _")
        }
        guard !columns.contains(where: { $0.name == name }) else {
            throw member.value.fault("this column is defined twice; names match in any case")
        }
        return name
    }

    /// Reads a type by its name here or in the Node SDK, ignoring case.
    private static func type(_ value: ConfigurationValue) throws(ConfigurationFault) -> ColumnType {
        if case .text(let text, _) = value.form, let type = types[text.lowercased()] { return type }
        throw value.mismatch("one of string, number, integer, boolean, date, dateOnly, timeOnly, decimal")
    }

    private static let types: [String: ColumnType] = [
        "string": .string, "text": .string,
        "number": .number, "float": .number, "double": .number,
        "integer": .integer, "int": .integer,
        "boolean": .boolean, "bool": .boolean,
        "date": .date, "datetime": .date, "datetimeoffset": .date,
        "dateonly": .dateOnly, "timeonly": .timeOnly, "decimal": .decimal,
    ]

    /// Reads an index: a column, or a list of columns.
    static func index(
        _ value: ConfigurationValue, of table: TableDefinition
    ) throws(ConfigurationFault) -> [Identifier] {
        if case .text(let name, _) = value.form { return [try indexed(name, value, table)] }
        let items = try value.list()
        guard !items.isEmpty else { throw value.fault("an index needs a column") }
        var columns: [Identifier] = []
        for item in items { columns.append(try indexed(try item.text(), item, table)) }
        return columns
    }

    /// Returns a column to be indexed. With dynamic schema it may not exist yet, so any name is accepted there.
    private static func indexed(
        _ name: String, _ value: ConfigurationValue, _ table: TableDefinition
    ) throws(ConfigurationFault) -> Identifier {
        guard let identifier = Identifier(name) else { throw value.fault("`\(name)` is not a column's name") }
        let isKnown = SystemColumn(named: name) != nil || table.columns.contains { $0.name == identifier }
        guard isKnown || table.rules.dynamicSchema else {
            let known = table.columns.map(\.name.text) + SystemColumn.allCases.map(\.rawValue)
            let nearest = NearestName.of(name, among: known) ?? ""
            throw value.fault("the table has no column `\(name)`; did you mean \(nearest)?")
        }
        return identifier
    }
}
