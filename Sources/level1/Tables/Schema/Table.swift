import ByteText

/// A table in its current state: its name, columns and rules. Changed columns make a new `Table`.
public final class Table: Sendable {
    /// The name as defined.
    public let name: Identifier
    /// The table's own columns, in the order of their creation.
    public let columns: [Column]
    /// The rules for operations on the table.
    public let rules: TableRules
    /// Whether clients created it, and no definition names it.
    public let isClients: Bool
    /// The columns of each index that was created for it, if the store plans its queries by them; otherwise empty.
    public let indexes: [[Field]]
    /// Whether the database currently lacks the table, or one of the server's columns in it, as while another program
    /// replaces it. Its columns are those from before, and its rows can't be reached.
    public let isAway: Bool
    /// All columns in their order on the wire: system columns first, then the table's own.
    public var fields: [Field] { layout.fields }
    /// The same columns, as the layout of whole rows.
    public let layout: RowLayout
    private let columnsByName: [Identifier: Column]

    /// Creates a table; if a column name occurs twice, the first one counts.
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

    /// Returns one of the table's own columns.
    public func column(_ name: Identifier) -> Column? {
        columnsByName[name]
    }

    /// Returns one of the table's own columns by its defined spelling, which most bodies use; nil for large tables.
    func column(spelled name: String) -> Column? {
        guard columns.count <= 16 else { return nil }
        return columns.first { $0.name.text.isExactly(name) }
    }

    /// Returns one of the table's own columns by its name in any case.
    public func column(named name: String) -> Column? {
        column(spelled: name) ?? Identifier(name).flatMap { column($0) }
    }

    /// Returns a system column or one of the table's own by its name in any case.
    public func field(named name: String) -> Field? {
        if let column = SystemColumn(named: name) { return .system(column) }
        guard let identifier = Identifier(name), let column = columnsByName[identifier] else { return nil }
        return .own(column)
    }

    /// Returns the same table with more columns.
    public func adding(_ newColumns: [Column]) -> Table {
        Table(name: name, columns: columns + newColumns, rules: rules, isClients: isClients, indexes: indexes)
    }

    /// Returns the same table, with the indexes that are known to have been created for it.
    public func indexed(by indexes: [[Field]]) -> Table {
        Table(name: name, columns: columns, rules: rules, isClients: isClients, indexes: indexes, isAway: isAway)
    }

    /// Returns the table as the database has it now; itself if unchanged.
    /// - Parameter schema: the schema found; nil if there is no such table.
    public func found(as schema: TableSchema?) -> Table {
        guard let schema, schema.differences(numbersRows: isClients ? nil : rules.autoIncrement).isEmpty else {
            return isAway
                ? self
                : Table(
                    name: name, columns: columns, rules: rules, isClients: isClients, indexes: indexes, isAway: true)
        }
        var rules = rules
        // No definition determines this for a client's table.
        if isClients { rules.autoIncrement = schema.hasIntegerID }
        let found = Table(name: name, columns: schema.columns, rules: rules, isClients: isClients, indexes: indexes)
        return isSame(as: found) ? self : found
    }

    /// Whether a table is the same to clients: they see how names are spelled, although these are equal in any case.
    public func isSame(as other: Table) -> Bool {
        isAway == other.isAway && isClients == other.isClients && rules == other.rules && columns == other.columns
            && name.text == other.name.text && columns.map(\.name.text) == other.columns.map(\.name.text)
    }
}

/// The rules of a table, set by its definition.
public struct TableRules: Sendable, Equatable {
    /// Whether unknown properties of a write add columns.
    public var dynamicSchema = true
    /// Whether a delete leaves a tombstone that can be undeleted.
    public var softDelete = false
    /// Whether the server assigns whole-number ids.
    public var autoIncrement = false
    /// The number of rows of a page if the client doesn't ask for a number.
    public var pageSize = 50
    /// The maximum for `$top`; 0 means no limit, nil the limit of the generation's original servers.
    public var maxTop: Int?

    /// The default maximum for `$top` in v1 and v2.
    public static let maxTop = 1_000
    /// The default maximum for `$top` in v3: its clients ask for that many, and its server continues by links.
    public static let datasyncMaxTop = 128_000

    /// The rules of a table whose definition sets none, or none but these.
    public init(softDelete: Bool = false, autoIncrement: Bool = false) {
        self.softDelete = softDelete
        self.autoIncrement = autoIncrement
    }
}

/// What a client can do with rows; each can be allowed or refused separately.
public enum Operation: String, Sendable, CaseIterable {
    case read, insert, update, delete, undelete
}

/// A table as the configuration defines it.
public struct TableDefinition: Sendable, Equatable {
    /// The name, used in URLs and in the database.
    public var name: Identifier
    /// The declared columns, in order.
    public var columns: [Column]
    /// The table's rules.
    public var rules: TableRules
    /// Each index as its columns in order.
    public var indexes: [[Identifier]]
    /// Rows inserted when the table is created, and only then.
    public var seed: [[Property]]

    /// Creates a definition.
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
