/// Why a query was refused, and where.
public struct QueryError: Error, Sendable, Equatable {
    /// The option at fault, for instance `$filter`.
    public let option: String
    /// UTF-8 bytes from the start of the option's decoded text; nil if the whole option is meant.
    public let offset: Int?
    /// What is wrong.
    public let reason: Reason

    /// Makes an error.
    public init(_ option: String, at offset: Int?, _ reason: Reason) {
        self.option = option
        self.offset = offset
        self.reason = reason
    }

    /// What can be wrong with a query.
    public enum Reason: Sendable, Equatable {
        /// The text breaks the grammar; the sentence says what was expected.
        case syntax(String)
        case unknownFunction(String)
        case argumentCount(Function, expected: ClosedRange<Int>, found: Int)
        /// Not a column of the table.
        case unknownColumn(String)
        /// Two operands, or an argument and its function, that don't go together; the sentence names both.
        case typeClash(String)
        /// A count that is not a whole number of zero or more.
        case notACount(String)
        case overLimit(Counted, limit: Int, found: Int)
        /// A member of the query that is not an option, in a language that reserves such names (v1).
        case unknownOption
        /// The option was given more than once.
        case repeated
    }

    /// What a limit of a query counts.
    public enum Counted: Sendable, Equatable {
        /// Expressions inside one another.
        case levels
        /// Expressions inside one another, in the SQL that becomes of the option.
        case levelsOfSQL
        case parentheses
        /// Columns, operators and calls.
        case nodes
        case orderTerms
        case names
        case listValues
        /// Characters of a text.
        case characters
    }
}
