import OData
import Tables

extension RowScope {
    /// What is true of the rows in scope.
    ///
    /// - Parameter given: what stands in the place of columns: the values that a row is about to have.
    func condition(
        in table: Table, given: [Field: Value] = [:], dialect: any SQLDialect
    ) throws(QueryError) -> Operand {
        let resolver = ExpressionResolver(
            table: table, comparison: .ordinal, nulls: .value, dialect: dialect, option: Self.option, given: given,
            lacksAreNull: true)
        return try resolver.condition(condition)
    }

    /// What is true of a row in scope that will be so after an update.
    /// - Returns: nil where the update sets no column that matters.
    func condition(
        after assignments: [RowChanges.Assignment], in table: Table, dialect: any SQLDialect
    ) throws(QueryError) -> Operand? {
        let named = Set(condition.columnNames.compactMap { table.field(named: $0) })
        var given: [Field: Value] = [:]
        for assignment in assignments where named.contains(.own(assignment.column)) {
            given[.own(assignment.column)] = assignment.value
        }
        return given.isEmpty ? nil : try condition(in: table, given: given, dialect: dialect)
    }
}
