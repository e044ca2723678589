import OData
import Scalars
import Tables

/// The stamp in the one query by which clients of v1 and v2 say that they have seen the row with that stamp.
///
/// If a page of their pull contained only the row at T, iOS, JavaScript, Android and .NET 4 ask for the rest by
/// `updatedAt ge T`, ordered by `updatedAt`, with `$skip=1`. If that row was edited in the meantime, it has moved away,
/// and skipping one row would skip another one forever (v2-76).
enum SeenStamp {
    /// - Returns: nil for any other query: there `$skip` skips as many rows as it says.
    static func stamp(in options: QueryOptions) -> Instant? {
        guard options.skip == 1, options.includeDeleted, options.order.count == 1,
            let term = options.order.first, !term.isDescending, term.expression.isStamp
        else { return nil }
        // An explicit list of pending conditions instead of recursion: chains are deep.
        var stamps: [Instant] = []
        var pending = options.filter.map { [$0] } ?? []
        while let condition = pending.popLast() {
            switch condition {
            case .binary(.and, let left, let right, _): pending += [left, right]
            case .binary(.greaterOrEqual, let column, .literal(.date(let stamp), _), _) where column.isStamp:
                stamps.append(stamp)
            default: continue
            }
        }
        return stamps.max()
    }
}

extension Expression {
    /// Whether the expression is `updatedAt` and nothing else.
    var isStamp: Bool {
        guard case .column(let name, _) = self else { return false }
        return SystemColumn(named: name) == .updatedAt
    }
}
