import OData
import Scalars
import Tables

/// What an expression yields, as far as the rules of comparison tell kinds apart.
enum ReferenceKind: String {
    case null, boolean, integer, real, decimal, text, id, date, day, time, version, binary

    var isTruth: Bool { self == .boolean || self == .null }
    var isNumeric: Bool { self == .integer || self == .real || self == .decimal || self == .null }
    var isText: Bool { self == .text || self == .id || self == .null }
    /// Tables that grow their own columns keep dates as text.
    var isDate: Bool { self == .date || self == .text || self == .null }
}

extension ReferenceEvaluator {
    /// Tells an expression's kind, and refuses columns that the table hasn't and operands that don't go together.
    func kind(of expression: Expression) throws(QueryError) -> ReferenceKind {
        switch expression {
        case .literal(let literal, _): return kind(of: literal)
        case .column(let name, let offset):
            guard let field = field(named: name) else {
                // To a scope, a column that the table has yet to gain is null.
                if option == RowScope.option { return .null }
                throw QueryError(option, at: offset, .unknownColumn(name))
            }
            return kind(of: field)
        case .not(let operand, _):
            try demand(operand) { $0.isTruth }
            return .boolean
        case .negate(let operand, _):
            return try demand(operand) { $0.isNumeric }
        case .binary(let binary, let left, let right, _):
            return try kind(of: binary, left, right, in: expression)
        case .among(let value, let list, let offset):
            for item in list { _ = try kind(of: .binary(.equal, value, item, at: offset)) }
            return .boolean
        case .call(let function, let arguments, _):
            return try kind(of: function, arguments)
        }
    }

    func kind(of field: Field) -> ReferenceKind {
        switch field {
        case .system(.id): table.rules.autoIncrement ? .integer : .id
        case .system(.createdAt), .system(.updatedAt): .date
        case .system(.version): .version
        case .system(.deleted): .boolean
        case .own(let column):
            switch column.type {
            case .string: .text
            case .dateOnly: .day
            case .timeOnly: .time
            case .number: .real
            case .decimal: .decimal
            case .integer: .integer
            case .boolean: .boolean
            case .date: .date
            }
        }
    }

    private func kind(of literal: Literal) -> ReferenceKind {
        switch literal {
        case .null: .null
        case .boolean: .boolean
        case .integer: .integer
        case .real: .real
        case .decimal: .decimal
        case .text, .guid: .text
        case .date: .date
        case .day: .day
        case .time: .time
        case .binary: .binary
        }
    }

    private func kind(
        of binary: BinaryOperator, _ left: Expression, _ right: Expression, in whole: Expression
    ) throws(QueryError) -> ReferenceKind {
        switch binary {
        case .and, .or:
            try demand(left) { $0.isTruth }
            try demand(right) { $0.isTruth }
            return .boolean
        case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual:
            guard try compares(binary, left, right) else { throw clash(whole) }
            return .boolean
        case .divideBy:
            try demand(left) { $0.isNumeric }
            try demand(right) { $0.isNumeric }
            return calculation(left, right) == .decimal ? .decimal : .real
        case .add, .subtract, .multiply, .divide, .modulo:
            let kinds = try [demand(left) { $0.isNumeric }, demand(right) { $0.isNumeric }]
            if kinds.contains(.decimal) { return calculation(left, right) }
            return kinds.contains(.real) ? .real : .integer
        }
    }

    private func compares(
        _ binary: BinaryOperator, _ left: Expression, _ right: Expression
    ) throws(QueryError) -> Bool {
        if converted(left, for: right) != nil || converted(right, for: left) != nil { return true }
        return switch (try kind(of: left), try kind(of: right)) {
        case (.null, _), (_, .null): true
        case (.text, .text), (.text, .id), (.id, .text), (.id, .id): true
        case (let first, let second) where first.isNumeric && second.isNumeric: true
        case (.boolean, .boolean), (.date, .date), (.day, .day), (.time, .time), (.version, .version): true
        case (.day, .date): left.isConstant || right.isConstantMidnight
        case (.date, .day): right.isConstant || left.isConstantMidnight
        case (.day, .text): right.literalText.map { Instant(day: $0) != nil } ?? (left.isConstant && !right.isConstant)
        case (.text, .day): left.literalText.map { Instant(day: $0) != nil } ?? (right.isConstant && !left.isConstant)
        case (.time, .text): right.literalText.map { TimeOfDay($0) != nil } ?? (left.isConstant && !right.isConstant)
        case (.text, .time): left.literalText.map { TimeOfDay($0) != nil } ?? (right.isConstant && !left.isConstant)
        case (.boolean, .integer): right.isTruthNumber
        case (.integer, .boolean): left.isTruthNumber
        case (.date, .text): right.isDateText || left.isConstant && !right.isConstant
        case (.text, .date): left.isDateText || right.isConstant && !left.isConstant
        case (.integer, .text): left.isColumn("id") && right.literalText.map { Int64($0) != nil } ?? false
        case (.text, .integer): right.isColumn("id") && left.literalText.map { Int64($0) != nil } ?? false
        case (.version, .text): right.isVersion || right.literalText != nil && binary.asksForEquality
        case (.text, .version): left.isVersion || left.literalText != nil && binary.asksForEquality
        case (.version, .binary): right.isVersion || binary.asksForEquality
        case (.binary, .version): left.isVersion || binary.asksForEquality
        default: false
        }
    }

