import OData
import Scalars

extension Expression {
    /// The tree in one line, operators in front: what the tables of these tests compare with.
    var outline: String {
        switch self {
        case .literal(let literal, _): literal.outline
        case .column(let name, _): name
        case .not(let operand, _): "(not \(operand.outline))"
        case .negate(let operand, _): "(- \(operand.outline))"
        case .binary(let binary, let left, let right, _): "(\(binary.rawValue) \(left.outline) \(right.outline))"
        case .among(let value, let list, _): "(in \(value.outline) [\(list.map(\.outline).joined(separator: ", "))])"
        case .call(let function, let arguments, _):
            "\(function.rawValue)(\(arguments.map(\.outline).joined(separator: ", ")))"
        }
    }
}

extension Literal {
    fileprivate var outline: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)r"
        case .decimal(let value): "\(value.text)m"
        case .text(let value): "‘\(value)’"
        case .date(let value): value.wireText
        case .day(let value): value.dayText
        case .time(let value): value.wireText
        case .guid(let value): "guid:\(value)"
        case .binary(let value): "bytes:\(value)"
        }
    }
}

/// Parses one `$filter`.
func filter(_ text: String, _ language: QueryLanguage = .apps) throws(QueryError) -> Expression? {
    try QueryOptions.parse([("$filter", text)], language: language).filter
}
