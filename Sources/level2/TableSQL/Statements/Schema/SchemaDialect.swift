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

    /// In whose words operators are told what mends a table.
    var remedies: RowRemedies.Database { get }

    /// Whether a cell may hold a value of another type than its column's.
    var isLooselyTyped: Bool { get }

    /// Makes the table in which the database keeps which migrations it has seen.
    var migrationTable: SQLFragment { get }

    /// Answers a row where the database has a table, or another thing of that kind, under a name.
    func relation(named name: String) -> SQLFragment

    /// Answers whether an index is whole; no row where there is none.
    func index(named name: String, of table: Identifier) -> SQLFragment

    /// Answers the last version that was given.
    var lastVersion: SQLFragment { get }

    /// Answers the last number that was given to a row of a table; null or no row where none was yet.
    func lastNumber(of table: Identifier) -> SQLFragment

    /// Moves the last version that was given up to a number, where it is lower.
    func raiseVersion(to number: Int64) -> SQLFragment

    /// Answers the last number that can be given to a row of a table; no row where the database gives none.
    func numberLimit(of table: Identifier) -> SQLFragment

    /// Moves the last number that was given to a row of a table up to one, where it is lower.
    func raiseNumber(to number: Int64, of table: Identifier) -> [SQLText]

    /// Answers the name of a table that is the same in another case; nil where the database doesn't tell those apart.
    func otherSpelling(of table: Identifier) -> SQLFragment?

    /// What follows a query whose rows are to be locked until the commit.
    var rowLock: SQLFragment { get }

    /// Whether it is kept beside a table's name how the database spells it.
    var keepsRelations: Bool { get }
}

extension SchemaDialect {
    /// Nothing.
    public func indexPrefix(of field: Field, text rule: TextRule) -> String { "" }

    /// None.
    public func textsApart(in field: Field) -> SQLFragment? { nil }

    /// None is needed where one writes at a time.
    public var rowLock: SQLFragment { "" }

    /// A name is what it is.
    public var keepsRelations: Bool { false }
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

    /// The sqlite3 shell's.
    public var remedies: RowRemedies.Database { .sqlite }

    /// A column's type is but an affinity.
    public var isLooselyTyped: Bool { true }

    /// As every version has made it.
    public var migrationTable: SQLFragment {
        """
        CREATE TABLE IF NOT EXISTS zumod_migrations (
            number INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, applied_at TEXT NOT NULL)
        """
    }

    /// Asks the schema.
    public func relation(named name: String) -> SQLFragment {
        "SELECT 1 FROM sqlite_master WHERE name = \(.text(name))"
    }

    /// Every index is whole.
    public func index(named name: String, of table: Identifier) -> SQLFragment {
        """
        SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = \(.text(name)) \
        AND lower(tbl_name) = lower(\(.text(table.text)))
        """
    }

    /// As the last commit left it.
    public var lastVersion: SQLFragment { "SELECT value FROM zumod_counters WHERE name = 'version'" }

    /// SQLite keeps it by the table's name as it was made.
    public func lastNumber(of table: Identifier) -> SQLFragment {
        "SELECT seq FROM sqlite_sequence WHERE lower(name) = lower(\(.text(table.text)))"
    }

    /// In the row that the triggers count on from.
    public func raiseVersion(to number: Int64) -> SQLFragment {
        "UPDATE zumod_counters SET value = max(value, \(.integer(number))) WHERE name = 'version'"
    }

    /// The same for every table.
    public func numberLimit(of table: Identifier) -> SQLFragment { "SELECT \(.integer(RowID.highestNumber))" }

    /// SQLite keeps it by the table's name as it was made, once there was one.
    public func raiseNumber(to number: Int64, of table: Identifier) -> [SQLText] {
        [
            SQLText(
                """
                INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_master
                WHERE type = 'table' AND lower(name) = lower(?1)
                    AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE lower(name) = lower(?1))
                """, [.text(table.text)]),
            SQLText(
                "UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE lower(name) = lower(?2)",
                [.integer(number), .text(table.text)]),
        ]
    }

    /// SQLite takes a name in any case.
    public func otherSpelling(of table: Identifier) -> SQLFragment? { nil }

    /// A row that a SQL shell inserts without an id gets one in the form of a random UUID.
    private static let textID = """
        TEXT PRIMARY KEY NOT NULL DEFAULT (lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || \
        substr(hex(randomblob(2)), 2) || '-' || substr('89AB', abs(random() % 4) + 1, 1) || \
        substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))
        """
}
