import OData
import Scalars
import Tables

/// An upper bound of a text's size in bytes: a constant, plus multiples of the lengths of a row's own texts.
struct TextSize {
    var constant = 0.0
    private(set) var factors: [(field: Field, factor: Double)] = []

    /// More than any limit, but small enough to be multiplied by the length of a row.
    private static let largest = 1e9

    init() {}

    init(of field: Field) { factors = [(field, 1)] }

    mutating func add(_ other: TextSize, times: Double = 1) {
        constant = min(constant + other.constant * times, Self.largest)
        for (field, factor) in other.factors {
            if let index = factors.firstIndex(where: { $0.field == field }) {
                factors[index].factor = min(factors[index].factor + factor * times, Self.largest)
            } else {
                factors.append((field, min(factor * times, Self.largest)))
            }
        }
    }
}

/// Adds up the texts that an expression reads and builds along the way.
struct TextWeight {
    let table: Table
    /// Whether text comparison ignores case, for which texts are folded.
    let folds: Bool
    var total = TextSize()

    /// The number of copies that PostgreSQL makes of a text to fold it, and to match a pattern.
    private static let foldCopies = 3.0, patternCopies = 5.0

    /// Adds an expression.
    /// - Returns: the size of its value, if that is text.
    @discardableResult mutating func add(_ expression: Expression) -> TextSize {
        switch expression {
        case .literal(let literal, _):
            var size = TextSize()
            if case .text(let text) = literal { size.constant = Double(text.utf8.count) }
            return size
        case .column(let name, _):
            guard let field = table.field(named: name), case .own(let column) = field else { return TextSize() }
            if column.type == .string { return TextSize(of: field) }
            // The maximum size of a number in `concat`.
            var size = TextSize()
            size.constant = Double(DecimalNumber.maximumDigits + 2)
            return size
        case .not(let inner, _), .negate(let inner, _):
            add(inner)
        case .binary:
            addChain(expression)
        case .among(let value, _, _):
            read(add(value), copies: folds ? Self.foldCopies : 1)
        case .call(let function, let arguments, _):
            return add(function, arguments)
        }
        return TextSize()
    }

    /// Proceeds from the right, because a long chain must not exhaust the stack.
    private mutating func addChain(_ chain: Expression) {
        var rest = chain
        var copies = 0.0
        while case .binary(let binary, let left, let right, _) = rest {
            copies = binary.isComparison ? folds ? Self.foldCopies : 1 : 0
            read(add(right), copies: copies)
            rest = left
        }
        read(add(rest), copies: copies)
    }

    private mutating func read(_ size: TextSize, copies: Double) {
        // A constant is a single value for all rows.
        guard !size.factors.isEmpty else { return }
        total.add(size, times: copies)
    }

    private mutating func add(_ function: Function, _ arguments: [Expression]) -> TextSize {
        let sizes = arguments.map { add($0) }
        let copies =
            switch function {
            case .matchesPattern: Self.patternCopies
            case .toLower, .toUpper: Self.foldCopies
            case .contains, .startsWith, .endsWith, .substringOf, .indexOf, .replace: folds ? Self.foldCopies : 1
            default: 1.0
            }
        for size in sizes { read(size, copies: copies) }
        var made = TextSize()
        switch function {
        case .concat:
            for size in sizes { made.add(size) }
        case .toLower, .toUpper, .trim:
            made = sizes[0]
        case .replace:
            made.add(sizes[0], times: Self.growth(arguments))
        case .substring:
            if arguments.count == 3, case .literal(.integer(let count), _) = arguments[2], count < 1 << 16 {
                made.constant = Double(max(count, 0)) * 4
            } else {
                made = sizes[0]
            }
        default: return made
        }
        total.add(made)
        return made
    }

    /// Returns the maximum factor by which a text grows: as if all of it were replaced.
    private static func growth(_ arguments: [Expression]) -> Double {
        guard case .literal(.text(let pattern), _) = arguments[1], case .literal(.text(let new), _) = arguments[2],
            !pattern.isEmpty
        else { return 1 }
        return max(1, (Double(new.utf8.count) / Double(pattern.unicodeScalars.count)).rounded(.up))
    }
}
