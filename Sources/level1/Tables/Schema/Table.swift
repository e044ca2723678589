import ByteText

/// A table in its current state: its name, columns and rules. When the columns change there is a new `Table`.
public final class Table: Sendable {
    /// The name as it is defined.
    public let name: Identifier
    /// The table's own columns, in the order of their creation.
    public let columns: [Column]
    /// What may be done with the table, and how.
    public let rules: TableRules
    /// Whether clients made it, and no definition names it.
    public let isClients: Bool
    /// The columns of each index that was made for it, on a store that asks otherwise by what there is; else none.
    public let indexes: [[Field]]
    /// Whether the database currently lacks the table, or one of the server's columns in it, as it does while another
    /// program replaces it. Its columns are those from before, and its rows can't be reached.
    public let isAway: Bool
    /// All columns in their order on the wire: the system columns, then the table's own.
    public var fields: [Field] { layout.fields }
    /// The same columns, as whole rows have them.
    public let layout: RowLayout
    private let columnsByName: [Identifier: Column]

    /// Makes a table; of two columns with one name the first counts.
    public init(
        name: Identifier, columns: [Column], rules: TableRules, isClients: Bool = false, indexes: [[Field]] = [],
        isAway: Bool = false
    ) {
        self.name = name
        self.columns = columns
        self.rules = rules
        self.isClients = isClients
        self.indexes = indexes
        self.isAway = isAway
        layout = RowLayout(SystemColumn.allCases.map(Field.system) + columns.map(Field.own))
        self.columnsByName = Dictionary(columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// One of the table's own columns.
    public func column(_ name: Identifier) -> Column? {
        columnsByName[name]
    }

    /// One of the table's own columns by its name as it is defined, which most bodies have. Of many it finds none.
    func column(spelled name: String) -> Column? {
        guard columns.count <= 16 else { return nil }
        return columns.first { $0.name.text.isExactly(name) }
    }

    /// One of the table's own columns by its name in any case.
    public func column(named name: String) -> Column? {
        column(spelled: name) ?? Identifier(name).flatMap { column($0) }
    }

    /// Finds a system column or one of the table's own by its name in any case.
    public func field(named name: String) -> Field? {
        if let column = SystemColumn(named: name) { return .system(column) }
        guard let identifier = Identifier(name), let column = columnsByName[identifier] else { return nil }
        return .own(column)
    }

    /// The same table with more columns.
    public func adding(_ newColumns: [Column]) -> Table {
        Table(name: name, columns: columns + newColumns, rules: rules, isClients: isClients, indexes: indexes)
    }

    /// The same table, with the indexes that are known to have been created for it.
    public func indexed(by indexes: [[Field]]) -> Table {
        Table(name: name, columns: columns, rules: rules, isClients: isClients, indexes: indexes, isAway: isAway)
    }

    /// The table as the database has it now; itself if that is the same.
    /// - Parameter schema: what was found; nil if there is no such table.
    public func found(as schema: TableSchema?) -> Table {
        guard let schema, schema.isWhole, isClients || schema.hasIntegerID == rules.autoIncrement else {
            return isAway
                ? self
                : Table(
                    name: name, columns: columns, rules: rules, isClients: isClients, indexes: indexes, isAway: true)
        }
        var rules = rules
        // No definition says it of a client's table.
        if isClients { rules.autoIncrement = schema.hasIntegerID }
        // Names are equal in any case, and clients see how they are spelled.
        let isSame =
            !isAway && rules == self.rules && schema.columns == columns
            && schema.columns.map(\.name.text) == columns.map(\.name.text)
        if isSame { return self }
        return Table(name: name, columns: schema.columns, rules: rules, isClients: isClients, indexes: indexes)
    }
}

/// The rules of a table that its definition sets.
public struct TableRules: Sendable, Equatable {
    /// Unknown properties of a write add columns.
    public var dynamicSchema = true
    /// A delete leaves a tombstone that can be undeleted.
    public var softDelete = false
    /// Whole-number ids given by the server.
    public var autoIncrement = false
    /// Rows of a page if the client asks for no number.
    public var pageSize = 50
    /// The most that `$top` may ask for; 0 means no limit, nil what the generation's servers had.
    public var maxTop: Int?

    /// The maximum for `$top` in v1 and v2 by default.
    public static let maxTop = 1_000
    /// The maximum for `$top` in v3 by default: its clients ask for that many, and its server continues by links.
    public static let datasyncMaxTop = 128_000

    /// The rules of a table whose definition sets none.
    public init() {}
}

/// What a client can do with rows; each can be allowed or refused separately.
public enum Operation: String, Sendable, CaseIterable {
    case read, insert, update, delete, undelete
}

/// A table as the configuration defines it.
public struct TableDefinition: Sendable, Equatable {
    /// The name, which the URL and the database use.
    public var name: Identifier
    /// The declared columns, in order.
    public var columns: [Column]
    /// The table's rules.
    public var rules: TableRules
    /// Each index as its columns in order.
    public var indexes: [[Identifier]]
    /// Rows inserted when the table is created, and only then.
    public var seed: [[Property]]

    /// Makes a definition.
    public init(
        name: Identifier, columns: [Column] = [], rules: TableRules = TableRules(), indexes: [[Identifier]] = [],
        seed: [[Property]] = []
    ) {
        self.name = name
        self.columns = columns
        self.rules = rules
        self.indexes = indexes
        self.seed = seed
    }
}
