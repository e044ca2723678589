public import JSONText

/// A row as a client keeps it: the system columns by themselves, without the underscores of the first generation.
public struct SyncedRow: Sendable, Equatable {
    /// The id.
    public let id: String
    /// The version; nil where the client has none of this row yet.
    public var version: String?
    /// The stamp as it was answered.
    public var updatedAt: String?
    /// Whether the row is a tombstone.
    public var isDeleted: Bool
    /// The columns that the table's owner made.
    public var columns: [String: JSONValue]

    /// A row that no server knows yet.
    public init(id: String, columns: [String: JSONValue] = [:]) {
        self.id = id
        self.columns = columns
        isDeleted = false
    }

    /// - Returns: nil where the value is no object with an id.
    init?(_ value: JSONValue, underscored: Bool = false) {
        guard case .object(let members) = value else { return nil }
        let prefix = underscored ? "__" : ""
        var columns = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        guard let id = columns.removeValue(forKey: "id")?.text else { return nil }
        self.id = id
        version = columns.removeValue(forKey: prefix + "version")?.text
        updatedAt = columns.removeValue(forKey: prefix + "updatedAt")?.text
        isDeleted = columns.removeValue(forKey: prefix + "deleted") == .boolean(true)
        columns[prefix + "createdAt"] = nil
        self.columns = columns
    }
}

extension JSONValue {
    /// The text of a string.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The elements of an array.
    var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The last member of that name.
    func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    fileprivate static func write(_ value: JSONValue, to json: inout JSONWriter) {
        switch value {
        case .null: json.raw("null")
        case .boolean(let value): json.boolean(value)
        case .integer(let number): json.integer(number)
        case .number(let number): json.number(number)
        case .precise(let digits, _): json.raw(ArraySlice(digits.utf8))
        case .string(let text): json.string(text)
        case .array(let elements):
            json.raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { json.raw(",") }
                write(element, to: &json)
            }
            json.raw("]")
        case .object(let members):
            json.raw("{")
            for (index, member) in members.enumerated() {
                if index > 0 { json.raw(",") }
                json.string(member.name)
                json.raw(":")
                write(member.value, to: &json)
            }
            json.raw("}")
        }
    }
}

extension String {
    /// An object with these members in their order, as a body.
    init(item members: [(name: String, value: JSONValue)]) {
        var json = JSONWriter()
        JSONValue.write(.object(members.map { JSONMember($0.name, $0.value) }), to: &json)
        self.init(decoding: json.bytes, as: UTF8.self)
    }
}
