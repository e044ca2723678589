import HTTPModel
import JSONText
import TableOperations
import Tables

/// The parsed body of a v3 request.
///
/// Members that a table without dynamic schema doesn't have are left out, and so are unknown nulls: v3 servers read a
/// row into a class and ignore the rest.
struct DatasyncBody {
    /// nil if the body has no id, or null.
    private(set) var id: RequestBody.BodyID?
    /// nil if the body has no `deleted`, or null.
    private(set) var deleted: Bool?
    /// The body's values for columns that only the server writes, apart from nulls.
    private(set) var stated: [(column: SystemColumn, value: JSONValue)] = []
    private(set) var properties: [Property] = []

    /// Reads the body of a POST or PUT, which is required.
    init(_ request: HTTPRequest, of table: Table, keeping nested: NestedMembers?) throws(RequestError) {
        try RequestBody.checkType(request.fields)
        try self.init(request.body, of: table, keeping: nested)
    }

    /// Reads a row's members from a body of the right media type.
    init(_ bytes: [UInt8], of table: Table, keeping nested: NestedMembers?) throws(RequestError) {
        guard !bytes.isEmpty else { throw .bodyEmpty }
        switch try RequestBody.parse(bytes) {
        case .null: throw .bodyEmpty
        case .object(let members): try self.init(members, of: table, keeping: nested)
        case .boolean, .integer, .number, .precise, .string, .array: throw .bodyNotObject
        }
    }

    /// Matches members against a table's columns.
    init(_ members: [JSONMember], of table: Table, keeping nested: NestedMembers?) throws(RequestError) {
        properties.reserveCapacity(members.count)
        for member in members {
            switch SystemColumn(named: member.name) {
            case .id: id = try RequestBody.id(member.value)
            case .deleted: deleted = try Self.flag(member, nested)
            case .createdAt?, .updatedAt?, .version?:
                if let column = SystemColumn(named: member.name), member.value != .null {
                    stated.append((column, member.value))
                }
            case nil:
                if let property = try Self.property(member, of: table, nested) { properties.append(property) }
            }
        }
    }

    private static func flag(_ member: JSONMember, _ nested: NestedMembers?) throws(RequestError) -> Bool? {
        switch member.value {
        case .null: return nil
        case .boolean(let value): return value
        case .integer, .number, .precise, .string, .array, .object:
            let found = try RequestBody.property(member, keeping: nested).value
            throw .table(.typeMismatch(property: member.name, column: .boolean, found: found))
        }
    }

    /// - Returns: nil for a member that is ignored.
    private static func property(
        _ member: JSONMember, of table: Table, _ nested: NestedMembers?
    ) throws(RequestError) -> Property? {
        guard let column = Identifier(member.name).flatMap(table.column) else {
            if !table.rules.dynamicSchema || member.value == .null { return nil }
            return try RequestBody.property(member, keeping: nested)
        }
        if case .string(let text) = member.value, column.type.isNumeric, let number = number(text) {
            return try RequestBody.property(JSONMember(member.name, number), keeping: nil)
        }
        return try RequestBody.property(member, keeping: nested)
    }

    /// A number in a string, as .NET clients may be configured to send it. `NaN` and infinities don't count.
    private static func number(_ text: String) -> JSONValue? {
        guard let value = try? JSONReader.parse(Array(text.utf8)) else { return nil }
        return switch value {
        case .integer, .number, .precise: value
        case .null, .boolean, .string, .array, .object: nil
        }
    }

    /// Sets the columns that the body leaves out as v3 servers do: declared ones to the default value of their type,
    /// which clients don't send. A replacement sets all others to null.
    mutating func fillAbsent(in table: Table, replacing: Bool, isDeclared: (Column) -> Bool) {
        let present = Set(properties.compactMap { Identifier($0.name) })
        for column in table.columns where !present.contains(column.name) {
            let value = isDeclared(column) ? column.type.emptyValue : .null
            if replacing || value != .null { properties.append(Property(column.name.text, value)) }
        }
    }
}

extension ColumnType {
    var isNumeric: Bool { [.number, .integer, .decimal].contains(self) }

    /// The value of a declared column that a v3 client leaves out: 0, false or null.
    var emptyValue: Value {
        switch self {
        case .number, .integer, .decimal: .integer(0)
        case .boolean: .boolean(false)
        case .string, .date, .dateOnly, .timeOnly: .null
        }
    }
}
