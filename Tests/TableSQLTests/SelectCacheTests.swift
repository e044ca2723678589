import OData
import SeedTesting
import TableSQL
import Tables
import Testing

@Suite struct `Statements of lists kept by their shape` {
    private static let first: [(name: String, value: String)] = [
        ("$filter", "(done eq false) and (updatedAt ge datetimeoffset'2026-11-21T12:00:00.123Z')"),
        ("$orderby", "updatedAt"), ("$top", "50"),
    ]

    private static func query(_ filter: String?, order: String = "", skip: Int = 0, limit: Int = 50) throws
        -> TableQuery
    {
        let members = [("$filter", filter ?? ""), ("$orderby", order)].filter { !$0.1.isEmpty }
        let options = try QueryOptions.parse(members.map { (name: $0.0, value: $0.1) })
        var query = TableQuery(limit: limit)
        query.filter = options.filter
        query.order = options.order
        query.skip = skip
        return query
    }

    /// Each after all before it, so that some find what another left.
    private static let queries: [(filter: String?, order: String, skip: Int, limit: Int)] = [
        (nil, "", 0, 50), (nil, "", 50, 50), (nil, "", 0, .max), (nil, "updatedAt", 0, 10),
        (nil, "updatedAt desc", 0, 10),
        ("updatedAt ge datetime'2026-11-21T12:00:00Z'", "updatedAt", 0, 50),
        ("updatedAt ge datetime'2027-01-01T12:00:00.5Z'", "updatedAt", 0, 50),
        ("updatedAt ge datetime'2027-01-01T12:00:00.5Z'", "updatedAt", 100, 25),
        ("updatedAt gt datetime'2027-01-01T12:00:00.5Z'", "updatedAt", 0, 50),
        ("updatedAt ge datetime'2027-01-01' and updatedAt lt datetime'2027-01-02T01:00Z'", "", 0, 50),
        ("updatedAt ge datetime'2025-01-01' and updatedAt lt datetime'2025-01-02T02:00Z'", "", 0, 50),
        ("title eq datetime'2025-01-02T02:00Z'", "", 0, 50), ("title eq datetime'2025-01-02T03:00Z'", "", 0, 50),
        ("day eq datetime'2025-01-02'", "", 0, 50), ("day eq datetime'2025-01-03'", "", 0, 50),
        ("done eq true", "", 0, 50), ("done eq false", "", 0, 50), ("done eq 0", "", 0, 50), ("done eq 1", "", 0, 50),
        ("title eq 'a'", "", 0, 50), ("title eq 'b'", "", 0, 50), ("title eq 'é'", "", 0, 50),
        ("title eq null", "", 0, 50), ("title eq 'A'", "", 0, 50), ("title ne 'a'", "", 0, 50),
        ("title ne 'b'", "", 0, 50),
        ("title eq 'a' and note eq 'b'", "", 0, 50), ("title eq 'C' and note eq 'D'", "", 0, 50),
        ("title eq 'a' and note eq 'é'", "", 0, 50), ("title eq 'a' and note ne 'b'", "", 0, 50),
        ("title eq 'a' and note ne 'B'", "", 0, 50), ("'a' eq title", "", 0, 50), ("'b' eq title", "", 0, 50),
        ("title eq 'a' and updatedAt ge datetime'2027-01-01T12:00:00.5Z'", "", 0, 50),
        ("title eq 'B' and updatedAt ge datetime'2027-01-01T12:00:00.7Z'", "", 0, 50),
        ("title eq '2025-01-02T02:00:00.000Z' and note eq datetime'2025-01-02T02:00:00Z'", "", 0, 50),
        ("title eq 'c' and note eq datetime'2025-01-02T02:00:00Z'", "", 0, 50),
        ("id eq 'a'", "", 0, 50), ("id eq 'b'", "", 0, 50), ("count eq '5'", "", 0, 50), ("count eq '6'", "", 0, 50),
        ("done eq 'true'", "", 0, 50), ("done eq 'false'", "", 0, 50),
        ("day eq '2025-01-02'", "", 0, 50), ("day eq '2025-01-03'", "", 0, 50),
        (nil, "title eq 'a'", 0, 50), (nil, "title eq 'b'", 0, 50),
        // A column of texts reads a number as a text of its own.
        ("title eq 1 and note eq '1'", "", 0, 50), ("title eq 1 and note eq 'x'", "", 0, 50),
        ("note eq '0' or 1 eq 1 and title eq 0", "", 0, 50), ("note eq '2' or 1 eq 1 and title eq 0", "", 0, 50),
        // What is asked of null is known without the text.
        ("((title eq 'b') gt null) or note eq 'b'", "", 0, 50), ("((title eq 'v') gt null) or note eq 'w'", "", 0, 50),
        ("note eq 'Zumod''s text 0'", "", 0, 50), ("note eq 'zumod''s text 1' and title eq 'q'", "", 0, 50),
        ("count eq 5", "", 0, 50), ("count eq 6", "", 0, 50), ("not done", "", 0, 50), ("-count lt 1", "", 0, 50),
        ("year(updatedAt) eq 1", "month(updatedAt)", 0, 50),
        (nil, "year(datetime'2025-01-02T03:00Z')", 0, 50), (nil, "year(datetime'2026-01-02T03:00Z')", 0, 50),
    ]

