public import OData
import Scalars
import Synchronization
public import Tables

/// A cache of list statements by the shapes of their queries: a repeated pull with another date, or the list of another
/// user, only needs new bindings.
public final class SelectCache: Sendable {
    fileprivate struct Entry {
        let table: Table
        let statement: SelectStatement
        /// The indexes of the filter's dates among the bindings.
        let dates: [Int]
        let texts: [TextPlace]
    }

    /// The position of one of the filter's texts among the bindings.
    fileprivate struct TextPlace {
        let binding, text: Int
        let isLowered: Bool

        /// Returns the value to bind there.
        func value(of texts: [String]) -> Value { .text(isLowered ? texts[text].lowercased() : texts[text]) }
    }

    private let dialect: any SQLDialect
    private let capacity: Int
    private let entries = Mutex<[[UInt8]: Entry]>([:])

    /// - Parameter capacity: the number of shapes to keep. If it is exceeded, which clients hardly ever cause, all are
    ///   dropped.
    public init(_ dialect: any SQLDialect, capacity: Int = 512) {
        self.dialect = dialect
        self.capacity = capacity
    }

    /// Returns the statement of a query, as created by `SelectStatement`.
    /// - Throws: the errors of `SelectStatement`.
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
            let texts = places(of: shape.texts, in: made, of: query, in: table, split: split)
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

    /// Finds where the texts of a query are bound by building its statement with marker texts: other constants may be
    /// bound as texts too, and what is known of an operand may leave a text out.
    /// - Returns: nil if other texts change more than the bindings.
    private func places(
        of texts: [String], in made: SelectStatement, of query: TableQuery, in table: Table, split: TextSplit
    ) -> [TextPlace]? {
        if texts.isEmpty { return [] }
        // In mixed case, which shows which bindings are lowered.
        let marks = texts.indices.map { "Zumod's text \($0)" }
        let lowered = marks.map { $0.lowercased() }
        guard !texts.contains(where: { lowered.contains($0.lowercased()) }) else { return nil }
        var marked = query
        var left = marks[...]
        marked.filter = query.filter?.withTexts(&left)
        guard left.isEmpty,
            let statement = try? SelectStatement(query: marked, table: table, dialect: dialect, split: split),
            statement.sql.text == made.sql.text, statement.sql.bindings.count == made.sql.bindings.count
        else { return nil }
        var places: [TextPlace] = []
        for (binding, mark) in statement.sql.bindings.enumerated() where mark != made.sql.bindings[binding] {
            guard case .text(let mark) = mark, let text = lowered.firstIndex(of: mark.lowercased()) else { return nil }
            let place = TextPlace(binding: binding, text: text, isLowered: mark == lowered[text])
            guard place.value(of: texts) == made.sql.bindings[binding], place.value(of: marks) == .text(mark) else {
                return nil
            }
            places.append(place)
        }
        return places
    }
}

extension SelectCache.Entry {
    func rebound(to shape: QueryShape, page query: TableQuery) -> SelectStatement {
        var bindings = statement.sql.bindings
        for (place, date) in zip(dates, shape.dates) { bindings[place] = .date(date) }
        for place in texts { bindings[place.binding] = place.value(of: shape.texts) }
        return statement.rebound(bindings, page: query)
    }
}
