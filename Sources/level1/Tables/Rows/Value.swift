import ByteText
public import Scalars

/// The value of one cell.
public enum Value: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case decimal(DecimalNumber)
    case text(String)
    case date(Instant)

    /// The kind of value, as error messages name it.
    public var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .number, .decimal: "a number"
        case .text: "a string"
        case .date: "a date"
        }
    }

    /// Compares kind and value, text byte by byte.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.text(let left), .text(let right)): left.isExactly(right)
        case (.date(let left), .date(let right)): left == right
        case (.null, _), (.boolean, _), (.integer, _), (.number, _), (.decimal, _), (.text, _), (.date, _): false
        }
    }
}

/// A member of a request body: a name as the client wrote it, and its value. Dates arrive as text.
public struct Property: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The value, not yet checked against a column.
    public let value: Value
    /// The type of the column that dynamic schema adds for the property; nil to infer it from the value.
    public let impliedType: ColumnType?

    /// Creates a property.
    public init(_ name: String, _ value: Value, impliedType: ColumnType? = nil) {
        self.name = name
        self.value = value
        self.impliedType = impliedType
    }

    /// Compares names byte by byte, values and implied types.
    public static func == (left: Property, right: Property) -> Bool {
        left.name.isExactly(right.name) && left.value == right.value && left.impliedType == right.impliedType
    }
}
