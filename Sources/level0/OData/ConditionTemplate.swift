/// A condition in v3's language that is parsed once and completed for each caller: `@name` stands for a value.
public struct ConditionTemplate: Sendable, Equatable {
    /// The condition as written.
    public let text: String
    // Parameters are represented as columns, with names that no column can have.
    private let expression: Expression

    /// Parses a condition.
    /// - Parameter option: the option that errors name.
    public init(_ text: String, option: String) throws(QueryError) {
        self.text = text
        expression = try ExpressionParser.filter(text, option: option, language: .datasync, takesParameters: true)
    }

    /// The columns that it names, as spelled, with their positions.
    public var columns: [(name: String, offset: Int)] { expression.columns.filter { !Self.isParameter($0.name) } }

    /// The parameters that it names, including the `@`, with their positions.
    public var parameters: [(name: String, offset: Int)] { expression.columns.filter { Self.isParameter($0.name) } }

    /// Returns the condition with values in place of its parameters.
    /// - Parameter values: the values by name, including the `@`; a missing one is null.
    public func condition(_ values: [String: Literal]) -> Expression {
        expression.replacingColumns { name, offset in
            Self.isParameter(name) ? .literal(values[name] ?? .null, at: offset) : nil
        }
    }

    private static func isParameter(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: "@") }
}

extension Expression {
    /// Returns the same tree with some columns replaced by other expressions; where the closure returns nil, they stay.
    fileprivate func replacingColumns(_ replacement: (String, Int) -> Expression?) -> Expression {
        switch self {
        case .literal: self
        case .column(let name, let offset): replacement(name, offset) ?? self
        case .not(let operand, let offset): .not(operand.replacingColumns(replacement), at: offset)
        case .negate(let operand, let offset): .negate(operand.replacingColumns(replacement), at: offset)
        case .binary(let binary, let left, let right, let offset):
            .binary(
                binary, left.replacingColumns(replacement), right.replacingColumns(replacement), at: offset)
        case .among(let value, let list, let offset):
            .among(value.replacingColumns(replacement), list, at: offset)
        case .call(let function, let arguments, let offset):
            .call(function, arguments.map { $0.replacingColumns(replacement) }, at: offset)
        }
    }
}
