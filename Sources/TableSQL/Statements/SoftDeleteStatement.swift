public import Tables

/// Makes a live row a tombstone and answers it; answers no row where it is missing, dead or of another version.
public struct SoftDeleteStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText

    /// - Parameter version: the version that the row has to have; nil for any.
    public init(
        _ id: RowID, renewal: Renewal, ifVersion version: Version?, in table: Table, dialect: any SQLDialect
    ) {
        var builder = SQLBuilder(dialect)
        builder.renew(table, with: renewal)
        builder.append(", \"deleted\" = ")
        builder.bind(.boolean(true))
        builder.rowCondition(id, version: version, liveOnly: true)
        builder.returning(table)
        sql = builder.build()
    }
}
