import OData
import SQLiteStorage
import SeedTesting
import StorageTesting
import Tables
import Testing

@Suite("An order by an index of text") struct TextIndexTests {
    /// The same columns without an index and with some.
    private static func definition(_ name: Identifier, indexes: [[Identifier]] = []) -> TableDefinition {
        var definition = TableDefinition(
            name: name,
            columns: [
                Column("title", .string), Column("note", .string), Column("count", .integer),
                // No type of SQLite's: it keeps what it is given.
                Column("loose", .string),
            ], indexes: indexes)
        definition.rules.softDelete = true
        return definition
    }

    private static let definitions = [
        definition("bare"),
        definition("indexed", indexes: [["title"], ["count", "title"], ["note", "title"], ["loose"]]),
    ]

    /// Makes both tables, with a column that has no type.
    private static func make(_ backend: SQLiteBackend) async throws -> SQLiteTableStore {
        let first = definitions.map { definition in
            TableDefinition(
                name: definition.name, columns: Array(definition.columns.dropLast()), rules: definition.rules)
        }
        await (try SQLiteTableStore.open(backend.location, tables: first, servesClientTables: false)).close()
        for definition in definitions { _ = try backend.query(#"ALTER TABLE \#(definition.name) ADD COLUMN loose"#) }
        return try SQLiteTableStore.open(backend.location, tables: definitions, servesClientTables: false)
    }

    private static let plainPieces = [
        "", "a", "A", "b", "B", "m", "z", "Z", " ", "~", "_", "^", "[", "`", "@", "0", "\u{1}", "\u{7F}",
    ].map { Array($0.utf8) }
    private static let oddPieces =
        ["é", "É", "ß", "ü", "u\u{308}", "\u{308}", "🎉", "Ж", "ж", "中", "Ａ", "ﬁ", "ı", "\u{212A}", "\u{80}", "\0"]
        .map { Array($0.utf8) }
    private static let brokenPieces: [[UInt8]] = [
        [0xFF], [0x80], [0xC3], [0xBF, 0x80], [0xC1, 0x81], [0xE4, 0xB8], [0xED, 0xA0, 0x80], [0xF5],
    ]

    private static func text(odd: Int, broken: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...3, using: &generator)).flatMap { _ in
            generator.chance(odd)
                ? generator.pick(generator.chance(broken) ? brokenPieces : oddPieces) : generator.pick(plainPieces)
        }
    }

    private static func sql(_ text: [UInt8]) -> String {
        "CAST(x'\(text.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())' AS TEXT)"
    }

    /// What a SQL shell may have put in a column of text.
    private static func cell(odd: Int, broken: Int, isLoose: Bool, _ generator: inout SeededGenerator) -> String {
        if generator.chance(10) { return "NULL" }
        if isLoose && generator.chance(20) || generator.chance(3) {
            return generator.pick(["1", "-5", "1.5", "9e99", "x''", "x'41'", "x'C3A9'", "x'FF'"])
        }
        return sql(text(odd: odd, broken: broken, &generator))
    }

    private static func fill(
        _ backend: SQLiteBackend, rows: Int, odd: Int, broken: Int, _ generator: inout SeededGenerator
    ) throws {
        let rows = (0..<rows).map { row in
            let cells = [
                "'\(row % 2 == 0 ? "a" : "B")\(row * 37 % 61)'",
                cell(odd: odd, broken: broken, isLoose: false, &generator),
                cell(odd: odd / 2, broken: broken, isLoose: false, &generator),
                generator.pick(["1", "2", "NULL"]), cell(odd: odd, broken: broken, isLoose: true, &generator),
                generator.chance(10) ? "1" : "0",
            ]
            return "(\(cells.joined(separator: ", ")))"
        }
        for definition in definitions {
            _ = try backend.query(
                """
                DELETE FROM \(definition.name); DELETE FROM \(definition.name) WHERE deleted;
                INSERT INTO \(definition.name) (id, title, note, count, loose, deleted)
                VALUES \(rows.joined(separator: ",\n"))
                """)
        }
    }

