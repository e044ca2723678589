import TableSQL
import Tables

/// By what a statement tells whether its table is as the catalog has it.
struct SchemaFingerprint: Equatable {
    /// The number of the schema, which each server moves that changes a table.
    var epoch: Int64
    /// The table itself with how many columns it has ever had and the file of its rows, which other programs change too: a
    /// column that gets another type has them written anew. nil where that isn't known.
    var relation: Int64?

    /// `relation` of the row `c` of pg_class. The number of columns is in the lowest 16 bits.
    static let ofClass = "((c.oid::int8 << 16) # (c.relfilenode::int8 << 31)) + c.relnatts"

    /// The mark at the end of a row; nil where there is no row.
    init?(_ result: PostgresResult, row: Int = 0) {
        guard row < result.rowCount else { return nil }
        let last = result.columnCount - 1
        epoch = result.integer(row, last - 1)
        relation = result.integer(row, last)
    }

    init(epoch: Int64, relation: Int64?) {
        self.epoch = epoch
        self.relation = relation
    }
}

extension SQLText {
    /// A query with the mark of a table as its last two columns, from the same snapshot.
    func marked(for table: Table) -> SQLText {
        SQLText("SELECT q.*, (SELECT epoch FROM zumod_schema), \(Self.relation(of: table)) FROM (\(text)) q", bindings)
    }

    /// A query with the relation of a table as its last column.
    func withRelation(of table: Table) -> SQLText {
        SQLText("SELECT q.*, \(Self.relation(of: table)) FROM (\(text)) q", bindings)
    }

    /// A write that ends with what it returns, with the relation of its table as the last column.
    func returningRelation(of table: Table) -> SQLText {
        SQLText("\(text), \(Self.relation(of: table))", bindings)
    }

    // The name is read as the statement's own is, when the server prepares it. What changes the table has it read again.
    private static func relation(of table: Table) -> String {
        let name = PostgresName.physical(table.name.text)
        return "(SELECT \(SchemaFingerprint.ofClass) FROM pg_class c WHERE c.oid = '\"\(name)\"'::regclass)"
    }
}

extension PostgresResult {
    /// Whether the last column tells that a table is the relation that it was thought to be; so where nothing was thought,
    /// and without a row.
    func isOf(_ relation: Int64?) -> Bool {
        guard let relation, rowCount > 0 else { return true }
        return integer(0, columnCount - 1) == relation
    }
}
