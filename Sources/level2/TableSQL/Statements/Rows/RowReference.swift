import Tables

/// A foreign key by which rows of a table, possibly another program's, refer to rows of a table.
public struct RowReference: Sendable {
    /// The schema of the referring table; nil if the database has none.
    public let schema: String?
    /// The referring table.
    public let table: String
    /// Its columns, each with the referenced column.
    public fileprivate(set) var columns: [(own: String, other: String)]
    /// Whether the table refers to itself.
    public let isOwn: Bool
    /// Distinguishes a table's foreign keys.
    fileprivate let number: Int64

    fileprivate func isOf(_ schema: String?, _ table: String, _ number: Int64) -> Bool {
        self.schema == schema && self.table == table && self.number == number
    }
}

extension [RowReference] {
    /// Adds a pair of columns. Those of one key must be adjacent.
    /// - Parameter number: the key's number among those of its table.
    public mutating func add(schema: String?, table: String, isOwn: Bool, number: Int64, own: String, other: String) {
        let pair = (own: own, other: other)
        if let last = indices.last, self[last].isOf(schema, table, number) {
            self[last].columns.append(pair)
        } else {
            append(RowReference(schema: schema, table: table, columns: [pair], isOwn: isOwn, number: number))
        }
    }
}

extension RowReference {
    /// Returns whether a row refers to the current row of a table. A row's reference to itself doesn't count.
    func refers(in table: Table) -> SQLFragment {
        let referrer: SQLFragment = schema.map { "\(SQLFragment(named: $0)).\(from)" } ?? from
        var conditions = columns.map { pair -> SQLFragment in
            "\(table.name).\(SQLFragment(named: pair.other)) = zumod_referrer.\(SQLFragment(named: pair.own))"
        }
        if isOwn { conditions.append("zumod_referrer.\"id\" <> \(table.name).\"id\"") }
        return "EXISTS (SELECT 1 FROM \(referrer) AS zumod_referrer WHERE \(conditions.joined(by: " AND ")))"
    }

    /// Whether no row refers to the current row, using a list that is computed once.
    var refersNot: SQLFragment {
        let own = columns.map { SQLFragment(named: $0.own) }
        let other = columns.map { SQLFragment(named: $0.other) }
        var conditions = own.map { "\($0) IS NOT NULL" as SQLFragment }
        if isOwn {
            let itself = zip(own, other).map { "\($0) = \($1)" as SQLFragment }
            conditions.append("NOT (\(itself.joined(by: " AND ")))")
        }
        let list: SQLFragment = "SELECT \(own.joined()) FROM \(from) WHERE \(conditions.joined(by: " AND "))"
        return "(\(other.joined())) NOT IN (\(list))"
    }

    private var from: SQLFragment { SQLFragment(named: table) }
}
