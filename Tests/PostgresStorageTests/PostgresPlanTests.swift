import OData
import Scalars
import StorageTesting
import TableSQL
import Tables
import Testing

@testable import PostgresStorage

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Plans of PostgreSQL` {
    private static let definition: TableDefinition = {
        var definition = TableDefinition(
            name: "things",
            columns: [
                Column("title", .string), Column("count", .integer), Column("due", .date), Column("price", .decimal),
                Column("owner", .string),
            ],
            indexes: [
                ["title"], ["count", "title"], ["due"], ["price"], ["deleted", "createdAt"],
                ["owner", "updatedAt", "id"],
            ])
        definition.rules.softDelete = true
        return definition
    }()

    /// Enough rows that reading all of them costs more than an index, and the planner's figures about them.
    private static let rows = """
        INSERT INTO things (id, "createdAt", "updatedAt", version, deleted, title, count, due, price, owner)
        SELECT 'row ' || n, t, t, n, n % 50 = 0, 'Title ' || n, n % 1000, t, n / 10.0, 'user ' || n % 20
        FROM generate_series(1, 20000) AS n, LATERAL (SELECT timestamptz '2026-01-01Z' + n * interval '1 minute') AS a (t);
        ANALYZE things
        """

    private struct Case: Sendable, CustomStringConvertible {
        var filter = ""
        var order = ""
        var after: PageCursor?
        var includesDeleted = true
        var language = QueryLanguage.apps
        /// The caller's rows.
        var scope: String?
        let index: String
        /// Whether the rows come from the index in their order.
        var isSorted = false

        var description: String {
            "\(scope ?? "") \(language) \(filter) \(order) \(after == nil ? "" : "behind a row")"
        }
    }

    private static let since = "updatedAt ge datetimeoffset'2026-01-02T12:00:00.123Z'"
    private static let place = PageCursor(
        values: [.date(Instant(milliseconds: 1_767_525_600_000))], id: .text("row 5000"))

    private static let cases: [Case] = [
        Case(filter: since, order: "updatedAt", index: "zumod_things.updatedAt.id", isSorted: true),
        Case(
            filter: since, order: "updatedAt", includesDeleted: false, index: "zumod_things.updatedAt.id",
            isSorted: true),
        Case(
            filter: "updatedAt gt cast(2026-01-14T12:00:00.123Z,Edm.DateTimeOffset)", order: "updatedAt",
            language: .datasync,
            index: "zumod_things.updatedAt.id", isSorted: true),
        Case(filter: since, order: "updatedAt", after: place, index: "zumod_things.updatedAt.id", isSorted: true),
        Case(order: "updatedAt", after: place, language: .datasync, index: "zumod_things.updatedAt.id", isSorted: true),
        Case(order: "updatedAt desc,id desc", after: place, index: "zumod_things.updatedAt.id", isSorted: true),
        Case(index: "things_pkey", isSorted: true),
        Case(after: PageCursor(values: [], id: .text("row 5")), index: "things_pkey", isSorted: true),
        Case(filter: "id eq 'row 77'", index: "things_pkey"),
        Case(filter: "title eq 'TITLE 77'", index: "zumod_things.title"),
        Case(filter: "title ge 'title 77' and title lt 'Títle 78'", order: "title", index: "zumod_things.title"),
        Case(
            order: "title", after: PageCursor(values: [.text("Title 77")], id: .text("row 77")),
            index: "zumod_things.title"),
        Case(
            order: "title desc", after: PageCursor(values: [.text("Títle 77")], id: .text("row 77")),
            index: "zumod_things.title"),
        Case(
            order: "price desc", after: PageCursor(values: [.decimal(DecimalNumber(77))], id: .text("row 77")),
            index: "zumod_things.price"),
        Case(filter: "title eq 'Title 77'", language: .datasync, index: "zumod_things.title..exact"),
        Case(filter: "title in ('Title 77','Title 78')", language: .datasync, index: "zumod_things.title..exact"),
        Case(filter: "count eq 5 and title gt 'Title 9'", index: "zumod_things.count.title"),
        Case(
            filter: "count eq 5 and title gt 'Title 9'", language: .datasync, index: "zumod_things.count.title..exact"),
        Case(filter: "due ge datetime'2026-01-14T12:00Z'", order: "due", index: "zumod_things.due"),
        Case(filter: "price eq 77.5", index: "zumod_things.price"),
        Case(filter: "price gt 1999.5m", order: "price", language: .datasync, index: "zumod_things.price"),
        Case(
            filter: "deleted eq true and createdAt gt datetime'2026-01-14T20:00Z'",
            index: "zumod_things.deleted.createdAt"),
        Case(
            filter: since, order: "updatedAt", after: place, scope: "owner eq 'user 7'",
            index: "zumod_things.owner.updatedAt.id..exact", isSorted: true),
        // Many rows are the caller's: the pull goes on in its own index.
        Case(
            filter: since, order: "updatedAt", after: place, scope: "count lt 800 or title eq 'Title 77'",
            index: "zumod_things.updatedAt.id", isSorted: true),
        // Few are: they are looked up one by one.
        Case(
            filter: since, order: "updatedAt", scope: "count eq 5 or title eq 'Title 77'",
            index: "zumod_things.title..exact"),
    ]

    /// The table of the cases with its rows, and a connection beside the store's.
    private static func open(
        _ backend: PostgresBackend
    ) async throws -> (any TableStore, Table, PostgresConnection) {
        let store = try await backend.open([definition])
        try await backend.runUnseen(rows)
        let connection = try PostgresConnection(PostgresAddress(url: backend.url), PostgresBackend.settings)
        return (store, try #require(store.table(named: "things")), connection)
    }

    @Test func `the pull, its next pages and each index are read by their index`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let (store, table, connection) = try await Self.open(backend)
        for item in Self.cases {
            let plan = try Self.plan(item, table, connection)
            #expect(
                plan.contains {
                    $0.contains("using \"\(item.index)\"") || $0.contains("on \"\(item.index)\"")
                        || $0.contains("using \(item.index) ")
                },
                "\(item): \(plan)")
            #expect(!plan.contains { $0.contains("Seq Scan") }, "\(item): \(plan)")
            if item.isSorted { #expect(!plan.contains { $0.contains("Sort") }, "\(item): \(plan)") }
        }
        try await backend.close(store)
    }

    @Test func `the plan of a pull is made for all dates and kept`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let (store, table, connection) = try await Self.open(backend)
        for day in 1...9 {
            let item = Case(
                filter: "updatedAt ge datetimeoffset'2026-01-0\(day)T12:00:00Z'", order: "updatedAt", index: "")
            _ = try connection.run(try Self.statement(item, table))
        }
        let plans = try connection.run(
            "SELECT custom_plans, generic_plans FROM pg_prepared_statements WHERE statement LIKE 'SELECT \"id\"%'")
        // PostgreSQL tries five before.
        #expect(plans.rowCount == 1 && plans.integer(0, 0) == 5 && plans.integer(0, 1) == 4)
        try await backend.close(store)
    }

    @Test func `a database from before the order of text gets its indexes anew`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let definition = TableDefinition(name: "old", columns: [Column("title", .string)], indexes: [["title"]])
        var store = try await backend.open([definition])
        let table = try #require(store.table(named: "old"))
        for title in ["Äpfel", "apfel", "Banane"] {
            _ = try await store.insert(
                [Property("title", .text(title))], id: .text(title), in: table, into: RecordedRows())
        }
        try await backend.close(store)
        try await backend.run(
            """
            DROP INDEX "zumod_old.title";
            CREATE INDEX "zumod_old.title" ON old (zumod_fold(title) NULLS FIRST);
            DROP FUNCTION zumod_sorted; DROP FUNCTION zumod_sort_key;
            DELETE FROM zumod_migrations WHERE number = 10
            """)
        store = try await backend.open([definition])
        let connection = try PostgresConnection(PostgresAddress(url: backend.url), PostgresBackend.settings)
        let sql = "SELECT pg_get_indexdef('\"zumod_old.title\"'::regclass)"
        #expect(
            try connection.run(SQLText(sql)).string(0, 0).contains("(zumod_sorted(title) NULLS"))
        var query = TableQuery(limit: 10)
        query.order = [OrderTerm(.column("title", at: 0))]
        #expect(try await store.list(query, in: table, into: RecordedRows()).rows.ids == ["apfel", "Äpfel", "Banane"])
        try await backend.close(store)
    }

    /// The lines of PostgreSQL's plan for a query.
    private static func plan(_ item: Case, _ table: Table, _ connection: PostgresConnection) throws -> [String] {
        let sql = try statement(item, table)
        let result = try connection.run(SQLText("EXPLAIN " + sql.text, sql.bindings))
        return (0..<result.rowCount).map { result.string($0, 0) }
    }

    private static func statement(_ item: Case, _ table: Table) throws -> SQLText {
        let members = [("$filter", item.filter), ("$orderby", item.order)].filter { !$0.1.isEmpty }
        let options = try QueryOptions.parse(members.map { (name: $0.0, value: $0.1) }, language: item.language)
        var query = TableQuery(limit: 50)
        query.filter = options.filter
        query.order = options.order
        query.after = item.after
        query.includeDeleted = item.includesDeleted
        query.textComparison = item.language == .datasync ? .ordinal : .ignoringCase
        query.nullComparison = item.language == .datasync ? .value : .unknown
        query.scope = try item.scope.map { RowScope(try ConditionTemplate($0, option: "rule").condition([:])) }
        return try SelectStatement(query: query, table: table, dialect: PostgresDialect()).sql
    }
}
