import HTTPModel
import JSONText
import OData
import TableOperations
import Tables

/// The body of an insert or update of a v1 client.
struct ServicesBody {
    /// nil if the body has none, or null.
    private(set) var id: RequestBody.BodyID?
    private(set) var properties: [Property] = []
    /// Whether the body has no member at all, not even an id.
    let isEmpty: Bool

    /// Reads a body and looks at its names.
    ///
    /// The id has one spelling. Names with `__` are the server's, which clients strip before they send a row; without
    /// them the same names are the app's own (v1-31).
    init(_ request: HTTPRequest, for table: Table, keeping nested: NestedMembers?) throws(RequestError) {
        try RequestBody.checkType(request.fields)
        if request.body.isEmpty { throw .services(.bodyMissing) }
        guard case .object(let members) = try RequestBody.parse(request.body) else { throw .bodyNotObject }
        isEmpty = members.isEmpty
        properties.reserveCapacity(members.count)
        for member in members {
            if member.name == "id" {
                id = try RequestBody.id(member.value)
                continue
            }
            if member.name.lowercased() == "id" { throw .services(.idMisspelled(member.name)) }
            if member.name.hasPrefix("__") { throw .table(.reservedProperty(member.name)) }
            let column = OwnColumnName.column(inServices: member.name)
            let given = column.map { JSONMember($0, member.value) } ?? member
            properties.append(try Self.property(given, of: table, keeping: nested))
        }
    }

    private static func property(
        _ member: JSONMember, of table: Table, keeping nested: NestedMembers?
    ) throws(RequestError) -> Property {
        let property = try RequestBody.property(member, keeping: nested)
        guard let name = Identifier(member.name) else { return property }
        let column = table.column(name)
        // A null tells no type, so it can't add a column, not even on an insert.
        if member.value == .null, column == nil {
            throw .table(.unknownProperty(member.name))
        }
        guard case .text(let text) = property.value, let date = ServicesDate(text),
            column == nil || column?.type == .date
        else { return property.converted(for: table) }
        return Property(member.name, .text(date.wireText), impliedType: .date)
    }
}
