import OData
import Scalars
import StorageTesting
import TableSQL
import Tables
import Testing

@testable import SQLiteStorage

@Suite("What indexes a query uses") struct QueryPlanTests {
    private static let definition: TableDefinition = {
        var definition = TableDefinition(
            name: "things",
            columns: [
                Column("title", .string), Column("count", .integer), Column("due", .date), Column("price", .decimal),
                Column("owner", .string), Column("shared", .boolean),
            ],
            indexes: [
                ["title"], ["count", "title"], ["due"], ["price"], ["deleted", "createdAt"],
                ["owner", "updatedAt", "id"],
            ])
        definition.rules.softDelete = true
        return definition
    }()

    /// The steps of SQLite's plan for a query.
    /// - Parameter titles: what the rows have in the column; nil where it isn't looked at.
    private func plan(
        filter: String? = nil, order: String? = nil, after: PageCursor? = nil, includeDeleted: Bool = true,
        scope: String? = nil, titles: [String]? = nil, _ language: QueryLanguage = .apps
    ) throws -> [String] {
        let connection = try SQLiteConnection(.memory, role: .writer)
        try connection.migrateAlone()
        let table = try table(in: connection)
        let members = [("$filter", filter), ("$orderby", order)].compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
        let options = try QueryOptions.parse(members, language: language)
        var query = TableQuery(limit: 50)
        query.filter = options.filter
        query.order = options.order
        query.after = after
        query.includeDeleted = includeDeleted
        query.textComparison = language == .datasync ? .ordinal : .ignoringCase
        query.nullComparison = language == .datasync ? .value : .unknown
        query.scope = try scope.map { RowScope(try ConditionTemplate($0, option: "rule").condition([:])) }
        var split = TextSplit()
        for title in titles ?? [] {
            try connection.run("INSERT INTO things (title, owner) VALUES (?1, ?1)", [.text(title)])
        }
        if titles != nil, let texts = IndexedTexts(query, in: table, dialect: SQLiteDialect()) {
            try connection.query(texts.question.text) { row in
                split = texts.split(by: (0..<texts.count).map { row.integer(at: Int32($0)) == 1 })
            }
        }
        let sql = try SelectStatement(query: query, table: table, dialect: SQLiteDialect(), split: split).sql
        var steps: [String] = []
        try connection.query("EXPLAIN QUERY PLAN " + sql.text, sql.bindings) { steps.append($0.string(at: 3)) }
        return steps
    }

    private func table(in connection: SQLiteConnection) throws -> Table {
        let session = WriteSession(connection, catalog: SQLiteTableCatalog([:]), clock: { SystemClock.now() })
        try session.begin()
        let table = try SQLiteSchemaPreparation(session).prepare(Self.definition, origin: .configuration)
        try session.commit()
        return table
    }

    @Test func `what is told of devices and of whole tables reads an index alone`() throws {
        let connection = try SQLiteConnection(.memory, role: .writer)
        try connection.migrateAlone()
        let (table, dialect) = (try table(in: connection), SQLiteDialect())
        let place = TableProgress(table, Instant(milliseconds: 0))
        for statement in [
            SQLText(DeviceStatements.countChanges(since: place, limit: 1_000), dialect),
            SQLText(table.lastChange, dialect),
            SQLText(DeviceStatements.trim(to: 10_000), dialect),
            SQLText(DeviceStatements.forget(unseenSince: Instant(milliseconds: 0)), dialect),
            try SelectStatement(query: FrequentValues.query(of: "updatedAt"), table: table, dialect: dialect).sql,
        ] {
            var steps: [String] = []
            try connection.query("EXPLAIN QUERY PLAN " + statement.text, statement.bindings) {
                steps.append($0.string(at: 3))
            }
            let plan = steps.joined(separator: "; ")
            #expect(plan.contains("INDEX zumod_") && !plan.contains("TEMP B-TREE"), "\(plan)")
        }
    }

    private static let since = "updatedAt ge datetimeoffset'2026-11-21T12:00:00.123Z'"
    private static let place = PageCursor(values: [.text("2026-11-21T13:00:00.000Z")], id: .text("x"))

    @Test(arguments: [true, false])
    func `the pull reads the index of stamps and sorts nothing`(includeDeleted: Bool) throws {
        let steps = try plan(filter: Self.since, order: "updatedAt", includeDeleted: includeDeleted)
        #expect(steps == ["SEARCH things USING INDEX zumod_things.updatedAt.id (updatedAt>?)"])
    }

