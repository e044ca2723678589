public import OData
import Scalars
import Synchronization
public import Tables

/// The statements of earlier lists, by the shapes of their queries: a pull that comes again with another date only
/// needs new bindings.
public final class SelectCache: Sendable {
    fileprivate struct Entry {
        let table: Table
        let statement: SelectStatement
        /// Where the filter's dates are among the bindings.
        let dates: [Int]
    }

    private let dialect: any SQLDialect
    private let capacity: Int
    private let entries = Mutex<[[UInt8]: Entry]>([:])

    /// - Parameter capacity: how many shapes are kept. One more, and all are forgotten, which clients hardly ever
    ///   cause.
    public init(_ dialect: any SQLDialect, capacity: Int = 512) {
        self.dialect = dialect
        self.capacity = capacity
    }

    /// The statement of a query, as `SelectStatement` makes it.
    /// - Throws: what `SelectStatement` throws.
    public func statement(
        for query: TableQuery, in table: Table, split: TextSplit = TextSplit()
    ) throws(QueryError) -> SelectStatement {
        guard split.isWhole, let shape = QueryShape(query, of: table, plain: split.plain, in: dialect)
        else {
            return try SelectStatement(query: query, table: table, dialect: dialect, split: split)
        }
        if let known = entries.withLock({ $0[shape.key] }), known.table.columns == table.columns,
            known.table.rules == table.rules
        {
            return known.rebound(to: shape.dates, page: query)
        }
        let made = try SelectStatement(query: query, table: table, dialect: dialect, split: split)
        if let dates = Self.places(of: shape.dates, in: made.sql.bindings) {
            let entry = Entry(table: table, statement: made, dates: dates)
            entries.withLock { entries in
                if entries.count >= capacity { entries.removeAll() }
                entries[shape.key] = entry
            }
        }
        return made
    }

    /// - Returns: nil if the dates aren't bound one by one and unchanged.
    private static func places(of dates: [Instant], in bindings: [Value]) -> [Int]? {
        let places = bindings.indices.filter { if case .date = bindings[$0] { true } else { false } }
        return places.map { bindings[$0] } == dates.map(Value.date) ? places : nil
    }
}

extension SelectCache.Entry {
    func rebound(to dates: [Instant], page query: TableQuery) -> SelectStatement {
        var bindings = statement.sql.bindings
        for (place, date) in zip(self.dates, dates) { bindings[place] = .date(date) }
        return statement.rebound(bindings, page: query)
    }
}