    private static let orders = [
        "title", "title desc", "note,title", "note desc,title desc", "note,title desc", "count,title",
        "count desc,title desc", "title,count", "loose", "loose desc", "title,note", "title,id desc", "note,count",
        "updatedAt", "tolower(title)", "title,loose desc,note", "",
    ]

    /// A filter with bounds of any text, such as clients send.
    private static func filter(_ generator: inout SeededGenerator) -> String {
        var parts: [String] = []
        for _ in 0..<generator.pick([0, 0, 1, 2]) {
            let text = String(decoding: text(odd: 30, broken: 0, &generator), as: UTF8.self)
            let literal = "'\(text.replacing("'", with: "''"))'"
            let column = generator.pick(["title", "title", "note", "loose"])
            let comparison = generator.pick(["lt", "le", "gt", "ge", "eq", "ne"])
            parts.append(
                generator.chance(20) ? "\(literal) \(comparison) \(column)" : "\(column) \(comparison) \(literal)")
        }
        if generator.chance(30) { parts.append(generator.pick(["count eq 1", "count eq 2", "count eq null"])) }
        return parts.joined(separator: generator.pick([" and ", " and ", " or "]))
    }

    private static func query(_ order: String, _ filter: String, _ language: QueryLanguage) throws -> TableQuery {
        let members = [("$orderby", order), ("$filter", filter)].filter { !$0.1.isEmpty }
        let options = try QueryOptions.parse(members.map { (name: $0.0, value: $0.1) }, language: language)
        var query = TableQuery(limit: 1_000)
        query.filter = options.filter
        query.order = options.order
        query.textComparison = language == .datasync ? .ordinal : .ignoringCase
        query.nullComparison = language == .datasync ? .value : .unknown
        query.wantsCount = true
        return query
    }

    /// All pages of a list put together, as a client walks them: by number where a place can't be told.
    private static func walk(
        _ query: TableQuery, by limit: Int, in table: Table, of store: SQLiteTableStore
    ) async throws -> [String] {
        var query = query
        query.limit = limit
        var ids: [String] = []
        while true {
            let page = try await store.list(query, in: table, into: RecordedRows())
            ids += page.rows.ids
            guard page.hasMore, ids.count < 100 else { return ids }
            query.after = page.cursor
            query.skip = ids.count
        }
    }

    @Test(arguments: [(0, 0), (0, 0), (4, 0), (30, 10), (30, 80), (100, 30)])
    func `is the order without it, page by page, whatever the texts hold`(odd: Int, broken: Int) async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try await Self.make(backend)
        var generator = SeededGenerator.printed("order by an index of text, \(odd) % odd, \(broken) % broken")
        try Self.fill(backend, rows: 60, odd: odd, broken: broken, &generator)
        let bare = try #require(store.table(named: "bare"))
        let indexed = try #require(store.table(named: "indexed"))
        #expect(indexed.indexes.count == 4 && bare.indexes.isEmpty)
        for _ in 0..<25 {
            let (order, filter) = (generator.pick(Self.orders), Self.filter(&generator))
            let language = generator.pick([QueryLanguage.apps, .apps, .apps, .datasync])
            var query = try Self.query(order, filter, language)
            query.includeDeleted = generator.chance(30)
            if generator.chance(20) { query.select = ["count", "id"].map { SelectedName($0, at: 0) } }
            if generator.chance(20) {
                query.scope = RowScope(
                    try ConditionTemplate("count ge 1 or note eq 'a'", option: "rule").condition([:]))
            }
            let expected = try await store.list(query, in: bare, into: RecordedRows())
            let found = try await store.list(query, in: indexed, into: RecordedRows())
            #expect(found.rows.ids == expected.rows.ids, "\(order) | \(filter)")
            #expect(found.totalCount == expected.totalCount, "\(order) | \(filter)")
            let limit = generator.pick([1, 2, 7, 20])
            let walked = try await Self.walk(query, by: limit, in: indexed, of: store)
            #expect(walked == expected.rows.ids, "\(order) | \(filter) by \(limit)")
            query.skip = 3
            query.limit = 5
            let part = try await store.list(query, in: indexed, into: RecordedRows())
            #expect(part.rows.ids == Array(expected.rows.ids.dropFirst(3).prefix(5)), "\(order) | \(filter)")
        }
        await store.close()
    }
}
