public import OData
public import Tables

/// Removes a row and answers its id; no row where there was none to remove.
public struct RemoveStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter tombstoneBefore: an instant before which the row has to have been deleted; nil for any row.
    public init(_ id: RowID, tombstoneBefore: Instant? = nil, in table: Table, dialect: any SQLDialect) {
        var builder = SQLBuilder(dialect)
        builder.append("DELETE FROM ")
        builder.identifier(table.name.text)
        builder.append(" WHERE \"id\" = ")
        builder.bind(id.value)
        if let tombstoneBefore { builder.tombstone(before: tombstoneBefore, joinedBy: " AND ") }
        builder.append(" RETURNING \"id\"")
        sql = builder.build()
    }
}

/// Finds tombstones by their age.
public enum TombstoneStatement {
    /// Reads ids and stamps, oldest first.
    public static func list(
        from start: Instant?, before: Instant, limit: Int, in table: Table, dialect: any SQLDialect
    ) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT \"id\", \"updatedAt\" FROM ")
        builder.identifier(table.name.text)
        builder.tombstone(before: before, joinedBy: " WHERE ")
        if let start {
            builder.append(" AND \"updatedAt\" >= ")
            builder.bind(.date(start))
        }
        builder.append(" ORDER BY \"updatedAt\", \"id\" LIMIT ")
        builder.bind(.integer(Int64(limit)))
        return builder.build()
    }

    /// Counts them.
    public static func count(before: Instant, in table: Table, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT count(*) FROM ")
        builder.identifier(table.name.text)
        builder.tombstone(before: before, joinedBy: " WHERE ")
        return builder.build()
    }
}

extension SQLBuilder {
    fileprivate mutating func tombstone(before: Instant, joinedBy word: String) {
        append("\(word)\"deleted\" = ")
        bind(.boolean(true))
        append(" AND \"updatedAt\" < ")
        bind(.date(before))
    }
}
