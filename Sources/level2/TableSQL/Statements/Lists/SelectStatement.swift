public import OData
public import Tables

/// Reads a page of a query's rows, and one more row if there is one.
public struct SelectStatement: Sendable {
    /// The statement, with a limit one higher than the query's.
    public private(set) var sql: SQLText
    /// The columns of the result that belong to the answer, in order. Others may follow.
    public let layout: RowLayout
    /// The indexes of the columns of the result that make up a row's place in the order; the last one is the id. Empty
    /// if the order is too long for that.
    public let placeColumns: [Int]

    /// The number of bindings that select the page: the last ones.
    private let pageBindings: Int

    /// The maximum number of terms, including the id, of an order with places: the condition grows with their square.
    public static let maximumPlaceTerms = 16

    /// - Parameter split: what is known about the table's texts.
    /// - Throws: an error in the query's selection, filter or order, by `$select`, `$filter` and `$orderby`; by
    ///   `$skiptoken` if its cursor can't belong to it; by `RowScope.option` in its scope.
    public init(
        query: TableQuery, table: Table, dialect: any SQLDialect, split: TextSplit = TextSplit()
    ) throws(QueryError) {
        let dialect = dialect.knowing(plain: split.plain)
        layout = try table.layout(for: query.select)
        let fields = layout.fields
        var builder = SQLBuilder(dialect)
        if let places = try builder.parts(query, of: table, split: split, fields: fields) {
            placeColumns = places
        } else {
            placeColumns = try builder.rows(query, of: table, fields: fields)
        }
        if let limit = query.writtenLimit(in: dialect) {
            builder.append(" LIMIT \(limit)")
            pageBindings = 0
        } else {
            let page = Self.page(of: query)
            builder.append(" LIMIT ")
            builder.bind(page[0])
            builder.append(" OFFSET ")
            builder.bind(page[1])
            pageBindings = page.count
        }
        sql = builder.build()
    }
}

extension SelectStatement {
    /// Returns the same statement with other values, and for another page if that is bound.
    func rebound(_ bindings: [Value], page query: TableQuery) -> SelectStatement {
        var bindings = bindings
        if pageBindings > 0 { bindings.replaceSubrange((bindings.count - pageBindings)..., with: Self.page(of: query)) }
        var statement = self
        statement.sql = SQLText(sql.text, bindings)
        return statement
    }

    /// Returns how many rows to read, one more than the page has, and how many to skip.
    private static func page(of query: TableQuery) -> [Value] {
        [
            .integer(Int64(query.limit == .max ? query.limit : query.limit + 1)),
            .integer(Int64(query.after == nil ? query.skip : 0)),
        ]
    }
}

extension SQLBuilder {
    /// Appends a query's rows in order.
    /// - Returns: the indexes of the columns of the result that make up a row's place.
    fileprivate mutating func rows(
        _ query: TableQuery, of table: Table, fields: [Field]
    ) throws(QueryError) -> [Int] {
        let terms = try OrderedTerm.all(of: query, in: table, dialect: dialect)
        let place: KeysetCondition?
        if let cursor = query.after {
            place = try KeysetCondition(behind: cursor, in: terms, dialect: dialect)
        } else {
            place = nil
        }
        append("SELECT ")
        self.fields(fields)
        let places = terms.count > SelectStatement.maximumPlaceTerms ? [] : places(of: terms, beside: fields)
        append(" FROM ")
        identifier(table.name.text)
        try filter(query, of: table, behind: place, besides: place == nil ? query.seenStamp : nil)
        order(by: terms)
        return places
    }

    /// Appends the values of an order's terms to the columns of a SELECT, except those that are already there.
    /// - Parameter named: whether each gets a name.
    /// - Returns: the indexes of the values' columns in the result.
    mutating func places(of terms: [OrderedTerm], beside fields: [Field], named: Bool = false) -> [Int] {
        var count = fields.count
        return terms.map { term in
            if let field = term.operand.field, let index = fields.firstIndex(of: field) { return index }
            append(count == 0 ? "" : ", ")
            append(term.operand.sql)
            if named { append(" AS \(SQLFragment(placeAt: count))" as SQLFragment) }
            count += 1
            return count - 1
        }
    }
}
