import OData
import Tables

extension ReferenceStore {
    func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        let now = query.present ?? clock()
        return try access(table) { _, stored throws(TableError) in
            let (table, fields) = (stored.table, try stored.fields(query.select))
            let filters = ReferenceEvaluator(
                table, textComparison: query.textComparison, nullComparison: query.nullComparison, now: now)
            var orders = filters
            orders.option = "$orderby"
            try told { [orders] () throws(QueryError) in
                if let filter = query.filter { try filters.check(filter: filter) }
                for term in query.order { _ = try orders.kind(of: term.expression) }
            }
            let scope = try ReferenceScope(query.scope, of: table)
            let found = stored.rows.values.filter { (query.includeDeleted || !$0.isDeleted) && scope.holds($0) }
                .map { (row: $0, values: $0.values(of: table)) }
                .filter { found in query.filter.map { filters.matches($0, found.values) } ?? true }
                .sorted { orders.precedes($0.values, $1.values, by: query.order) }
            var rest = found[...]
            if let cursor = query.after {
                // A place is a whole row, whatever it is ordered by.
                var place = Dictionary(zip(table.fields.map(\.name), cursor.values)) { first, _ in first }
                place["id"] = cursor.id.value
                rest = rest.filter { orders.precedes(place, $0.values, by: query.order) }[...]
            } else {
                let seen = found.map(\.row).filter { $0.updatedAt == query.seenStamp }
                    .min { $0.id.text.utf8.lexicographicallyPrecedes($1.id.text.utf8) }
                rest = rest.filter { $0.row.id != seen?.id }.dropFirst(query.skip)
            }
            var (rows, count) = (rows, 0)
            rows.begin(fields)
            for (row, _) in rest.prefix(query.limit) where count == 0 || !rows.isFull {
                row.show(fields, to: &rows)
                count += 1
            }
            let last = count > 0 && count < rest.count ? rest[rest.startIndex + count - 1].row : nil
            return Page(
                rows: rows, rowCount: count, hasMore: count < rest.count,
                totalCount: query.wantsCount ? Int64(found.count) : nil,
                cursor: last.map { last in PageCursor(values: table.fields.map(last.value), id: last.id) })
        }
    }
}
