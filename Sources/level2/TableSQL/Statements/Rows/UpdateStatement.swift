import OData
import Tables

/// Renews a row, sets columns of it and returns it; returns no row if the row isn't the target, or may not be written,
/// before or after the change.
struct UpdateStatement {
    let sql: SQLText

    /// - Parameter deleted: whether the row becomes a tombstone or a live row; nil leaves it as it is. Ignored if the
    ///   table has no soft delete.
    /// - Throws: an error in the target's scope.
    init(
        _ target: RowTarget, set assignments: [RowChanges.Assignment] = [], deleted: Bool? = nil, renewal: VersionBump,
        in table: Table, dialect: any SQLDialect
    ) throws(QueryError) {
        let deleted = table.rules.softDelete ? deleted : nil
        guard target.scope == nil else {
            var builder = SQLBuilder(dialect)
            try Self.build(target, assignments, deleted, renewal, in: table, &builder)
            sql = builder.build()
            return
        }
        var shape = WriteShape(table, dialect: dialect)
        shape.append(UInt8(ascii: "U"))
        shape.append(target.id.value)
        shape.append((target.version == nil ? 0 : 1) + (target.includesTombstones ? 2 : 0) + (deleted == nil ? 0 : 4))
        for assignment in assignments { shape.append(assignment.column.name.text, assignment.value) }
        sql = try WriteTexts.shared.statement(shape, of: table, dialect: dialect) { builder throws(QueryError) in
            try Self.build(target, assignments, deleted, renewal, in: table, &builder)
        }
    }

    private static func build(
        _ target: RowTarget, _ assignments: [RowChanges.Assignment], _ deleted: Bool?, _ renewal: VersionBump,
        in table: Table, _ builder: inout SQLBuilder
    ) throws(QueryError) {
        builder.append("UPDATE ")
        builder.identifier(table.name.text)
        builder.append(" SET \"updatedAt\" = ")
        builder.bind(.date(renewal.stamp))
        builder.append(", \"version\" = ")
        builder.bind(.integer(renewal.version.counter))
        if let deleted {
            builder.append(", \"deleted\" = ")
            builder.bind(.boolean(deleted))
        }
        for assignment in assignments {
            builder.append(", ")
            builder.assign(assignment)
        }
        try builder.rowCondition(target, in: table, writes: true)
        if let after = try target.scope?.writeCondition(after: assignments, in: table, dialect: builder.dialect) {
            builder.and(after)
        }
        builder.returning(table)
    }
}

extension SQLBuilder {
    /// Appends the assignment of a value to a column of an existing row.
    mutating func assign(_ assignment: RowChanges.Assignment) {
        let name = assignment.column.name.text
        identifier(name)
        append(" = ")
        guard let keep = dialect.keepsShownDates, case .date = assignment.value else {
            return bind(assignment.value, to: .own(assignment.column))
        }
        append("\(keep)(")
        identifier(name)
        append(", ")
        bind(assignment.value)
        append(")")
    }
}
