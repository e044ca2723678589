/// The errors of a script of statements, none of which was done then.
public enum StatementError: Error, Sendable, Equatable {
    /// The script or its parameters are at fault.
    case refused(StatementFault)
    /// A row to be inserted has the id of another.
    case duplicate(detail: String)
    /// The store can't run it, now or at all.
    case store(TableError)
}

/// What is wrong with a script, for its author.
public struct StatementFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that names the construct.
    public let sentence: String
    /// Its line, counted from 1; nil for the script as a whole.
    public let line: Int?
    /// Its column in the line, counted from 1 in characters.
    public let column: Int?

    /// Creates a fault.
    public init(_ sentence: String, line: Int? = nil, column: Int? = nil) {
        self.sentence = sentence
        self.line = line
        self.column = column
    }

    /// The sentence with its position.
    public var description: String {
        guard let line, let column else { return sentence }
        return "\(sentence) (line \(line), column \(column))"
    }
}
