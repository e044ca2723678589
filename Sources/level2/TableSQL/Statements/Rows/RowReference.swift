import Tables

/// A foreign key by which rows of some table, which may be another program's, refer to rows of a table.
public struct RowReference: Sendable, Equatable {
    /// The schema of the table whose rows refer; nil if the database has none.
    public let schema: String?
    /// The table whose rows refer.
    public let table: String
    /// Its columns, each with the one of the other table whose values it holds.
    public private(set) var columns: [(own: String, other: String)]
    /// Whether that table is the same.
    public let isOwn: Bool
    /// Tells a table's foreign keys apart.
    private let number: Int64

    /// Collects foreign keys from pairs of columns. Those of one key come one after the other.
    public struct Gathering: Sendable {
        /// The collected keys.
        public private(set) var references: [RowReference] = []

        /// Begins with none.
        public init() {}

        /// Adds a pair of columns.
        /// - Parameter number: the key's, among those of its table.
        public mutating func add(
            schema: String?, table: String, isOwn: Bool, number: Int64, own: String, other: String
        ) {
            let pair = (own: own, other: other)
            if let last = references.indices.last, references[last].isOf(schema, table, number) {
                references[last].columns.append(pair)
            } else {
                references.append(
                    RowReference(schema: schema, table: table, columns: [pair], isOwn: isOwn, number: number))
            }
        }
    }

    private func isOf(_ schema: String?, _ table: String, _ number: Int64) -> Bool {
        self.schema == schema && self.table == table && self.number == number
    }

    /// Equal if they are the same key.
    public static func == (left: RowReference, right: RowReference) -> Bool {
        left.isOf(right.schema, right.table, right.number)
    }
}

extension SQLBuilder {
    /// Appends whether a row refers to the current row. A row's reference to itself doesn't count.
    mutating func isReferredTo(by reference: RowReference, in table: Table) {
        append("EXISTS (SELECT 1 FROM ")
        if let schema = reference.schema {
            identifier(schema)
            append(".")
        }
        identifier(reference.table)
        append(" AS zumod_referrer WHERE ")
        for (index, pair) in reference.columns.enumerated() {
            if index > 0 { append(" AND ") }
            identifier(table.name.text)
            append(".")
            identifier(pair.other)
            append(" = zumod_referrer.")
            identifier(pair.own)
        }
        if reference.isOwn {
            append(" AND zumod_referrer.\"id\" <> ")
            identifier(table.name.text)
            append(".\"id\"")
        }
        append(")")
    }

    /// Appends whether no row refers to the current row, using a list that is made once.
    mutating func isNoneReferredTo(by reference: RowReference) {
        append("(")
        each(reference.columns, between: ", ") { $0.identifier($1.other) }
        append(") NOT IN (SELECT ")
        each(reference.columns, between: ", ") { $0.identifier($1.own) }
        append(" FROM ")
        identifier(reference.table)
        append(" WHERE ")
        each(reference.columns, between: " AND ") {
            $0.identifier($1.own)
            $0.append(" IS NOT NULL")
        }
        if reference.isOwn {
            append(" AND NOT (")
            each(reference.columns, between: " AND ") {
                $0.identifier($1.own)
                $0.append(" = ")
                $0.identifier($1.other)
            }
            append(")")
        }
        append(")")
    }

    private mutating func each<Item>(_ items: [Item], between word: String, _ add: (inout SQLBuilder, Item) -> Void) {
        for (index, item) in items.enumerated() {
            if index > 0 { append(word) }
            add(&self, item)
        }
    }
}
