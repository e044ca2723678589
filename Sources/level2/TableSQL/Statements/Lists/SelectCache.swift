public import OData
import Scalars
import Synchronization
public import Tables

/// The statements of earlier lists, by the shapes of their queries: a pull that comes again with another date, or a list of
/// another user, only needs new bindings.
public final class SelectCache: Sendable {
    fileprivate struct Entry {
        let table: Table
        let statement: SelectStatement
        /// Where the filter's dates are among the bindings.
        let dates: [Int]
        /// Where its texts are: each as often as the others.
        let texts: [Int]
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
            return known.rebound(to: shape, page: query)
        }
        let made = try SelectStatement(query: query, table: table, dialect: dialect, split: split)
        if let dates = Self.places(of: shape.dates, in: made.sql.bindings),
            let texts = Self.places(of: shape.texts, in: made.sql.bindings)
        {
            let entry = Entry(table: table, statement: made, dates: dates, texts: texts)
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

    /// - Returns: nil if they aren't the texts that are bound, each once or each several times in a row.
    private static func places(of texts: [String], in bindings: [Value]) -> [Int]? {
        let places = bindings.indices.filter { if case .text = bindings[$0] { true } else { false } }
        guard !texts.isEmpty, !places.isEmpty else { return texts.isEmpty && places.isEmpty ? [] : nil }
        let times = places.count / texts.count
        let bound = texts.flatMap { Array(repeating: Value.text($0), count: times) }
        return places.map { bindings[$0] } == bound ? places : nil
    }
}

extension SelectCache.Entry {
    func rebound(to shape: QueryShape, page query: TableQuery) -> SelectStatement {
        var bindings = statement.sql.bindings
        for (place, date) in zip(dates, shape.dates) { bindings[place] = .date(date) }
        for (index, place) in texts.enumerated() {
            bindings[place] = .text(shape.texts[index * shape.texts.count / texts.count])
        }
        return statement.rebound(bindings, page: query)
    }
}
