public import Tables

/// Removes a row and answers it as it was; answers no row where it is missing or of another version.
public struct HardDeleteStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter version: the version that the row has to have; nil for any.
    public init(_ id: RowID, ifVersion version: Version?, in table: Table, dialect: any SQLDialect) {
        var builder = SQLBuilder(dialect)
        builder.append("DELETE FROM ")
        builder.identifier(table.name.text)
        builder.rowCondition(id, version: version, liveOnly: false)
        builder.returning(table)
        sql = builder.build()
    }
}
