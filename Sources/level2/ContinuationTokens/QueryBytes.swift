import OData
import Scalars
import Tables

/// The parts of a query to which a continuation is bound, as bytes: those that determine the rows and their order.
enum QueryBytes {
    static func bytes(of query: TableQuery, table: Identifier) -> [UInt8] {
        var writer = PackedWriter()
        writer.text(table.text.lowercased())
        writer.text(query.textComparison.rawValue)
        writer.text(query.nullComparison.rawValue)
        writer.byte(query.includeDeleted ? 1 : 0)
        writer.expressions(query.filter.map { [$0] } ?? [])
        writer.expressions(query.order.map(\.expression))
        for term in query.order { writer.byte(term.isDescending ? 1 : 0) }
        writer.expressions(query.scope.map { [$0.condition] } ?? [])
        return writer.bytes
    }
}

extension PackedWriter {
    /// Writes trees from the root down. A list of pending nodes replaces the call stack, because chains are deep.
    fileprivate mutating func expressions(_ roots: [Expression]) {
        count(roots.count)
        var pending = Array(roots.reversed())
        while let expression = pending.popLast() {
            node(expression)
            pending += expression.children.reversed()
        }
    }

    /// Writes a node without its children, except for their number.
    private mutating func node(_ expression: Expression) {
        switch expression {
        case .literal(let literal, _):
            byte(1)
            self.literal(literal)
        case .column(let name, _):
            byte(2)
            text(name.lowercased())
        case .not: byte(3)
        case .negate: byte(4)
        case .binary(let binary, _, _, _):
            byte(5)
            text(binary.rawValue)
        case .among(_, let list, _):
            byte(6)
            count(list.count)
        case .call(let function, let arguments, _):
            byte(7)
            text(function.rawValue)
            count(arguments.count)
        }
    }

    private mutating func literal(_ literal: Literal) {
        switch literal {
        case .null: value(.null)
        case .boolean(let flag): value(.boolean(flag))
        case .integer(let number): value(.integer(number))
        case .real(let number): value(.number(number))
        case .decimal(let number): value(.decimal(number))
        case .text(let text): value(.text(text))
        case .date(let instant): value(.date(instant))
        case .day(let midnight):
            byte(6)
            value(.date(midnight))
        case .time(let time):
            byte(7)
            count(time.milliseconds)
        case .guid(let text):
            byte(8)
            self.text(text)
        case .binary(let bytes):
            byte(9)
            count(bytes.count)
            for byte in bytes { self.byte(byte) }
        }
    }
}
