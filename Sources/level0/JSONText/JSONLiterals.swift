import ByteText

// Literals and accessors for JSON in code.

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral text: String) {
        self = .string(text)
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Creates a whole number.
    public init(integerLiteral number: Int64) {
        self = .integer(number)
    }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral number: Double) {
        self = .number(number)
    }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }
}

extension JSONValue: ExpressibleByNilLiteral {
    /// Creates `null`.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object with its members in the order written.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { JSONMember($0, $1) })
    }
}

extension JSONValue {
    /// The last member with that name; nil if there is none, or the value isn't an object.
    public subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name.isExactly(name) }?.value
    }

    /// The text of a string; nil if the value is something else.
    public var textValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The whole number, however it is written; nil if the value isn't one.
    public var integerValue: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number), .precise(_, nearest: let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The number as a double; nil if the value is not a number.
    public var numberValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number), .precise(_, nearest: let number): number
        default: nil
        }
    }

    /// The boolean; nil if the value is not a boolean.
    public var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The elements of an array; nil if the value is something else.
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}

// Conversions of optional values, in which nil becomes null.
extension JSONValue {
    /// Creates a string.
    public init(_ text: String?) {
        self = text.map { .string($0) } ?? .null
    }

    /// Creates a whole number.
    public init(_ number: (some BinaryInteger)?) {
        self = number.map { .integer(Int64($0)) } ?? .null
    }

    /// Creates a number.
    public init(_ number: Double?) {
        self = number.map { .number($0) } ?? .null
    }

    /// Creates an array of strings.
    public init(_ texts: [String]) {
        self = .array(texts.map { .string($0) })
    }
}

extension JSONValue {
    /// The value as JSON.
    public var jsonBytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The same as text.
    public var jsonText: String { String(decoding: jsonBytes, as: UTF8.self) }
}

extension JSONWriter {
    /// Appends a value with everything in it.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .boolean(let value): boolean(value)
        case .integer(let value): integer(value)
        case .number(let value): number(value)
        case .precise(let text, nearest: _): building { $0.append(contentsOf: text.utf8) }
        case .string(let value): string(value)
        case .array(let elements):
            raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { raw(",") }
                self.value(element)
            }
            raw("]")
        case .object(let members):
            raw("{")
            for (index, member) in members.enumerated() {
                if index > 0 { raw(",") }
                string(member.name)
                raw(":")
                self.value(member.value)
            }
            raw("}")
        }
    }
}
