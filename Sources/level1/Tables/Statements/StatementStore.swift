/// A store that runs the SQL of old backends' scripts, over the tables that it serves and nothing else.
public protocol StatementStore: Sendable {
    /// Runs all statements of a script in one transaction, in order: all of them are done, or none.
    ///
    /// Written rows get versions and stamps like those that any other program writes, so that devices pull them. A
    /// script that only reads sees one snapshot of the database.
    /// - Returns: a result for each statement that returns rows or writes.
    func run(_ script: StatementScript) async throws(StatementError) -> [StatementResult]
}

/// T-SQL statements with their parameters.
public struct StatementScript: Sendable {
    /// One or more statements.
    public var text: String
    /// The values for `?`, in order.
    public var positional: [Value]
    /// The values for `@name`, by the name in any case, with or without its `@`.
    public var named: [String: Value]
    /// Whether `*` returns the system columns as `__createdAt` and so on, as in the first generation.
    public var prefixesSystemColumns: Bool
    /// The asker, for sharing turns.
    public var asker: String
    /// Whether it is run by a job, or with the master key, rather than for a user: it may take longer, like a nightly
    /// cleanup.
    public var isOperators = false

    /// Creates a script.
    public init(
        _ text: String, positional: [Value] = [], named: [String: Value] = [:], prefixesSystemColumns: Bool = false,
        asker: String = ""
    ) {
        self.text = text
        self.positional = positional
        self.named = named
        self.prefixesSystemColumns = prefixesSystemColumns
        self.asker = asker
    }

    /// The maximum size of a script's text in bytes.
    public static let mostBytes = 64 << 10
    /// How many times longer than another an operator's script may run and keep others from writing.
    public var patience: Int { isOperators ? 6 : 1 }
    /// The maximum size of a text that a statement computes, in bytes.
    public static let mostTextBytes = 2 << 20
    /// The maximum total size of the values passed to one statement, in bytes.
    public static let mostValueBytes = 16 << 20
    /// The maximum number of rows that all statements of a script may return.
    public static let mostRows = 10_000
    /// The maximum total size of these rows in bytes.
    public static let mostAnswerBytes = 16 << 20
}

/// The result of one statement.
public struct StatementResult: Sendable, Equatable {
    /// The columns' names, as spelled in the statement; empty if it returns no rows. A column without a name has an
    /// empty one, and a name may occur twice.
    public let columns: [String]
    /// The rows, each with a value for every column. Dates are dates, and a row's version is its wire form as text.
    public let rows: [[Value]]
    /// The number of rows written or returned.
    public let affected: Int

    /// Creates a result.
    public init(columns: [String], rows: [[Value]], affected: Int) {
        self.columns = columns
        self.rows = rows
        self.affected = affected
    }
}
