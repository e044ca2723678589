import OData
import TableSQL
import Tables

/// What a list request costs before the database sees it: options to a tree, and the tree to SQL.
enum ParserBenchmark {
    /// What the iOS SDK sends to pull a table.
    private static let pull: [(name: String, value: String)] = [
        ("$filter", "(updatedAt ge datetimeoffset'2026-11-21T12:00:00.123Z')"), ("$orderby", "updatedAt asc"),
        ("$top", "50"), ("$skip", "0"), ("__includeDeleted", "true"),
    ]

    /// A list of ids, as the .NET SDK writes it.
    private static let list: [(name: String, value: String)] = [
        ("$filter", (1..<100).reduce("(id eq 'id0')") { "(\($0) or (id eq 'id\($1)'))" })
    ]

    static func run() throws {
        let table = Table(
            name: try BenchmarkTable.name("TodoItem"), columns: try BenchmarkTable.columns(),
            rules: BenchmarkTable.rules)
        try compare("pull", pull, table)
        try compare("100 ids", list, table)
    }

    private static func compare(
        _ name: String, _ members: [(name: String, value: String)], _ table: Table
    ) throws {
        try Measurement.run("\(name): parsed") { keep(try QueryOptions.parse(members)) }
        let query = query(try QueryOptions.parse(members))
        for (database, dialect) in [("SQLite", SQLiteDialect()), ("PostgreSQL", PostgresDialect())]
            as [(String, any SQLDialect)]
        {
            try Measurement.run("\(name): rendered for \(database)") {
                keep(try SelectStatement(query: query, table: table, dialect: dialect))
            }
        }
        // As a store does it: what came before in the same shape is rendered already.
        let cache = SelectCache(SQLiteDialect())
        try Measurement.run("\(name): parsed and rendered to cached SQL") {
            let query = Self.query(try QueryOptions.parse(members))
            keep(try cache.statement(for: query, in: table))
        }
    }

    private static func query(_ options: QueryOptions) -> TableQuery {
        var query = TableQuery(limit: options.top ?? 50)
        query.filter = options.filter
        query.order = options.order
        query.skip = options.skip
        query.includeDeleted = options.includeDeleted
        return query
    }
}
