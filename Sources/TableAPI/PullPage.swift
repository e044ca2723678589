import OData
import Tables

extension TableQuery {
    /// The page that a pull of the first two generations means, where that is another than it says.
    ///
    /// The iOS, JavaScript, Android and .NET libraries ask for the rows stamped at their token or later, by stamp. Where
    /// a page held only the row of the token itself, they ask again with `$skip=1`. If that row has been written since,
    /// it is the last one now, and passing over the first would lose another row for ever. So not the first row is
    /// passed over, but the one that still has the token's stamp. A page of one row is left as it says: of several rows
    /// that came with one stamp from elsewhere, its client has seen one only.
    var pullPage: TableQuery {
        guard skip == 1, limit > 1, after == nil, includeDeleted, !wantsCount, order.count == 1,
            let term = order.first, !term.isDescending, term.expression.isStamp, let filter,
            let token = filter.stampFrom
        else { return self }
        var query = self
        query.skip = 0
        let later = Expression.binary(
            .greater, .column(SystemColumn.updatedAt.rawValue, at: 0), .literal(.date(token), at: 0), at: 0)
        query.filter = .binary(.and, filter, later, at: 0)
        return query
    }
}

extension Expression {
    /// Whether it is `updatedAt` and nothing else.
    var isStamp: Bool {
        guard case .column(let name, _) = self else { return false }
        return SystemColumn(named: name) == .updatedAt
    }

    /// The date of a condition `updatedAt ge …` that every row has to fulfil.
    fileprivate var stampFrom: Instant? {
        var pending = [self]
        while let condition = pending.popLast() {
            switch condition {
            case .binary(.and, let left, let right, _): pending += [right, left]
            case .binary(.greaterOrEqual, let column, .literal(.date(let date), _), _) where column.isStamp: return date
            default: continue
            }
        }
        return nil
    }
}
