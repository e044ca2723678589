public import OData
public import Tables

extension RowScope {
    /// How often a rule may read or build a text of the row, since nothing limits it at run time.
    private static let mostReadings = 64.0

    /// Checks that the scope can be applied to a table's rows.
    /// - Throws: what is wrong, with `RowScope.option` as the option.
    public func check(in table: Table, dialect: any SQLDialect) throws(QueryError) {
        _ = try resolve(writeCondition, in: table, dialect: dialect)
        var weight = TextWeight(table: table, folds: false)
        weight.add(writeCondition)
        let readings = weight.total.factors.map(\.factor).max() ?? 0
        guard readings <= Self.mostReadings else {
            throw QueryError(Self.option, at: nil, .syntax("The condition reads a text too often."))
        }
    }

    /// Returns the condition for the rows in scope.
    func condition(in table: Table, dialect: any SQLDialect) throws(QueryError) -> Operand {
        try resolve(condition, in: table, dialect: dialect)
    }

    /// Returns the condition for the rows in scope that may be written.
    ///
    /// - Parameter given: values used instead of columns: those that a row is about to get.
    func writeCondition(
        in table: Table, given: [Field: Value] = [:], dialect: any SQLDialect
    ) throws(QueryError) -> Operand {
        try resolve(writeCondition, in: table, given: given, dialect: dialect)
    }

    /// Returns the condition for a row that may be written, and still may be after an update.
    /// - Returns: nil if the update sets no relevant column.
    func writeCondition(
        after assignments: [RowChanges.Assignment], in table: Table, dialect: any SQLDialect
    ) throws(QueryError) -> Operand? {
        let named = Set(writeCondition.columns.compactMap { table.field(named: $0.name) })
        var given: [Field: Value] = [:]
        for assignment in assignments where named.contains(.own(assignment.column)) {
            given[.own(assignment.column)] = assignment.value
        }
        return given.isEmpty ? nil : try writeCondition(in: table, given: given, dialect: dialect)
    }

    /// Returns the additional condition on the row that a write affects; nil for none. If it names a column that the
    /// table lacks, no row matches it, as in a list.
    func askedCondition(in table: Table, dialect: any SQLDialect) throws(QueryError) -> Operand? {
        guard let asked else { return nil }
        let isKnown = asked.columns.allSatisfy { table.field(named: $0.name) != nil }
        let resolver = ExpressionResolver(
            table: table, comparison: .ignoringCase, nulls: .unknown, dialect: dialect, option: "$filter")
        return try resolver.condition(isKnown ? asked : .literal(.boolean(false), at: 0))
    }

    private func resolve(
        _ condition: Expression, in table: Table, given: [Field: Value] = [:], dialect: any SQLDialect
    ) throws(QueryError) -> Operand {
        let resolver = ExpressionResolver(
            table: table, comparison: .ordinal, nulls: .value, dialect: dialect, option: Self.option, given: given,
            lacksAreNull: true)
        return try resolver.condition(condition)
    }
}
