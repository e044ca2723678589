import OData
import Tables

/// The conditions of a scope, decided by the evaluator: in v3's rules, and what is asked of a row by the rules of lists.
struct ReferenceScope {
    private let scope: RowScope?
    private let table: Table
    private let evaluator: ReferenceEvaluator

    /// - Throws: `definition` if the table's rows can't be asked that.
    init(_ scope: RowScope?, of table: Table) throws(TableError) {
        (self.scope, self.table) = (scope, table)
        evaluator = ReferenceEvaluator(
            table, textComparison: .ordinal, nullComparison: .value, option: RowScope.option)
        guard let condition = scope?.writeCondition else { return }
        try told { () throws(QueryError) in try evaluator.check(filter: condition) }
    }

    func holds(_ row: ReferenceRow) -> Bool { fulfils(row, scope?.condition) }
    func allowsWriting(_ row: ReferenceRow) -> Bool { fulfils(row, scope?.writeCondition) }

    /// What was found of a write's row.
    /// - Parameter written: the row that has to be one that may be written.
    func state(of found: ReferenceRow, for demand: WriteDemand, becoming written: ReferenceRow) -> RowState {
        RowState(
            version: found.version, isDeleted: found.isDeleted,
            isInScope: holds(found) && (demand == .insert || isAsked(found)), isWritable: allowsWriting(written))
    }

    private func fulfils(_ row: ReferenceRow, _ condition: Expression?) -> Bool {
        condition.map { evaluator.matches($0, row.values(of: table)) } ?? true
    }

    private func isAsked(_ row: ReferenceRow) -> Bool {
        guard let asked = scope?.asked else { return true }
        let evaluator = ReferenceEvaluator(table)
        return (try? evaluator.check(filter: asked)) != nil && evaluator.matches(asked, row.values(of: table))
    }
}

/// Asks something about a query, whose errors become those of the call.
func told<Answer>(_ body: () throws(QueryError) -> Answer) throws(TableError) -> Answer {
    do throws(QueryError) { return try body() } catch { throw TableError(error) }
}
