import HTTPModel
import JSONText
import Scalars
import TableOperations
import Tables
import ZumoProtocol

/// The parsed body of an insert or update: id, version, and the properties for the table's own columns.
struct RequestBody {
    /// nil if the body has no id, or null.
    var id: BodyID?
    /// The body's `version`, unless null, as the precondition of an update without If-Match (v2).
    var version: Precondition?
    var properties: [Property] = []

    enum BodyID: Equatable {
        case text(String)
        case integer(Int64)

        /// Ids are compared as text: `1` in a body means the row `/tables/NAME/1`.
        var text: String {
            switch self {
            case .text(let text): text
            case .integer(let number): String(number)
            }
        }
    }

    /// Reads the body of a v2 request. An empty body is an empty row.
    ///
    /// Values are converted to the types of the table's columns if that loses nothing; without a table they stay as
    /// they are. `createdAt`, `updatedAt` and `deleted` in any case are refused by name (v2-104).
    init(
        _ request: HTTPRequest, for table: Table? = nil, keeping nested: NestedMembers? = nil
    ) throws(RequestError) {
        try Self.checkType(request.fields)
        if request.body.isEmpty { return }
        guard case .object(let members) = try Self.parse(request.body) else { throw .bodyNotObject }
        properties.reserveCapacity(members.count)
        for member in members {
            switch SystemColumn(named: member.name) {
            case .id: id = try Self.id(member.value)
            case .version: version = Self.version(member.value)
            case .createdAt, .updatedAt, .deleted: throw .table(.reservedProperty(member.name))
            case nil: properties.append(try Self.property(member, keeping: nested).converted(for: table))
            }
        }
    }

    static func parse(_ bytes: [UInt8]) throws(RequestError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(bytes, loneSurrogates: .replaced)
        } catch {
            throw .json(error)
        }
    }

    static func id(_ value: JSONValue) throws(RequestError) -> BodyID? {
        switch value {
        case .null: nil
        case .string(let text): .text(text)
        case .integer(let number): .integer(number)
        case .boolean, .number, .precise, .array, .object: throw .idNotText
        }
    }

    private static func version(_ value: JSONValue) -> Precondition? {
        switch value {
        case .null: nil
        case .string(let text): Precondition(versionIn: text)
        case .boolean, .integer, .number, .precise, .array, .object: .unmatchable
        }
    }

    /// - Parameter kept: collects values that no column can hold, for a script to use; nil if there is no script.
    static func property(_ member: JSONMember, keeping kept: NestedMembers?) throws(RequestError) -> Property {
        switch member.value {
        case .null: Property(member.name, .null)
        case .boolean(let value): Property(member.name, .boolean(value))
        case .integer(let value): Property(member.name, .integer(value))
        case .number(let value): Property(member.name, .number(value))
        case .precise(let text, let value):
            Property(member.name, DecimalNumber(text).map(Value.decimal) ?? .number(value))
        case .string(let value): Property(member.name, .text(value))
        case .array, .object: try nested(member, kept)
        }
    }

    private static func nested(_ member: JSONMember, _ kept: NestedMembers?) throws(RequestError) -> Property {
        guard let kept else { throw .nestedValue(property: member.name) }
        kept.add(member)
        return Property(member.name, .null)
    }

    /// The media types of a row.
    static let json = ["application/json", "text/json"]

    /// Refuses a body whose media type is not that of a row.
    static func checkType(_ fields: HTTPFields) throws(RequestError) {
        _ = try mediaType(fields, among: json)
    }

    /// Returns the media type of a body, in lower case. If Content-Type is missing or empty, it is the first accepted
    /// type, which is JSON (v2-180).
    static func mediaType(_ fields: HTTPFields, among accepted: [String]) throws(RequestError) -> String {
        if let coding = fields["Content-Encoding"], !coding.isEmpty, coding.lowercased() != "identity" {
            throw .contentCoding(coding)
        }
        guard let type = fields["Content-Type"], !type.isEmpty else { return accepted[0] }
        // The form that nearly every client sends.
        if accepted.contains(type) { return type }
        let json = "application/json"
        if type == "application/json; charset=utf-8", accepted.contains(json) { return json }
        let parts = type.split(separator: ";").map { trimmed($0) }
        let mediaType = parts.first?.lowercased() ?? ""
        guard accepted.contains(mediaType) else { throw .mediaType(type, accepted: accepted) }
        for parameter in parts.dropFirst() where parameter.lowercased().hasPrefix("charset=") {
            var charset = parameter.dropFirst("charset=".count)
            if charset.first == "\"", charset.last == "\"" { charset = charset.dropFirst().dropLast() }
            guard ["utf-8", "utf8", "us-ascii"].contains(charset.lowercased()) else { throw .charset(String(charset)) }
        }
        return mediaType
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return text
    }
}

extension Property {
    /// Returns the property with its value converted to the column's type, if that loses nothing.
    func converted(for table: Table?) -> Property {
        guard value != .null, let column = table?.column(named: name),
            let value = column.type.lossless(value)
        else { return self }
        return Property(name, value)
    }
}