    @Test(arguments: [since, nil, "(count gt 1) and (\(since))"])
    func `the pull goes on in the index of stamps`(filter: String?) throws {
        let steps = try plan(filter: filter, order: "updatedAt", after: Self.place)
        #expect(steps == ["SEARCH things USING INDEX zumod_things.updatedAt.id (updatedAt>?)"])
    }

    @Test func `the newest rows first are read from the end of the index`() throws {
        let steps = try plan(order: "updatedAt desc,id desc", after: Self.place)
        #expect(steps == ["SEARCH things USING INDEX zumod_things.updatedAt.id (updatedAt<?)"])
    }

    @Test func `pages by id go on in the primary key`() throws {
        #expect(try plan() == ["SCAN things USING INDEX sqlite_autoindex_things_1"])
        let steps = try plan(after: PageCursor(values: [], id: .text("x")))
        #expect(steps == ["SEARCH things USING INDEX sqlite_autoindex_things_1 (id>?)"])
    }

    @Test(arguments: [
        ("title eq 'milk'", "zumod_things.title (title=?)"),
        ("count eq 5", "zumod_things.count.title..exact (count=?)"),
        ("count eq 5 and title gt 'a'", "zumod_things.count.title (count=? AND title>?)"),
        (
            "deleted eq false and createdAt gt datetime'2026-11-21'",
            "zumod_things.deleted.createdAt (deleted=? AND createdAt>?)"
        ),
        ("id eq 'a'", "sqlite_autoindex_things_1 (id=?)"),
        ("price eq 1.10m", "zumod_things.price (price=?)"),
    ])
    func `a filter uses the index that its column has`(filter: String, index: String) throws {
        #expect(try plan(filter: filter).first == "SEARCH things USING INDEX \(index)")
    }

