public import OData
public import Tables

/// Reads one row by id.
public struct FindStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText
    /// The columns of the result that belong to the answer, in order.
    public let layout: RowLayout

    /// - Parameter select: the columns to read; nil for all.
    /// - Throws: an error in the selection, or in the target's scope.
    public init(
        _ target: RowTarget, in table: Table, select: [SelectedName]? = nil, dialect: any SQLDialect
    ) throws(QueryError) {
        let layout = try table.layout(for: select)
        try self.init(target, layout, telling: [], in: table, dialect: dialect)
    }

    /// Creates the read of a row that is about to be written: the column after those of the answer tells whether it may
    /// be. There is no such column if every row in scope may be written.
    public init(writing target: RowTarget, in table: Table, dialect: any SQLDialect) throws(QueryError) {
        let isWritable = try target.scope?.writable.map { writable throws(QueryError) in
            try RowScope(writable).condition(in: table, dialect: dialect)
        }
        try self.init(target, table.layout, telling: isWritable.map { [$0] } ?? [], in: table, dialect: dialect)
    }

    /// Creates the read of the row with an id, in scope or not. The two columns after those of the answer tell whether
    /// it is in scope, and whether the new row would be writable.
    init(
        takenBy id: RowID, from row: NewRow, scope: RowScope, in table: Table, dialect: any SQLDialect
    ) throws(QueryError) {
        let told = [
            try scope.condition(in: table, dialect: dialect),
            try row.isWritable(in: scope, of: table, dialect: dialect),
        ]
        try self.init(
            RowTarget(id, includesTombstones: true), table.layout, telling: told, in: table, dialect: dialect)
    }

    private init(
        _ target: RowTarget, _ layout: RowLayout, telling conditions: [Operand], in table: Table,
        dialect: any SQLDialect
    ) throws(QueryError) {
        self.layout = layout
        var builder = SQLBuilder(dialect)
        builder.append("SELECT ")
        builder.fields(layout.fields)
        for condition in conditions {
            builder.append(", (")
            builder.append(condition.sql)
            builder.append(") IS TRUE")
        }
        builder.append(" FROM ")
        builder.identifier(table.name.text)
        try builder.rowCondition(target, in: table, writes: false)
        sql = builder.build()
    }

    /// Returns the bindings of the same statement for another id, if the target has no version and no scope.
    public static func bindings(for id: RowID, in table: Table, includeDeleted: Bool) -> [Value] {
        table.rules.softDelete && !includeDeleted ? [id.value, .boolean(false)] : [id.value]
    }
}

extension Table {
    /// Returns the layout of rows with the selected columns; nil for all.
    /// - Throws: an error in the selection.
    func layout(for select: [SelectedName]?) throws(QueryError) -> RowLayout {
        guard let select else { return layout }
        return RowLayout(try fields(for: select))
    }
}

/// What the columns after those of the row in a `FindStatement`'s result tell.
public enum RowStateColumns: Sendable {
    /// Nothing: every row that is found may be written.
    case nothing
    /// Whether the row may be written.
    case isWritable
    /// Whether the row is in scope, and whether the new row may be written.
    case isInScopeAndWritable

    /// Creates the columns of the statement for a row that is about to be written.
    public init(writingIn scope: RowScope?) {
        self = scope?.writable == nil ? .nothing : .isWritable
    }

    /// Returns the state of the row.
    /// - Parameter isTold: returns the value of a column, counted from the first after the row's own.
    public func state(version: Version?, isDeleted: Bool, isTold: (Int) -> Bool) -> RowState {
        switch self {
        case .nothing:
            RowState(version: version, isDeleted: isDeleted)
        case .isWritable:
            RowState(version: version, isDeleted: isDeleted, isWritable: isTold(0))
        case .isInScopeAndWritable:
            RowState(version: version, isDeleted: isDeleted, isInScope: isTold(0), isWritable: isTold(1))
        }
    }
}
