/// Why a query was refused, and where.
public struct QueryError: Error, Sendable, Equatable {
    /// The option at fault, for instance `$filter`.
    public let option: String
    /// The offset in UTF-8 bytes from the start of the option's decoded text; nil if the whole option is at fault.
    public let offset: Int?
    /// What is wrong.
    public let reason: Reason

    /// Creates an error.
    public init(_ option: String, at offset: Int?, _ reason: Reason) {
        self.option = option
        self.offset = offset
        self.reason = reason
    }

    /// The possible errors.
    public enum Reason: Sendable, Equatable {
        /// The text breaks the grammar; the sentence says what was expected.
        case syntax(String)
        case unknownFunction(String)
        case argumentCount(Function, expected: ClosedRange<Int>, found: Int)
        /// Not a column of the table.
        case unknownColumn(String)
        /// Two operands, or an argument and its function, don't go together; the sentence names both.
        case typeClash(String)
        /// A count is not a whole number of zero or more.
        case notACount(String)
        case overLimit(Counted, limit: Int, found: Int)
        /// A query parameter is not an option, in a language that reserves such names (v1).
        case unknownOption
        /// The option was given more than once.
        case repeated
    }

    /// What a limit counts.
    public enum Counted: Sendable, Equatable {
        /// Nested expressions.
        case levels
        /// Nested expressions in the SQL for the option.
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