    @Test func `a range of text reads the index, and that of the texts apart`() throws {
        let steps = try plan(filter: "title ge 'a' and title lt 'b'")
        #expect(
            steps.prefix(5) == [
                "MULTI-INDEX OR", "INDEX 1", "SEARCH things USING INDEX zumod_things.title (title>? AND title<?)",
                "INDEX 2", "SEARCH things USING INDEX zumod_things.title..apart.title (title>?)",
            ])
    }

    @Test(arguments: [
        ("title eq 'milk'", "zumod_things.title..exact (title=?)"),
        ("title gt 'a' and title lt 'b'", "zumod_things.title..exact (title>? AND title<?)"),
        ("title in ('milk','tea')", "zumod_things.title..exact (title=?)"),
        ("title eq null", "zumod_things.title..exact (title=?)"),
        ("count eq 5 and title gt 'a'", "zumod_things.count.title..exact (count=? AND title>?)"),
        ("price in (1.1,2)", "zumod_things.price (price=?)"),
    ])
    func `a filter by code point uses an index too`(filter: String, index: String) throws {
        #expect(try plan(filter: filter, .datasync).first == "SEARCH things USING INDEX \(index)")
    }

    @Test(arguments: [
        ("due gt 2026-11-21T12:00:00Z", "due", "zumod_things.due (due>?)"),
        ("price gt 1.10", "price", "zumod_things.price (price>?)"),
        ("title ge 'a'", "title", "zumod_things.title..exact (title>?)"),
        (
            "updatedAt gt cast(2026-11-21T12:00:00.123Z,Edm.DateTimeOffset)", "updatedAt",
            "zumod_things.updatedAt.id (updatedAt>?)"
        ),
    ])
    func `a range of v3 is read in the order of its index`(filter: String, order: String, index: String) throws {
        #expect(try plan(filter: filter, order: order, .datasync).first == "SEARCH things USING INDEX \(index)")
    }

    @Test(arguments: [
        ("title", PageCursor(values: [.text("milk")], id: .text("x")), "zumod_things.title..exact (title>?)"),
        ("price", PageCursor(values: [.text("1.10")], id: .text("x")), "zumod_things.price (price>?)"),
    ])
    func `an order by code point or by decimals goes on in its index`(
        order: String, place: PageCursor, index: String
    ) throws {
        let steps = try plan(order: order, after: place, .datasync)
        #expect(steps.first == "SEARCH things USING INDEX \(index)")
    }

    @Test func `an index of an order spares the sort`() throws {
        let steps = try plan(filter: "due ge datetime'2026-11-21'", order: "due")
        #expect(steps.first == "SEARCH things USING INDEX zumod_things.due (due>?)")
    }

    private static let titlePlace = PageCursor(values: [.text("Müll")], id: .text("x"))

    @Test(
        arguments: [
            (nil, "title", nil, "SCAN things USING INDEX zumod_things.title"),
            (nil, "title desc", nil, "SCAN things USING INDEX zumod_things.title"),
            (nil, "title", titlePlace, "SEARCH things USING INDEX zumod_things.title (title>?)"),
            (nil, "title desc", titlePlace, "SEARCH things USING INDEX zumod_things.title (title<?)"),
            (
                "title ge 'Ä' and title lt 'm'", "title", nil,
                "SEARCH things USING INDEX zumod_things.title (title>? AND title<?)"
            ),
            (
                "title gt 'Ä' and title le 'Ö'", "", nil,
                "SEARCH things USING INDEX zumod_things.title (title>? AND title<?)"
            ),
            ("count eq 5", "title desc", nil, "SEARCH things USING INDEX zumod_things.count.title (count=?)"),
            (nil, "count,title", nil, "SCAN things USING INDEX zumod_things.count.title"),
        ] as [(String?, String, PageCursor?, String)])
    func `an order of text walks its index, whatever else the texts of the table are`(
        filter: String?, order: String, place: PageCursor?, index: String
    ) throws {
        let order = order.isEmpty ? nil : order
        let plain = try plan(filter: filter, order: order, after: place, titles: ["Milk", "tea"])
        #expect(plain.contains(index), "\(plain)")
        #expect(!plain.contains { $0.contains("apart") || $0.contains("title..exact") && order == nil }, "\(plain)")
        if place?.values.isEmpty != false, order != nil {
            #expect(!plain.contains { $0.contains("TREE FOR ORDER BY") }, "\(plain)")
        }
        guard order != nil else { return }
        let mixed = try plan(filter: filter, order: order, after: place, titles: ["Milk", "Äpfel"])
        #expect(mixed.contains(index), "\(mixed)")
        #expect(
            mixed.contains { $0.contains("things USING INDEX zumod_things.") && $0.contains("..apart.title") },
            "\(mixed)")
    }

    @Test func `whether all texts are plain is told by an index that has the others alone`() throws {
        let connection = try SQLiteConnection(.memory, role: .writer)
        try connection.migrateAlone()
        var query = TableQuery(limit: 50)
        query.order = [OrderTerm(.column("title", at: 0)), OrderTerm(.column("owner", at: 0))]
        let texts = try #require(IndexedTexts(query, in: try table(in: connection), dialect: SQLiteDialect()))
        var steps: [String] = []
        try connection.query("EXPLAIN QUERY PLAN \(texts.question.text)") { steps.append($0.string(at: 3)) }
        let scans = steps.filter { $0.hasPrefix("SCAN things") }
        #expect(
            scans.count == 2 && scans.allSatisfy { $0.contains("COVERING INDEX") && $0.contains("..apart.") },
            "\(steps)")
        query.order = [OrderTerm(.column("updatedAt", at: 0))]
        #expect(IndexedTexts(query, in: try table(in: connection), dialect: SQLiteDialect()) == nil)
    }

    @Test(arguments: [nil, place])
    func `the rows of a user are read in the order of their own index`(after: PageCursor?) throws {
        let steps = try plan(filter: Self.since, order: "updatedAt", after: after, scope: "owner eq 'ann'")
        #expect(steps == ["SEARCH things USING INDEX zumod_things.owner.updatedAt.id..exact (owner=? AND updatedAt>?)"])
    }

    @Test(arguments: [nil, place])
    func `a rule with alternatives leaves the pull its index`(after: PageCursor?) throws {
        let steps = try plan(filter: Self.since, order: "updatedAt", after: after, scope: "owner eq 'ann' or shared")
        #expect(steps == ["SEARCH things USING INDEX zumod_things.updatedAt.id (updatedAt>?)"])
        let pages = try plan(scope: "owner eq 'ann' or shared eq true")
        #expect(pages == ["SCAN things USING INDEX sqlite_autoindex_things_1"])
        // With an index on each alternative the rows are looked up and sorted, which pays where they are few.
        let few = try plan(scope: "owner eq 'ann' or due eq 2026-11-21T00:00:00Z")
        #expect(few.first == "MULTI-INDEX OR")
    }

    @Test func `three hundred alternatives of an id are looked up one by one`() throws {
        var filter = "(id eq 'id0')"
        for number in 1..<300 { filter = "(\(filter) or (id eq 'id\(number)'))" }
        let steps = try plan(filter: filter, includeDeleted: false)
        #expect(steps.contains { $0.contains("(id=?)") }, "\(steps)")
    }
}
