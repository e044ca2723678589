import Scalars

/// Why a stored value isn't what clients get, or can't come back from an export.
///
/// Other programs write such values: SQLite keeps any value in any column, and PostgreSQL has dates and numbers that
/// JSON doesn't have.
public enum ValueFault: String, Sendable, CaseIterable {
    /// The value is of another type than its column.
    case otherKind
    /// A boolean in SQLite is a number other than 0 and 1.
    case otherTruth
    /// A date in SQLite isn't spelled as the server does, so that conditions compare it as another one.
    case otherSpelling
    /// A number is NaN or infinite.
    case endless
    /// A date is infinite, or its year isn't one of 1 to 9999.
    case outOfRange
    /// A text isn't UTF-8.
    case garbled
    /// A text has the character U+0000, which no body of a request may have.
    case zero
    /// A date has digits beyond the millisecond.
    case finer
    /// An id is empty or too long, or a decimal has too many digits.
    case unfitSize
    /// An id, a stamp or a version leaves no room for later ones.
    case tooHigh

    /// Whether it keeps clients from reading or finding the value as what its column should have.
    public var isFinding: Bool {
        switch self {
        case .otherKind, .otherTruth, .otherSpelling, .endless, .outOfRange, .garbled, .zero: true
        // Adopted tables usually have dates with microseconds, and `verify` looks at the ends of numbers by itself.
        case .finer, .unfitSize, .tooHigh: false
        }
    }

    /// Whether an export changes the value, or an import refuses it.
    public var isLoss: Bool {
        // An export spells it as the server does.
        self != .otherSpelling
    }

    /// What becomes of the values in an export.
    public var exported: String {
        switch self {
        case .otherKind, .zero, .unfitSize, .tooHigh: "which an import can refuse"
        case .otherTruth: "exported as true"
        case .otherSpelling: "exported in the server's"
        case .endless: "exported as null"
        case .outOfRange: "exported as the first or the last date that has a text"
        case .garbled: "exported with U+FFFD in place of bytes"
        case .finer: "cut to the millisecond"
        }
    }
}

/// The values of a column with the same fault.
public struct UnfitValues: Sendable, Equatable {
    /// The column.
    public let field: Field
    /// What the column should hold.
    public let type: ColumnType
    /// What is wrong with the values.
    public let fault: ValueFault
    /// The number of rows.
    public let count: Int64
    /// The ids of some of these rows.
    public let examples: [String]

    /// Creates the values.
    public init(_ field: Field, _ type: ColumnType, _ fault: ValueFault, count: Int64, examples: [String]) {
        self.field = field
        self.type = type
        self.fault = fault
        self.count = count
        self.examples = examples
    }

    /// What the values are, such as `values that are no numbers`.
    public var description: String {
        switch fault {
        case .otherKind: "values that are no \(kind)"
        case .otherTruth: "numbers other than 0 and 1"
        case .otherSpelling: "\(kind) in another spelling than the server's"
        case .endless: "numbers that are infinite or none (NaN)"
        case .outOfRange: "dates beyond the years 1 to 9999"
        case .garbled: "texts that are not UTF-8"
        case .zero: "texts with the character U+0000"
        case .finer: "\(kind) finer than a millisecond"
        case .unfitSize:
            type == .decimal
                ? "decimals of more than \(DecimalNumber.maximumDigits) digits"
                : "ids that are empty or have more than \(RowID.maximumLength) characters"
        case .tooHigh: "values that leave no room for later ones"
        }
    }

    /// How many there are, and where: `3, in rows such as a, b, c`.
    public var places: String {
        let ids = examples.map { $0.count > Self.shownLength ? "\($0.prefix(Self.shownLength))…" : $0 }
        return ids.isEmpty ? "\(count)" : "\(count), in rows such as \(ids.joined(separator: ", "))"
    }

    /// Other programs' ids may be long.
    private static let shownLength = 64

    private var kind: String {
        switch type {
        case .string: "texts"
        case .number: "numbers"
        case .integer: "whole numbers"
        case .decimal: "decimal numbers"
        case .boolean: "booleans"
        case .date: "dates"
        case .dateOnly: "days"
        case .timeOnly: "times of day"
        }
    }
}
