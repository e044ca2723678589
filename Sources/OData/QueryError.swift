/// Why a query was refused, and where.
public struct QueryError: Error, Sendable, Equatable {
    /// The option at fault, for instance `$filter`.
    public let option: String
    /// UTF-8 bytes from the start of the option's decoded text; nil where the whole option is meant.
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
        case overLimit(limit: Int, found: Int)
        /// The option was given more than once.
        case repeated
    }
}
