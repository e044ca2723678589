import OData
import Synchronization
import Tables

extension ReferenceStore {
    func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        let fields = try Self.fields(query.select, of: table)
        let evaluator = ReferenceEvaluator(
            table, textComparison: query.textComparison, nullComparison: query.nullComparison)
        do {
            if let filter = query.filter { try evaluator.check(filter: filter) }
            let orders = ReferenceEvaluator(
                table, textComparison: query.textComparison, nullComparison: query.nullComparison, option: "$orderby")
            for term in query.order { _ = try orders.kind(of: term.expression) }
        } catch {
            throw .query(error)
        }
        let stored = state.withLock { $0.tables[table.name].map { $0.rows(in: query.scope) } ?? [] }
        let found = stored.filter { query.includeDeleted || !$0.isDeleted }
            .map { row in (row, Dictionary(table.fields.map { ($0.name, row.value(of: $0)) }) { first, _ in first }) }
            .filter { pair in query.filter.map { evaluator.matches($0, pair.1) } ?? true }
            .sorted { evaluator.precedes($0.1, $1.1, by: query.order) }
        let seen = found.filter { $0.0.updatedAt == query.seenStamp }.map { ReferenceTable.key($0.0.id) }
            .min { $0.lexicographicallyPrecedes($1) }
        let rest = found.filter { ReferenceTable.key($0.0.id) != seen }
        let page = rest.dropFirst(query.skip).prefix(query.limit)
        var rows = rows
        rows.begin(fields)
        var rowCount = 0
        for (row, _) in page where rowCount == 0 || !rows.isFull {
            row.visit(fields, into: &rows)
            rowCount += 1
        }
        return Page(
            rows: rows, rowCount: rowCount, hasMore: query.skip + rowCount < rest.count,
            totalCount: query.wantsCount ? Int64(found.count) : nil)
    }
}
