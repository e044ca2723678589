public import OData
public import Tables

/// Reads one row by its id.
public struct FindStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText
    /// The columns of the result that are answered, in order.
    public let fields: [Field]

    /// - Parameter select: the columns to read; nil for all.
    /// - Throws: what is wrong with the selection, or with the target's scope.
    public init(
        _ target: RowTarget, in table: Table, select: [SelectedName]? = nil, dialect: any SQLDialect
    ) throws(QueryError) {
        fields = try select.map { names throws(QueryError) in try table.fields(for: names) } ?? table.fields
        var builder = SQLBuilder(dialect)
        builder.append("SELECT ")
        builder.fields(fields)
        builder.append(" FROM ")
        builder.identifier(table.name.text)
        try builder.rowCondition(target, in: table)
        sql = builder.build()
    }

    /// Reads the row that has an id, in scope or not: the last column, which isn't answered, tells whether it is.
    public init(
        takenBy id: RowID, scope: RowScope, in table: Table, dialect: any SQLDialect
    ) throws(QueryError) {
        fields = table.fields
        var builder = SQLBuilder(dialect)
        builder.append("SELECT ")
        builder.fields(fields)
        builder.append(", (")
        builder.append(try scope.condition(in: table, dialect: dialect).sql)
        builder.append(") IS TRUE FROM ")
        builder.identifier(table.name.text)
        try builder.rowCondition(RowTarget(id, includesTombstones: true), in: table)
        sql = builder.build()
    }

    /// The bindings of the same statement for another id, where the target has no version and no scope.
    public static func bindings(for id: RowID, in table: Table, includeDeleted: Bool) -> [Value] {
        table.rules.softDelete && !includeDeleted ? [id.value, .boolean(false)] : [id.value]
    }
}
