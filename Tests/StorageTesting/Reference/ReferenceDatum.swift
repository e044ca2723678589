import OData
import Scalars
import Tables

/// What an expression yields for one row. Null also stands for "unknown" where a truth value is asked for.
enum ReferenceDatum: Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case decimal(ReferenceDecimal)
    case text(String)
    case date(Instant)
    /// In the forms of the wire.
    case day(String)
    case time(String)
    case version(Int64)
    case binary([UInt8])

    /// A stored value; the version is stored as its counter.
    init(_ value: Value, of kind: ReferenceKind) {
        switch value {
        case .null: self = .null
        case .boolean(let truth): self = .boolean(truth)
        case .integer(let whole): self = kind == .version ? .version(whole) : .integer(whole)
        case .number(let number): self = .real(number)
        case .decimal(let number): self = .decimal(ReferenceDecimal(number))
        case .text(let text): self = kind == .day ? .day(text) : kind == .time ? .time(text) : .text(text)
        case .date(let instant): self = .date(instant)
        }
    }

    init(_ literal: Literal) {
        switch literal {
        case .null: self = .null
        case .boolean(let truth): self = .boolean(truth)
        case .integer(let whole): self = .integer(whole)
        case .real(let number): self = .real(number)
        case .decimal(let number): self = .decimal(ReferenceDecimal(number))
        case .text(let text), .guid(let text): self = .text(text)
        case .date(let instant): self = .date(instant)
        case .day(let midnight): self = .day(midnight.dayText)
        case .time(let time): self = .time(time.wireText)
        case .binary(let bytes): self = .binary(bytes)
        }
    }

    /// The number as a real; nil for anything else.
    var real: Double? {
        switch self {
        case .integer(let whole): Double(whole)
        case .real(let number): number
        case .decimal(let number): number.real
        default: nil
        }
    }

    /// The number as a decimal; nil for anything else, and for what no decimal is.
    var decimal: ReferenceDecimal? {
        switch self {
        case .integer(let whole): ReferenceDecimal(whole)
        case .real(let number): DecimalNumber(number).map { ReferenceDecimal($0) }
        case .decimal(let number): number
        default: nil
        }
    }

    /// True, false or, for null, nothing.
    var truth: Bool? {
        if case .boolean(let truth) = self { truth } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    init(_ truth: Bool?) {
        self = truth.map(Self.boolean) ?? .null
    }
}

/// How two values stand to each other.
enum ReferenceOrder {
    case ascending, same, descending

    init<Element: Comparable>(_ left: Element, _ right: Element) {
        self = left < right ? .ascending : right < left ? .descending : .same
    }

    var reversed: ReferenceOrder {
        switch self {
        case .ascending: .descending
        case .same: .same
        case .descending: .ascending
        }
    }

    /// A whole number beside a real one, by their mathematical values.
    init(_ whole: Int64, _ real: Double) {
        guard let floor = Int64(exactly: real.rounded(.down)) else {
            self = real > 0 ? .ascending : .descending
            return
        }
        self = whole == floor && real > real.rounded(.down) ? .ascending : ReferenceOrder(whole, floor)
    }

    /// Two texts, code point by code point.
    init(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) {
        self = left == right ? .same : left.lexicographicallyPrecedes(right) ? .ascending : .descending
    }
}
