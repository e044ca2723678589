import OData
import Tables

extension SQLBuilder {
    /// Appends a page that is read in parts, each by its own index. Each part has as many rows as the page may need,
    /// and those are sorted again.
    ///
    /// If the table is split by its texts, one part has the rows that an index has in order, and the others are found
    /// by their own indexes. After a place in a descending order come the rows with nulls: they are a part that is read
    /// if the others don't fill the page, since no index has a range with nulls at its end.
    /// - Returns: the indexes of the columns that make up a row's place; nil if the page is better read as a whole.
    mutating func parts(
        _ query: TableQuery, of table: Table, split: TextSplit, fields: [Field]
    ) throws(QueryError) -> [Int]? {
        let terms = try OrderedTerm.all(of: query, in: table, dialect: dialect)
        let nulls = query.after.flatMap { KeysetCondition.nulls(behind: $0, in: terms) }
        guard !split.isWhole || nulls != nil, query.fitsParts else { return nil }
        let whole = dialect
        var (sources, places): ([String], [Int]) = ([], [])
        // Side by side, not nested: an expression may nearly fill the stack of SQLite's parser.
        for part in 0...split.apart.count {
            // The first part has plain texts in all columns; each other one has them in the columns before its own.
            let plain = part == 0 ? split.apart[...] : split.apart[..<(part - 1)]
            var conditions = plain.map { Operand("(\($0.isApart)) IS NOT TRUE", .boolean, .comparison, at: 0) }
            if part > 0 { conditions.append(Operand(split.apart[part - 1].isApart, .boolean, .comparison, at: 0)) }
            sources.append("zumod_part\(part)")
            append("\(part == 0 ? "WITH " : ", ")\(sources[part]) AS (")
            dialect = whole.knowing(plain: plain.map(\.column))
            places = try self.part(query, of: table, fields: fields, beforeNulls: nulls != nil, beside: conditions)
            dialect = whole
            append(")")
        }
        if let nulls {
            if sources.count > 1 {
                append(", zumod_page AS (")
                merge(sources, by: terms, at: places, beside: fields)
                append(" LIMIT ")
                bind(.integer(query.rowsToReach))
                append(")")
                sources = ["zumod_page"]
            }
            let count = SQLFragment(stringLiteral: "(SELECT count(*) FROM \(sources[0]))")
            let isNeeded: SQLFragment = "\(count) < \(SQLFragment(.integer(query.rowsToReach)))"
            var all = query
            all.after = nil
            append(", zumod_nulls AS (")
            places = try part(
                all, of: table, fields: fields, beside: [Operand(isNeeded, .boolean, .comparison, at: 0), nulls])
            append(")")
            sources.append("zumod_nulls")
        }
        append(" ")
        merge(sources, by: terms, at: places, beside: fields)
        return places
    }

    /// Appends the rows of some parts in order.
    private mutating func merge(
        _ sources: [String], by terms: [OrderedTerm], at places: [Int], beside fields: [Field]
    ) {
        append("SELECT * FROM (")
        append(sources.map { "SELECT * FROM \($0)" }.joined(separator: " UNION ALL "))
        append(") AS zumod_rows")
        order(by: terms, at: places, beside: fields)
    }

    /// Appends the first rows of a part, in order.
    private mutating func part(
        _ query: TableQuery, of table: Table, fields: [Field], beforeNulls: Bool = false,
        beside conditions: [Operand] = []
    ) throws(QueryError) -> [Int] {
        let terms = try OrderedTerm.all(of: query, in: table, dialect: dialect)
        append("SELECT ")
        self.fields(fields)
        let places = places(of: terms, beside: fields, named: true)
        append(" FROM ")
        identifier(table.name.text)
        var place: KeysetCondition?
        if let cursor = query.after {
            place = try KeysetCondition(behind: cursor, in: terms, dialect: dialect, beforeNulls: beforeNulls)
        }
        try filter(query, of: table, behind: place, beside: conditions)
        order(by: terms)
        append(" LIMIT ")
        bind(.integer(query.rowsToReach))
        return places
    }

    /// Appends the ORDER BY clause for rows that have the terms' values in columns.
    private mutating func order(by terms: [OrderedTerm], at places: [Int], beside fields: [Field]) {
        append(" ORDER BY ")
        for (index, (term, place)) in zip(terms, places).enumerated() {
            if index > 0 { append(", ") }
            let column = place < fields.count ? SQLFragment(fields[place]) : SQLFragment(placeAt: place)
            append(term.sorted(by: column, in: dialect))
        }
    }
}

extension TableQuery {
    /// The maximum number of rows that are read in parts, since they are held in memory and sorted.
    private static let mostInParts: Int64 = 10_000

    /// The number of rows up to the end of the page, including the one after it.
    fileprivate var rowsToReach: Int64 {
        let (sum, isTooMuch) = limit.addingReportingOverflow(after == nil ? skip : 0)
        return isTooMuch || sum == .max ? .max : Int64(sum) + 1
    }

    /// Whether the query's page may be read in parts.
    fileprivate var fitsParts: Bool {
        rowsToReach <= Self.mostInParts && order.count < SelectStatement.maximumPlaceTerms && seenStamp == nil
    }
}
