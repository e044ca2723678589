import HTTPModel
import OData
import Tables

/// The server's columns except the id, which answers to v1 clients contain only if requested.
struct SystemProperties: OptionSet {
    let rawValue: UInt8

    static let createdAt = SystemProperties(rawValue: 1)
    static let updatedAt = SystemProperties(rawValue: 2)
    static let version = SystemProperties(rawValue: 4)
    static let deleted = SystemProperties(rawValue: 8)

    /// The properties that a table has: none with numbered rows, `__deleted` with soft delete only.
    static func available(in table: Table) -> SystemProperties {
        if table.rules.autoIncrement { return [] }
        return table.rules.softDelete
            ? [.createdAt, .updatedAt, .version, .deleted] : [.createdAt, .updatedAt, .version]
    }

    /// What `__systemProperties` asks for: names in any case, with or without `__`, or just `*` for all. White space
    /// around a name and empty entries are ignored, as the original's suites expect.
    ///
    /// The parameter's own name may be in any case: iOS and JS write `__systemProperties`, .NET `__systemproperties`. A
    /// valid name of no column of the table is ignored.
    static func requested(of table: Table, in members: [QueryMember]) throws(RequestError) -> SystemProperties {
        var requested: SystemProperties = []
        for member in members where member.name.lowercased() == "__systemproperties" {
            requested.formUnion(try named(in: member.value))
        }
        return requested.intersection(available(in: table))
    }

    private static func named(in list: String) throws(RequestError) -> SystemProperties {
        let names = list.split(separator: ",").map(trimmed).filter { !$0.isEmpty }
        if names == ["*"] { return [.createdAt, .updatedAt, .version, .deleted] }
        var properties: SystemProperties = []
        for name in names {
            let plain = name.hasPrefix("__") ? name.dropFirst(2) : name
            guard let property = SystemProperties(SystemColumn(named: plain)) else {
                throw .services(.unknownSystemProperty(String(name)))
            }
            properties.formUnion(property)
        }
        return properties
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }

    /// - Returns: nil for the id, which is no system property.
    init?(_ column: SystemColumn?) {
        switch column {
        case .createdAt: self = .createdAt
        case .updatedAt: self = .updatedAt
        case .version: self = .version
        case .deleted: self = .deleted
        case .id, nil: return nil
        }
    }

    /// The property of a name that begins with `__`, in any case.
    init?(wireName name: String) {
        guard name.hasPrefix("__") else { return nil }
        self.init(SystemColumn(named: name.dropFirst(2)))
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}

/// The columns of an answer.
struct ServicesColumns {
    /// What to ask the store for; nil for all.
    var names: [SelectedName]?
    /// Which of the server's columns among them the client is shown.
    var shown: SystemProperties

    /// What `__systemProperties` asks for, and `$select`, which may name system properties too.
    init(of table: Table, select names: [SelectedName]?, _ members: [QueryMember]) throws(RequestError) {
        shown = try SystemProperties.requested(of: table, in: members)
        self.names = names
        guard let names else { return }
        let available = SystemProperties.available(in: table)
        for name in names {
            if let property = SystemProperties(SystemColumn(named: name.name)) {
                shown.formUnion(property.intersection(available))
            }
        }
        for column in SystemColumn.allCases {
            if let property = SystemProperties(column), shown.contains(property) { add(column) }
        }
    }

    /// Asks the store for one column more. What is named twice comes once.
    mutating func add(_ column: SystemColumn) {
        names?.append(SelectedName(column.rawValue, at: 0))
    }
}
