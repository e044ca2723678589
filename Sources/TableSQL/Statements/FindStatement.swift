public import Tables

/// Reads one row by its id.
public struct FindStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText
    /// The columns of the result, in order.
    public let fields: [Field]

    /// - Parameter select: the columns to read; nil for all.
    public init(
        _ id: RowID, in table: Table, select: [Field]? = nil, includeDeleted: Bool, dialect: any SQLDialect
    ) {
        fields = select ?? table.fields
        var builder = SQLBuilder(dialect)
        builder.append("SELECT ")
        builder.fields(fields)
        builder.append(" FROM ")
        builder.identifier(table.name.text)
        builder.rowCondition(id, liveOnly: Self.hidesTombstones(of: table, includeDeleted))
        sql = builder.build()
    }

    /// The bindings of the same statement for another id.
    public static func bindings(for id: RowID, in table: Table, includeDeleted: Bool) -> [Value] {
        hidesTombstones(of: table, includeDeleted) ? [id.value, .boolean(false)] : [id.value]
    }

    private static func hidesTombstones(of table: Table, _ includeDeleted: Bool) -> Bool {
        table.rules.softDelete && !includeDeleted
    }
}
