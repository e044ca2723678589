import OData
import Tables

/// Removes a row and returns it as it was; returns no row if the row isn't the target or may not be removed.
struct HardDeleteStatement {
    let sql: SQLText

    /// - Throws: an error in the target's scope.
    init(_ target: RowTarget, in table: Table, dialect: any SQLDialect) throws(QueryError) {
        var builder = SQLBuilder(dialect)
        builder.append("DELETE FROM ")
        builder.identifier(table.name.text)
        try builder.rowCondition(target, in: table, writes: true)
        builder.returning(table)
        sql = builder.build()
    }
}
