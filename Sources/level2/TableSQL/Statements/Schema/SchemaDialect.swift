public import Tables

/// Where the two databases' table definitions differ.
public protocol SchemaDialect: SQLDialect {
    /// Returns the declared type of a table's own column.
    func typeName(of type: ColumnType) -> String

    /// Returns what follows a system column's name in its table's definition.
    func definition(of column: SystemColumn, rules: TableRules) -> String

    /// Returns what precedes a column's name in an index.
    func indexPrefix(of field: Field, text rule: TextRule) -> String

    /// Returns what follows a column's name in an index, so that clients' queries can use it.
    func indexSuffix(of field: Field, text rule: TextRule) -> String

    /// Returns the condition for texts that need another index, because the one that ignores case doesn't sort them as
    /// queries do; nil if it sorts all.
    func textsApart(in field: Field) -> SQLFragment?

    /// The database for which operators get remedies.
    var remedies: RowRemedies.Database { get }

    /// Whether a cell may contain a value of another type than its column's.
    var isLooselyTyped: Bool { get }

    /// Returns the conditions for values in a column that clients don't get as they are, or can't send back.
    func valueChecks(of field: Field, _ type: ColumnType) -> [ValueCheck]

    /// Creates the table of the migrations that the database has.
    var migrationTable: SQLFragment { get }

    /// Returns a row if the database has a table, or another object of that kind, with a name.
    func relation(named name: String) -> SQLFragment

    /// Returns whether an index is valid, or no row if it doesn't exist.
    func index(named name: String, of table: Identifier) -> SQLFragment

    /// Returns the last version given.
    var lastVersion: SQLFragment { get }

    /// Returns the last number given to a row of a table; null or no row if there was none yet.
    func lastNumber(of table: Identifier) -> SQLFragment

    /// Raises the last version given to a number, if it is lower.
    func raiseVersion(to number: Int64) -> SQLFragment

    /// Returns the last number that can be given to a row of a table, or no row if the database numbers none.
    func numberLimit(of table: Identifier) -> SQLFragment

    /// Raises the last number given to a row of a table to another one, if it is lower.
    func raiseNumber(to number: Int64, of table: Identifier) -> [SQLText]

    /// Returns the name of a table that only differs in case; nil if the database ignores case.
    func otherSpelling(of table: Identifier) -> SQLFragment?

    /// What follows a query whose rows are to be locked until the commit.
    var rowLock: SQLFragment { get }

    /// Whether a table's physical name is stored beside its name.
    var keepsRelations: Bool { get }
}

extension SchemaDialect {
    /// Returns an empty text.
    public func indexPrefix(of field: Field, text rule: TextRule) -> String { "" }

    /// Returns nil.
    public func textsApart(in field: Field) -> SQLFragment? { nil }

    /// Empty: no lock is needed with a single writer.
    public var rowLock: SQLFragment { "" }

    /// False: names are physical names.
    public var keepsRelations: Bool { false }
}

extension SQLiteDialect: SchemaDialect {
    /// Returns names that give SQLite the affinities TEXT, REAL, INTEGER and NUMERIC, and distinguish the types.
    public func typeName(of type: ColumnType) -> String {
        switch type {
        case .string: "TEXT"
        case .number: "REAL"
        case .integer: "INTEGER"
        case .boolean: "BOOLEAN"
        case .date: "DATETIME"
        case .dateOnly: "DATE"
        case .timeOnly: "TIME"
        // It has the affinity TEXT: with any other, SQLite would convert the digits to doubles.
        case .decimal: "DECIMAL_TEXT"
        }
    }

    /// Defines plain columns; only the id has a constraint.
    public func definition(of column: SystemColumn, rules: TableRules) -> String {
        switch column {
        case .id: rules.autoIncrement ? "INTEGER PRIMARY KEY AUTOINCREMENT" : Self.textID
        // Rows inserted by a SQL shell come without stamps; the triggers add them.
        case .createdAt, .updatedAt: "DATETIME"
        case .version: "INTEGER"
        case .deleted: "BOOLEAN NOT NULL DEFAULT 0"
        }
    }

    /// Adds a collation. Text has a built-in one, so that any SQL shell can write to the table. There is none for
    /// decimals: a shell can read a table with an index on them, but not write to it.
    public func indexSuffix(of field: Field, text rule: TextRule) -> String {
        guard case .own(let column) = field else { return "" }
        return switch column.type {
        case .string: rule == .exact ? "" : " COLLATE NOCASE"
        case .decimal: " COLLATE zumod_decimal"
        default: ""
        }
    }

    /// Selects texts with non-ASCII characters.
    public func textsApart(in field: Field) -> SQLFragment? {
        field.isText ? Self.isBeyondASCII(SQLFragment(field)) : nil
    }

    /// Remedies for the sqlite3 shell.
    public var remedies: RowRemedies.Database { .sqlite }

    /// True: a column's type is only an affinity.
    public var isLooselyTyped: Bool { true }

    /// The same statement as in every version.
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

    /// Every existing index is valid.
    public func index(named name: String, of table: Identifier) -> SQLFragment {
        """
        SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = \(.text(name)) \
        AND lower(tbl_name) = lower(\(.text(table.text)))
        """
    }

    /// The value of the last commit.
    public var lastVersion: SQLFragment { "SELECT value FROM zumod_counters WHERE name = 'version'" }

    /// Reads the value that SQLite stores under the table's original name.
    public func lastNumber(of table: Identifier) -> SQLFragment {
        "SELECT seq FROM sqlite_sequence WHERE lower(name) = lower(\(.text(table.text)))"
    }

    /// Updates the row from which the triggers count on.
    public func raiseVersion(to number: Int64) -> SQLFragment {
        "UPDATE zumod_counters SET value = max(value, \(.integer(number))) WHERE name = 'version'"
    }

    /// The same limit for every table.
    public func numberLimit(of table: Identifier) -> SQLFragment { "SELECT \(.integer(RowID.highestNumber))" }

    /// Updates the value that SQLite stores under the table's original name, once there is one.
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

    /// Returns nil: SQLite ignores the case of names.
    public func otherSpelling(of table: Identifier) -> SQLFragment? { nil }

    /// Rows that a SQL shell inserts without an id get one in the form of a random UUID.
    private static let textID = """
        TEXT PRIMARY KEY NOT NULL DEFAULT (lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || \
        substr(hex(randomblob(2)), 2) || '-' || substr('89AB', abs(random() % 4) + 1, 1) || \
        substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))
        """
}
