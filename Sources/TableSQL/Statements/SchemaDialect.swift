public import Tables

/// Where the two databases' table definitions differ.
public protocol SchemaDialect: SQLDialect {
    /// The declared type of an own column.
    func typeName(of type: ColumnType) -> String

    /// What follows a system column's name in its table's definition.
    func definition(of column: SystemColumn, rules: TableRules) -> String

    /// What stands before a column's name in an index.
    func indexPrefix(of field: Field, text rule: TextRule) -> String

    /// What follows a column's name in an index, so that queries of clients can use it.
    func indexSuffix(of field: Field, text rule: TextRule) -> String

    /// Which texts of a column another index is of, since the one that ignores case doesn't sort them as queries do; nil
    /// where it sorts all.
    func textsApart(in field: Field) -> SQLFragment?
}

extension SchemaDialect {
    /// Nothing.
    public func indexPrefix(of field: Field, text rule: TextRule) -> String { "" }

    /// None.
    public func textsApart(in field: Field) -> SQLFragment? { nil }
}

extension SQLiteDialect: SchemaDialect {
    /// Names that SQLite reads as the affinities TEXT, REAL, INTEGER and NUMERIC, and tell the types apart.
    public func typeName(of type: ColumnType) -> String {
        switch type {
        case .string: "TEXT"
        case .number: "REAL"
        case .integer: "INTEGER"
        case .boolean: "BOOLEAN"
        case .date: "DATETIME"
        case .dateOnly: "DATE"
        case .timeOnly: "TIME"
        // Of the affinity TEXT: by any other SQLite would make doubles of the digits.
        case .decimal: "DECIMAL_TEXT"
        }
    }

    /// Plain columns; only the id has a constraint of its own.
    public func definition(of column: SystemColumn, rules: TableRules) -> String {
        switch column {
        case .id: rules.autoIncrement ? "INTEGER PRIMARY KEY AUTOINCREMENT" : Self.textID
        // Rows typed into a SQL shell come without stamps; the triggers add them.
        case .createdAt, .updatedAt: "DATETIME"
        case .version: "INTEGER"
        case .deleted: "BOOLEAN NOT NULL DEFAULT 0"
        }
    }

    /// The collation of text is a built-in one, so that any SQL shell can write to the table. Decimals have none among
    /// those: a shell can read a table that has an index of them, but not write to it.
    public func indexSuffix(of field: Field, text rule: TextRule) -> String {
        guard case .own(let column) = field else { return "" }
        return switch column.type {
        case .string: rule == .exact ? "" : " COLLATE NOCASE"
        case .decimal: " COLLATE zumod_decimal"
        default: ""
        }
    }

    /// Those with other characters than ASCII's.
    public func textsApart(in field: Field) -> SQLFragment? {
        field.isText ? Self.isBeyondASCII(SQLFragment(field)) : nil
    }

    /// A row that a SQL shell inserts without an id gets one in the form of a random UUID.
    private static let textID = """
        TEXT PRIMARY KEY NOT NULL DEFAULT (lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || \
        substr(hex(randomblob(2)), 2) || '-' || substr('89AB', abs(random() % 4) + 1, 1) || \
        substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))
        """
}
