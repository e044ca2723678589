import OData
import TableSQL
import Tables
import Testing

/// The table that the tests of this target ask about.
enum QueryFixture {
    static let todo = table(softDelete: false)
    static let softDeleting = table(softDelete: true)
    static let numbered = table(softDelete: false, autoIncrement: true)

    /// The same columns with a day and a time of day.
    static let withDays: Table = {
        let own: [(String, ColumnType)] = [("day", .dateOnly), ("time", .timeOnly)]
        return todo.adding(own.compactMap { column in Identifier(column.0).map { Column($0, column.1) } })
    }()

    private static func table(softDelete: Bool, autoIncrement: Bool = false) -> Table {
        let columns: [(String, ColumnType)] = [
            ("title", .string), ("note", .string), ("price", .number), ("count", .integer), ("done", .boolean),
            ("due", .date),
        ]
        var rules = TableRules()
        rules.softDelete = softDelete
        rules.autoIncrement = autoIncrement
        let own = columns.compactMap { column in Identifier(column.0).map { Column($0, column.1) } }
        guard let name = Identifier("todo"), own.count == columns.count else { fatalError("a name of the fixture") }
        return Table(name: name, columns: own, rules: rules)
    }

    static func query(
        _ members: (String, String)..., text: TextComparison = .ignoringCase, language: QueryLanguage = .apps
    ) throws(QueryError) -> TableQuery {
        let options = try QueryOptions.parse(members.map { (name: $0.0, value: $0.1) }, language: language)
        var query = TableQuery(limit: options.top ?? 50)
        query.filter = options.filter
        query.order = options.order
        query.skip = options.skip
        query.includeDeleted = options.includeDeleted
        query.textComparison = language == .datasync ? .ordinal : text
        query.nullComparison = language == .datasync ? .value : .unknown
        return query
    }

    /// What a filter becomes: the SQL behind WHERE, and its bindings.
    static func condition(
        _ filter: String, text: TextComparison = .ignoringCase, language: QueryLanguage = .apps, table: Table = todo
    ) throws(QueryError) -> SQLText {
        let query = try query(("$filter", filter), text: text, language: language)
        let sql = try CountStatement(query: query, table: table, dialect: SQLiteDialect()).sql
        return SQLText(String(sql.text.dropFirst(#"SELECT count(*) FROM "todo" WHERE "#.count)), sql.bindings)
    }
}
