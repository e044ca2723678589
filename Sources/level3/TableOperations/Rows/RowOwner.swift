import OData
import Tables

/// The user to whose rows a caller is limited in a table with rows per user.
struct RowOwner {
    /// The column that holds a row's owner.
    let column: Identifier
    /// The user's id.
    let id: String

    var condition: Expression {
        .binary(.equal, .column(column.text, at: 0), .literal(.text(id), at: 0), at: 0)
    }

    /// Returns the properties of a new row, owned by the user whatever the client says.
    func owning(_ properties: [Property]) -> [Property] {
        withoutOwner(properties) + [Property(column.text, .text(id))]
    }

    /// Returns the properties of a change without the owner, so that it can't give the row away.
    func withoutOwner(_ properties: [Property]) -> [Property] {
        properties.filter { Identifier($0.name) != column }
    }
}
