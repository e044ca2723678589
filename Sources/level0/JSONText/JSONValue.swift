import ByteText

/// A parsed JSON value. Members keep their order; if a name occurs twice, both are kept, and the last one counts.
public indirect enum JSONValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    case number(Double)
    /// A number whose text has more information than its double: more than 15 digits, an exponent, or a fraction that
    /// ends with 0.
    case precise(String, nearest: Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Compares kind and value as written, text byte by byte.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.precise(let left, let nearest), .precise(let right, let other)):
            left.isExactly(right) && nearest == other
        case (.string(let left), .string(let right)): left.isExactly(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.null, _), (.boolean, _), (.integer, _), (.number, _), (.precise, _), (.string, _), (.array, _),
            (.object, _):
            false
        }
    }
}

/// One member of a JSON object.
public struct JSONMember: Sendable, Equatable {
    /// The name, unescaped.
    public let name: String
    /// The value.
    public let value: JSONValue

    /// Creates a member.
    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }

    /// Compares names byte by byte, and values.
    public static func == (left: JSONMember, right: JSONMember) -> Bool {
        left.name.isExactly(right.name) && left.value == right.value
    }
}

/// Why a text isn't JSON, and where.
public struct JSONError: Error, Sendable, Equatable {
    /// The offset in bytes from the start of the text.
    public let offset: Int
    /// What is wrong.
    public let reason: Reason

    /// The possible errors.
    public enum Reason: Sendable, Equatable {
        /// The text ends inside a value.
        case unexpectedEnd
        /// The character isn't allowed here; the words say what was expected.
        case expected(String)
        /// Text follows the value.
        case trailingText
        case invalidNumber
        /// The number is too large for a double.
        case numberOutOfRange
        case invalidEscape
        /// A string contains an unescaped control character.
        case controlCharacter
        case invalidUTF8
        /// U+0000, which PostgreSQL's text can't hold.
        case nul
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
    }
}