    private func kind(of function: Function, _ arguments: [Expression]) throws(QueryError) -> ReferenceKind {
        for (index, argument) in arguments.enumerated() {
            switch function {
            case .contains, .matchesPattern, .startsWith, .endsWith, .substringOf, .indexOf, .length, .toLower,
                .toUpper, .trim, .replace:
                try demand(argument) { $0.isText }
            case .concat:
                try demand(argument) { $0.isText || isPlainNumber(argument) }
            case .substring:
                try demand(argument) { index == 0 ? $0.isText : $0.isNumeric }
            case .year, .month, .day:
                try demand(argument) { $0.isDate && !argument.isGUID || $0 == .day }
            case .hour, .minute, .second, .fractionalSeconds:
                try demand(argument) { $0.isDate && !argument.isGUID || $0 == .time }
            case .date, .time, .now:
                try demand(argument) {
                    $0.isDate && !argument.isGUID || $0 == (function == .date ? ReferenceKind.day : .time)
                }
            case .floor, .ceiling, .round:
                try demand(argument) { $0.isNumeric }
            }
        }
        switch function {
        case .contains, .matchesPattern, .startsWith, .endsWith, .substringOf: return .boolean
        case .indexOf, .length, .year, .month, .day, .hour, .minute, .second: return .integer
        case .fractionalSeconds: return .real
        case .now: return .date
        case .date: return .day
        case .time: return .time
        case .substring, .concat, .toLower, .toUpper, .trim, .replace: return .text
        case .floor, .ceiling, .round:
            let kind = try kind(of: arguments[0])
            return kind == .null ? .real : kind
        }
    }

    @discardableResult
    private func demand(
        _ expression: Expression, _ isRight: (ReferenceKind) -> Bool
    ) throws(QueryError) -> ReferenceKind {
        let kind = try kind(of: expression)
        guard isRight(kind) else { throw clash(expression) }
        return kind
    }

    private func clash(_ expression: Expression) -> QueryError {
        QueryError(option, at: expression.offset, .typeClash("kinds that don't go together"))
    }
}

extension Expression {
    /// A literal, also one in another case.
    var isConstant: Bool {
        switch self {
        case .literal: true
        // The day of a day is itself, and so is a time.
        case .call(.date, let arguments, _):
            if case .literal(.day, _) = arguments[0] {
                true
            } else {
                arguments[0].isCall(.date) && arguments[0].isConstant
            }
        case .call(.time, let arguments, _):
            if case .literal(.time, _) = arguments[0] {
                true
            } else {
                arguments[0].isCall(.time) && arguments[0].isConstant
            }
        default: literalText != nil
        }
    }

    private func isCall(_ wanted: Function) -> Bool {
        if case .call(wanted, _, _) = self { true } else { false }
    }

    /// Whether it is a literal date that can stand for its day.
    var isConstantMidnight: Bool {
        if case .literal(.date(let instant), _) = self { instant.isMidnight } else { false }
    }

    func isColumn(_ name: String) -> Bool {
        if case .column(let spelled, _) = self { spelled.lowercased() == name } else { false }
    }

    var isGUID: Bool {
        if case .literal(.guid, _) = self { true } else { false }
    }

    /// Whether it is the wire form of a version, or its bytes. Other texts are unequal to every version.
    var isVersion: Bool {
        switch self {
        case .literal(.binary(let bytes), _): bytes.count == 8 && bytes[0] < 0x80
        default: literalText.map { Version(wireText: $0) != nil } ?? false
        }
    }

    /// Whether it is a 0 or a 1, which can stand for false and true.
    var isTruthNumber: Bool {
        switch self {
        case .literal(.integer(let whole), _): whole == 0 || whole == 1
        // A whole number rounded is still that literal.
        case .call(.floor, let arguments, _), .call(.ceiling, let arguments, _), .call(.round, let arguments, _):
            arguments[0].isTruthNumber
        default: false
        }
    }

    var isDateText: Bool {
        literalText.map { Instant($0) != nil } ?? false
    }

    /// The text of a string literal, which may stand in `tolower` or `toupper`.
    var literalText: String? {
        switch self {
        case .literal(.text(let text), _): text
        case .call(.toLower, let arguments, _):
            arguments[0].literalText.map { ReferenceText.string(ReferenceText.lowered($0)) }
        case .call(.toUpper, let arguments, _):
            arguments[0].literalText.map { ReferenceText.string(ReferenceText.raised($0)) }
        default: nil
        }
    }
}

extension BinaryOperator {
    var asksForEquality: Bool { self == .equal || self == .notEqual }
}
