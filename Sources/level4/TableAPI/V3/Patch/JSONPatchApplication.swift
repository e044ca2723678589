import JSONText
import Scalars
import Tables

extension JSONPatch {
    /// The changes of the patch, step by step as it is applied to a row.
    private struct State {
        let row: DatasyncRow?
        let table: Table
        /// Returns the value of a removed column.
        let emptyValue: (Column) -> JSONValue
        private(set) var changed: [Member: JSONValue] = [:]
        private(set) var order: [Member] = []
        fileprivate var copied = 0

        mutating func apply(_ step: Step) throws(Fault) {
            switch step {
            case .set(let member, let value): try set(member, to: value)
            case .remove(let member): try remove(member)
            case .copy(let source, let member):
                let value = try value(of: source)
                if case .string(let text) = value { copied += text.utf8.count }
                guard copied <= JSONPatch.maximumCopied else { throw .copiesTooMuch(limit: JSONPatch.maximumCopied) }
                try set(member, to: value)
            case .move(let source, let member):
                let value = try value(of: source)
                try remove(source)
                try set(member, to: value)
            case .test(let member, let expected):
                let field = try field(of: member)
                guard Self.areEqual(try value(of: member), expected, in: field) else { throw .untrue(member.name) }
            }
        }

        private func field(of member: Member) throws(Fault) -> Field {
            guard let field = table.field(named: member.name) else { throw .unknownMember(member.name) }
            return field
        }

        private func value(of member: Member) throws(Fault) -> JSONValue {
            if let value = changed[member] { return value }
            return row?.values[try field(of: member)] ?? .null
        }

        private mutating func set(_ member: Member, to value: JSONValue) throws(Fault) {
            if !table.rules.dynamicSchema { _ = try field(of: member) }
            if changed.updateValue(value, forKey: member) == nil { order.append(member) }
        }

        private mutating func remove(_ member: Member) throws(Fault) {
            if changed[member] == nil || !table.rules.dynamicSchema { _ = try field(of: member) }
            switch table.field(named: member.name) {
            case .own(let column)?: try set(member, to: emptyValue(column))
            case .system(.deleted)?: try set(member, to: .boolean(false))
            case .system?, nil: try set(member, to: .null)
            }
        }

        /// Compares numbers by value, dates as instants, and text byte by byte.
        private static func areEqual(_ left: JSONValue, _ right: JSONValue, in field: Field) -> Bool {
            if case .string(let left) = left, case .string(let right) = right {
                if field.isInstant, let left = Instant(left) { return Instant(right) == left }
                return left.utf8.elementsEqual(right.utf8)
            }
            guard let leftNumber = number(left), let rightNumber = number(right) else { return left == right }
            if leftNumber.digits == rightNumber.digits { return true }
            // In a column of doubles, numbers with the same double can't be distinguished.
            return field.isNumber && leftNumber.double == rightNumber.double
        }

        /// Returns a number's digits without trailing zeros of a fraction, and its double.
        private static func number(_ value: JSONValue) -> (digits: String, double: Double)? {
            let (decimal, double): (DecimalNumber?, Double) =
                switch value {
                case .integer(let whole): (DecimalNumber(whole), Double(whole))
                case .number(let number): (DecimalNumber(number), number)
                case .precise(let text, let nearest): (DecimalNumber(text), nearest)
                case .null, .boolean, .string, .array, .object: (nil, .nan)
                }
            guard var digits = decimal?.text else { return nil }
            if digits.contains(".") {
                while digits.last == "0" { digits.removeLast() }
                if digits.last == "." { digits.removeLast() }
            }
            return (digits, double)
        }
    }

    /// Returns the members of the row that changed, as a merge would send them.
    ///
    /// - Parameters:
    ///   - row: the current row, with its values; nil if the patch doesn't read it.
    ///   - passesTests: whether to proceed as if all tests in it were true.
    ///   - emptyValue: returns the value of a column after it is removed.
    func members(
        on row: DatasyncRow?, of table: Table, passesTests: Bool = false, emptyValue: @escaping (Column) -> JSONValue
    ) throws(RequestError) -> [JSONMember] {
        var state = State(row: row, table: table, emptyValue: emptyValue)
        for (index, step) in steps.enumerated() {
            if passesTests, case .test = step { continue }
            do throws(Fault) {
                try state.apply(step)
            } catch {
                throw .patch(error, at: index + 1)
            }
        }
        var members: [JSONMember] = []
        for member in state.order {
            let value = state.changed[member] ?? .null
            // A merge ignores a null here, but a patch that sets one means it.
            if let column = SystemColumn(named: member.name), column != .deleted, value == .null {
                throw .systemMemberChanged(column)
            }
            members.append(JSONMember(member.name, value))
        }
        return members
    }
}

extension Field {
    /// Whether the column holds doubles.
    var isNumber: Bool {
        if case .own(let column) = self { column.type == .number } else { false }
    }

    var isInstant: Bool {
        switch self {
        case .system(.createdAt), .system(.updatedAt): true
        case .own(let column): column.type == .date
        case .system: false
        }
    }
}
