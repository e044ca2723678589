import OData
import Scalars

extension Expression {
    /// The expression as a client would write it, for messages. Every operation stands in parentheses.
    var wireText: String {
        switch self {
        case .literal(let literal, _): literal.wireText
        case .column(let name, _): name
        case .not(let operand, _): "not (\(operand.wireText))"
        case .negate(let operand, _): "-(\(operand.wireText))"
        case .binary(let binary, let left, let right, _):
            "(\(left.wireText) \(binary.rawValue) \(right.wireText))"
        case .among(let value, let list, _):
            "(\(value.wireText) in (\(list.map(\.wireText).joined(separator: ","))))"
        case .call(let function, let arguments, _):
            "\(function.rawValue)(\(arguments.map(\.wireText).joined(separator: ",")))"
        }
    }

    /// The expressions directly inside.
    var parts: [Expression] {
        switch self {
        case .literal, .column: []
        case .not(let operand, _), .negate(let operand, _): [operand]
        case .binary(_, let left, let right, _): [left, right]
        case .among(let value, let list, _): [value] + list
        case .call(_, let arguments, _): arguments
        }
    }

    /// The same expression with other literals.
    func replacingLiterals(_ change: (Literal) -> Literal) -> Expression {
        switch self {
        case .literal(let literal, let offset): .literal(change(literal), at: offset)
        case .column: self
        case .not(let operand, let offset): .not(operand.replacingLiterals(change), at: offset)
        case .negate(let operand, let offset): .negate(operand.replacingLiterals(change), at: offset)
        case .binary(let binary, let left, let right, let offset):
            .binary(binary, left.replacingLiterals(change), right.replacingLiterals(change), at: offset)
        case .among(let value, let list, let offset):
            .among(value.replacingLiterals(change), list.map { $0.replacingLiterals(change) }, at: offset)
        case .call(let function, let arguments, let offset):
            .call(function, arguments.map { $0.replacingLiterals(change) }, at: offset)
        }
    }
}

extension Literal {
    var wireText: String {
        switch self {
        case .null: "null"
        case .boolean(let truth): "\(truth)"
        case .integer(let whole): "\(whole)"
        case .real(let number): "\(number)d"
        case .decimal(let number): "\(number.text)m"
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        case .date(let instant): "datetimeoffset'\(instant.wireText)'"
        case .day(let midnight): midnight.dayText
        case .time(let time): time.wireText
        case .guid(let guid): "guid'\(guid)'"
        case .binary(let bytes):
            "X'\(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())'"
        }
    }
}
