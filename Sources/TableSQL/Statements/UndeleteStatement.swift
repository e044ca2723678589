public import Tables

/// Makes a row live again and answers it; answers no row where it is missing or of another version.
public struct UndeleteStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter version: the version that the row has to have; nil for any.
    public init(
        _ id: RowID, renewal: Renewal, ifVersion version: Version?, in table: Table, dialect: any SQLDialect
    ) {
        var builder = SQLBuilder(dialect)
        builder.renew(table, with: renewal)
        builder.append(", \"deleted\" = ")
        builder.bind(.boolean(false))
        builder.rowCondition(id, version: version, liveOnly: false)
        builder.returning(table)
        sql = builder.build()
    }
}
