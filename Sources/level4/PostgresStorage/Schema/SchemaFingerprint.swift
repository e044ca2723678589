import TableSQL
import Tables

/// The mark by which a statement tells whether its table is as the catalog has it.
struct SchemaFingerprint: Equatable {
    /// The number of the schema, which every server increases when it changes a table.
    var epoch: Int64
    /// The table's id, the number of columns it has ever had and the file of its rows, which other programs change too:
    /// a change of a column's type rewrites the rows. nil if it isn't known.
    var relation: Int64?

    /// The `relation` of a row `c` of pg_class. The number of columns is in the lowest 16 bits.
    static let ofClass = "((c.oid::int8 << 16) # (c.relfilenode::int8 << 31)) + c.relnatts"
}

extension SchemaFingerprint {
    /// The mark at the end of a row; nil where there is no row.
    init?(_ result: PostgresResult, row: Int = 0) {
        guard row < result.rowCount else { return nil }
        let last = result.columnCount - 1
        self.init(epoch: result.integer(row, last - 1), relation: result.integer(row, last))
    }
}

extension SQLText {
    /// Returns a query with the mark of a table as its last two columns, from the same snapshot.
    func marked(for table: Table) -> SQLText {
        SQLText("SELECT q.*, (SELECT epoch FROM zumod_schema), \(Self.relation(of: table)) FROM (\(text)) q", bindings)
    }

    /// Returns a query with the relation of a table as its last column.
    func withRelation(of table: Table) -> SQLText {
        SQLText("SELECT q.*, \(Self.relation(of: table)) FROM (\(text)) q", bindings)
    }

    /// Returns a write that ends with what it returns, with the relation of its table as the last column.
    func returningRelation(of table: Table) -> SQLText {
        SQLText("\(text), \(Self.relation(of: table))", bindings)
    }

    // The name is resolved like that of the statement, when the server prepares it. A change to the table repeats this.
    private static func relation(of table: Table) -> String {
        let name = PostgresName.physical(table.name.text)
        return "(SELECT \(SchemaFingerprint.ofClass) FROM pg_class c WHERE c.oid = '\"\(name)\"'::regclass)"
    }
}

extension PostgresResult {
    /// Whether the last column shows that a table is the expected relation; also true if none was expected, or without
    /// a row.
    func isOf(_ relation: Int64?) -> Bool {
        guard let relation, rowCount > 0 else { return true }
        return integer(0, columnCount - 1) == relation
    }
}
