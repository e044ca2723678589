/// A store that runs the SQL of old backends' scripts, over the tables that it serves and nothing else.
public protocol StatementStore: Sendable {
    /// Runs all statements of a script in one transaction, in their order: all of them are done, or none.
    ///
    /// Written rows get their versions and stamps like those of any other program, so that devices pull them. A script
    /// that only reads sees one moment of the database.
    /// - Returns: a result for each statement that returns rows or writes.
    func run(_ script: StatementScript) async throws(StatementError) -> [StatementResult]
}

/// Statements of T-SQL with what they are run with.
public struct StatementScript: Sendable {
    /// One statement or several.
    public var text: String
    /// The values for `?`, in their order.
    public var positional: [Value]
    /// The values for `@name`, by the name in any case, with or without its `@`.
    public var named: [String: Value]
    /// Whether `*` returns the system columns as `__createdAt` and so on, as the first generation called them.
    public var prefixesSystemColumns: Bool
    /// Whose it is, for sharing turns.
    public var asker: String
    /// Whether it is run by a job, or with the master key, rather than for a user: it may take longer, like a nightly
    /// cleanup.
    public var isOperators = false

    /// Puts a script together.
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

    /// The most bytes of a script's text.
    public static let mostBytes = 64 << 10
    /// How many times as long as another an operator's script may run and keep others from writing.
    public var patience: Int { isOperators ? 6 : 1 }
    /// The most bytes of a text that a statement calculates.
    public static let mostTextBytes = 2 << 20
    /// The most bytes of all values that one statement is given.
    public static let mostValueBytes = 16 << 20
    /// The most rows that all statements of a script may answer.
    public static let mostRows = 10_000
    /// The maximum total size of these rows in bytes.
    public static let mostAnswerBytes = 16 << 20
}

/// What one statement came to.
public struct StatementResult: Sendable, Equatable {
    /// The columns' names, as the statement spells them; empty if it returns no rows. A column without a name has an
    /// empty one, and a name may appear twice.
    public let columns: [String]
    /// The rows, each with a value for every column. Dates are dates, and a row's version is the text of its wire form.
    public let rows: [[Value]]
    /// How many rows were written, or answered.
    public let affected: Int

    /// Makes a result.
    public init(columns: [String], rows: [[Value]], affected: Int) {
        self.columns = columns
        self.rows = rows
        self.affected = affected
    }
}