    @Test func `a kept statement is what would be made anew`() throws {
        for dialect in [SQLiteDialect(), PostgresDialect()] as [any SQLDialect] {
            let cache = SelectCache(dialect)
            for _ in 0..<2 {
                for (filter, order, skip, limit) in Self.queries {
                    for isOrdinal in [false, true] {
                        for includesDeleted in [false, true] {
                            var query = try Self.query(filter, order: order, skip: skip, limit: limit)
                            query.textComparison = isOrdinal ? .ordinal : .ignoringCase
                            query.includeDeleted = includesDeleted
                            let kept = try cache.statement(for: query, in: QueryFixture.withDays)
                            let anew = try SelectStatement(query: query, table: QueryFixture.withDays, dialect: dialect)
                            #expect(kept.sql == anew.sql, "\(filter ?? "") \(order)")
                            #expect(kept.layout.fields == anew.layout.fields && kept.placeColumns == anew.placeColumns)
                        }
                    }
                }
            }
        }
    }

    /// Conditions of a few forms, so that many have one shape, with texts of which many are equal.
    private static func randomFilter(_ random: inout SeededGenerator, depth: Int) -> String {
        let texts = ["0", "1", "", "a", "A", "b", "null", "2027-01-01T12:00:00.000Z", "Zumod''s text 0"]
        func text() -> String { "'\(texts[Int.random(in: 0..<texts.count, using: &random)])'" }
        let column = ["title", "note"][Int.random(in: 0..<2, using: &random)]
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0...2: return "\(column) eq \(text())"
        case 3: return "\(column) eq \(Int.random(in: 0...1, using: &random))"
        case 4: return "1 eq 1"
        case 5: return "\(column) eq null"
        case 6: return "not (\(randomFilter(&random, depth: depth - 1)))"
        case 7: return "(\(randomFilter(&random, depth: depth - 1))) gt null"
        case let number:
            let (left, right) = (randomFilter(&random, depth: depth - 1), randomFilter(&random, depth: depth - 1))
            return "(\(left)) \(number == 8 ? "and" : "or") (\(right))"
        }
    }

    @Test func `whatever a filter compares, a kept statement has the texts of its own query`() throws {
        var random = SeededGenerator.printed("kept statements")
        for dialect in [SQLiteDialect(), PostgresDialect()] as [any SQLDialect] {
            let cache = SelectCache(dialect, capacity: 10_000)
            for _ in 0..<4_000 {
                let filter = Self.randomFilter(&random, depth: 2)
                guard var query = try? Self.query(filter) else { continue }
                query.textComparison = Bool.random(using: &random) ? .ordinal : .ignoringCase
                query.nullComparison = Bool.random(using: &random) ? .value : .unknown
                let anew = try? SelectStatement(query: query, table: QueryFixture.withDays, dialect: dialect)
                let kept = try? cache.statement(for: query, in: QueryFixture.withDays)
                #expect(kept?.sql == anew?.sql, "\(filter)")
            }
        }
    }

    @Test(
        arguments: [
            (nil, "", 0, 50), (nil, "title", 0, 50),
            ("updatedAt ge datetime'2026-11-21T12:00:00Z'", "updatedAt", 0, 50),
            ("updatedAt gt datetime'2026-11-21T12:00:00Z'", "updatedAt,title desc", 0, 1_000),
        ] as [(String?, String, Int, Int)])
    func `on PostgreSQL the number of rows is written where one plan serves all values`(
        filter: String?, order: String, skip: Int, limit: Int
    ) throws {
        let query = try Self.query(filter, order: order, skip: skip, limit: limit)
        let cache = SelectCache(PostgresDialect())
        for _ in 0..<2 {
            let sql = try cache.statement(for: query, in: QueryFixture.withDays).sql
            #expect(sql.text.hasSuffix(" LIMIT \(limit + 1)"), "\(sql.text)")
            #expect(!sql.bindings.contains { if case .integer = $0 { true } else { false } })
        }
    }

    @Test(
        arguments: [
            (nil, "", 50, 50), (nil, "", 0, 51), (nil, "", 0, 1_005), (nil, "", 0, .max),
            ("updatedAt ge datetime'2026-11-21T12:00:00Z'", "title", 0, 50),
            ("updatedAt ge datetime'2026-11-21T12:00:00Z'", "updatedAt desc", 0, 50),
            ("updatedAt le datetime'2026-11-21T12:00:00Z'", "updatedAt", 0, 50),
            ("done eq true", "title", 0, 50), ("title eq 'a'", "title", 0, 50),
            ("updatedAt ge datetime'2026-11-21T12:00:00Z' and done eq true", "updatedAt", 0, 50),
        ] as [(String?, String, Int, Int)])
    func `else it is bound, as the best plan depends on values`(
        filter: String?, order: String, skip: Int, limit: Int
    ) throws {
        let query = try Self.query(filter, order: order, skip: skip, limit: limit)
        let sql = try SelectCache(PostgresDialect()).statement(for: query, in: QueryFixture.withDays).sql
        #expect(sql.text.contains(" LIMIT $") && sql.text.contains(" OFFSET $"), "\(sql.text)")
    }

    @Test func `a statement for plain texts is kept apart from the one for all`() throws {
        let title = try #require(QueryFixture.withDays.field(named: "title"))
        let (table, dialect) = (QueryFixture.withDays.indexed(by: [[title]]), SQLiteDialect())
        let cache = SelectCache(dialect)
        for day in ["21", "22", "23"] {
            let query = try Self.query("updatedAt ge datetime'2026-11-\(day)T12:00:00Z'", order: "title")
            let texts = try #require(IndexedTexts(query, in: table, dialect: dialect))
            for answers in [[false], [true]] {
                let split = texts.split(by: answers)
                let kept = try cache.statement(for: query, in: table, split: split)
                let anew = try SelectStatement(query: query, table: table, dialect: dialect, split: split)
                #expect(kept.sql == anew.sql && kept.placeColumns == anew.placeColumns)
                #expect(kept.sql.text.contains("zumod_order") == answers[0])
            }
            #expect(try cache.statement(for: query, in: table).sql.text.contains("zumod_order"))
        }
    }

    @Test func `a column that a table gains is in the next statement`() throws {
        let cache = SelectCache(SQLiteDialect(), capacity: 1)
        let query = TableQuery(limit: 5)
        _ = try cache.statement(for: query, in: QueryFixture.withDays)
        let more = QueryFixture.withDays.adding([Column(try #require(Identifier("more")), .string)])
        #expect(try cache.statement(for: query, in: more).layout.fields == more.fields)
        #expect(
            try cache.statement(for: query, in: QueryFixture.withDays).layout.fields == QueryFixture.withDays.fields)
    }

    @Test func `what is wrong with a query is told each time`() throws {
        let cache = SelectCache(SQLiteDialect())
        for _ in 0..<2 {
            #expect(throws: QueryError.self) {
                try cache.statement(for: try Self.query("missing eq 1"), in: QueryFixture.withDays)
            }
        }
    }
}
