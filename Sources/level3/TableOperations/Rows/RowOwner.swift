import OData
import Tables

/// The user whose rows are all that a caller sees of a table with rows per user.
struct RowOwner {
    /// The column that says whose a row is.
    let column: Identifier
    /// The user's id.
    let id: String

    var condition: Expression {
        .binary(.equal, .column(column.text, at: 0), .literal(.text(id), at: 0), at: 0)
    }

    /// The properties of a new row, which is the user's whatever the client says.
    func owning(_ properties: [Property]) -> [Property] {
        withoutOwner(properties) + [Property(column.text, .text(id))]
    }

    /// The properties of a change, which can't give the row away.
    func withoutOwner(_ properties: [Property]) -> [Property] {
        properties.filter { Identifier($0.name) != column }
    }
}
