import OData
import SQLiteStorage
import StorageTesting
import Tables
import Testing

@Suite("A walk over pages") struct PageWalkTests {
    private static let definition = TableDefinition(
        name: "things",
        columns: [
            Column("title", .string), Column("price", .number), Column("count", .integer), Column("done", .boolean),
            Column("due", .date), Column("day", .dateOnly), Column("time", .timeOnly),
        ])

    /// Rows with nulls, texts that differ in case only, and many equal values in every column.
    private static func fill(_ store: SQLiteTableStore, _ rows: Int = 60) async throws -> Table {
        let table = try #require(store.table(named: "things"))
        let titles: [Value] = ["Tea", "tea", "TEA", "é", "É", "ß", "", "🎈", "Zoë", "zoe"].map(Value.text) + [.null]
        for row in 0..<rows {
            let properties = [
                Property("title", titles[row * 7 % titles.count]),
                Property("price", row % 5 == 0 ? .null : .number(Double(row % 4) * 0.1)),
                Property("count", row % 6 == 0 ? .null : .integer(.max - Int64(row % 3))),
                Property("done", row % 3 == 0 ? .null : .boolean(row % 2 == 0)),
                Property("due", row % 4 == 0 ? .null : .text("2026-11-0\(row % 9 + 1)")),
                Property("day", row % 7 == 0 ? .null : .text("2026-11-0\(row % 5 + 1)")),
                Property("time", row % 8 == 0 ? .null : .text("1\(row % 5):30")),
            ]
            _ = try await store.insert(
                properties, id: .text("\(row % 2 == 0 ? "a" : "B")\(row)"), in: table, into: RecordedRows())
        }
        return table
    }

    private static func query(_ order: String, _ filter: String, language: QueryLanguage) throws -> TableQuery {
        let members = [("$orderby", order), ("$filter", filter)].filter { !$0.1.isEmpty }
        let options = try QueryOptions.parse(members.map { (name: $0.0, value: $0.1) }, language: language)
        var query = TableQuery(limit: 1_000)
        query.filter = options.filter
        query.order = options.order
        query.textComparison = language == .datasync ? .ordinal : .ignoringCase
        query.nullComparison = language == .datasync ? .value : .unknown
        return query
    }

    private static let orders = [
        "", "id desc", "title", "title desc", "title,price desc", "price desc,title", "count,done desc",
        "done,due desc",
        "due desc", "day,time desc", "time", "updatedAt", "updatedAt desc", "version desc", "deleted desc,title desc",
        "tolower(title) desc", "length(title) desc,title", "price add count", "price mul 3 desc", "price gt 0.1",
        "null", "null desc,count", "-price,id desc", "concat(title,'x'),count desc,price,done,due,day desc",
    ]

    @Test(arguments: orders, [QueryLanguage.apps, .datasync])
    func `pages put together are the whole list, in its order`(order: String, language: QueryLanguage) async throws {
        let store = try SQLiteTableStore.open(.memory, tables: [Self.definition], servesClientTables: false)
        let table = try await Self.fill(store)
        for filter in ["", "price ne null and not (title eq 'tea')"] {
            var query = try Self.query(order, filter, language: language)
            let whole = try await store.list(query, in: table, into: RecordedRows())
            #expect(whole.cursor == nil && whole.rowCount > 20)
            for limit in [1, 7, 20] {
                query.limit = limit
                query.after = nil
                var ids: [String] = []
                repeat {
                    let page = try await store.list(query, in: table, into: RecordedRows())
                    #expect((page.cursor != nil) == page.hasMore)
                    ids += page.rows.ids
                    query.after = page.cursor
                    // What the place says counts, not how many rows there were.
                    query.skip = 50
                } while query.after != nil
                query.skip = 0
                #expect(ids == whole.rows.ids, "\(order) \(limit)")
            }
        }
        await store.close()
    }

    @Test func `rows without their id answered go on all the same`() async throws {
        let store = try SQLiteTableStore.open(.memory, tables: [Self.definition], servesClientTables: false)
        let table = try await Self.fill(store)
        var query = try Self.query("price mul 2 desc", "", language: .apps)
        query.select = [SelectedName("title", at: 0)]
        query.limit = 9
        var count = 0
        repeat {
            let page = try await store.list(query, in: table, into: RecordedRows())
            #expect(page.rows.faults.isEmpty && page.rows.names == ["title"])
            count += page.rowCount
            query.after = page.cursor
        } while query.after != nil
        #expect(count == 60)
        await store.close()
    }

    @Test func `an order of too many terms has no places`() async throws {
        let store = try SQLiteTableStore.open(.memory, tables: [Self.definition], servesClientTables: false)
        let table = try await Self.fill(store)
        let order = (1...16).map { "count add \($0)" }.joined(separator: ",")
        var query = try Self.query(order, "", language: .apps)
        query.limit = 5
        let page = try await store.list(query, in: table, into: RecordedRows())
        #expect(page.hasMore && page.cursor == nil)
        await store.close()
    }

    @Test(arguments: [("concat('x',", ")"), ("(1 add ", ")"), ("-", ""), ("not (", ")")])
    func `the deepest order that passes goes on too`(opening: String, closing: String) async throws {
        let store = try SQLiteTableStore.open(.memory, tables: [Self.definition], servesClientTables: false)
        let table = try await Self.fill(store, 5)
        let inner = opening.hasPrefix("concat") ? "title" : opening.hasPrefix("not") ? "done" : "price"
        var deepest = 0
        for depth in 1...QueryLimits.nesting / 2 {
            let order = String(repeating: opening, count: depth) + inner + String(repeating: closing, count: depth)
            var query = try Self.query(order + ",title desc", "price ge 0 or price lt 0", language: .apps)
            query.limit = 2
            do throws(TableError) {
                let page = try await store.list(query, in: table, into: RecordedRows())
                query.after = page.cursor
                #expect(try await store.list(query, in: table, into: RecordedRows()).rowCount > 0)
                deepest = depth
            } catch {
                guard case .query(let reason) = error, case .overLimit = reason.reason else { throw error }
                break
            }
        }
        #expect(deepest > 5)
        await store.close()
    }

    @Test func `a place of another order is refused`() async throws {
        let store = try SQLiteTableStore.open(.memory, tables: [Self.definition], servesClientTables: false)
        let table = try await Self.fill(store, 3)
        var query = try Self.query("title,price", "", language: .apps)
        query.after = PageCursor(values: [.null], id: .text("a"))
        let foreign = query
        await #expect(throws: TableError.self) { _ = try await store.list(foreign, in: table, into: RecordedRows()) }
        await store.close()
    }

    @Test(arguments: ["count,title", "title desc", "createdAt desc", "id"])
    func `each row comes once while others are written`(order: String) async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(
            backend.location, tables: [Self.definition], servesClientTables: false)
        let table = try await Self.fill(store)
        var query = try Self.query(order, "", language: .apps)
        let expected = try await store.list(query, in: table, into: RecordedRows()).rows.ids
        query.limit = 4
        var ids: [String] = []
        try await Self.whileOthersWrite(to: table, of: store) {
            repeat {
                let page = try await store.list(query, in: table, into: RecordedRows())
                ids += page.rows.ids
                query.after = page.cursor
                // A row that is gone would pull every row behind it over the border of a page that is counted.
                if let first = page.rows.ids.first {
                    _ = try await store.delete(.text(first), if: .none, in: table, into: RecordedRows())
                }
            } while query.after != nil
        }
        #expect(ids.filter { !$0.hasPrefix("new") } == expected)
        await store.close()
    }

    @Test func `a pull misses no row that is written meanwhile`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(
            backend.location, tables: [Self.definition], servesClientTables: false)
        let table = try await Self.fill(store)
        var query = try Self.query(
            "updatedAt", "updatedAt ge datetimeoffset'2000-01-01T00:00:00Z'", language: .apps)
        let expected = Set(try await store.list(query, in: table, into: RecordedRows()).rows.ids)
        query.limit = 3
        var stamps: [String] = []
        var ids: Set<String> = []
        try await Self.whileOthersWrite(to: table, of: store, times: 150) {
            repeat {
                let page = try await store.list(query, in: table, into: RecordedRows())
                stamps += page.rows.stamps
                ids.formUnion(page.rows.ids)
                query.after = page.cursor
            } while query.after != nil
        }
        #expect(ids.isSuperset(of: expected))
        #expect(stamps == stamps.sorted())
        await store.close()
    }

    /// Edits rows and adds some, on a task of its own, until the body is done.
    private static func whileOthersWrite(
        to table: Table, of store: SQLiteTableStore, times: Int = 100_000, _ body: () async throws -> Void
    ) async throws {
        let writer = Task {
            for number in 0..<times where !Task.isCancelled {
                let row = number * 13 % 60
                _ = try await store.update(
                    .text("\(row % 2 == 0 ? "a" : "B")\(row)"), set: [Property("due", .text("2027-01-01"))], if: .none,
                    in: table, into: RecordedRows())
                guard number % 10 == 0 else { continue }
                _ = try await store.insert(
                    [Property("title", .text("t\(number)"))], id: .text("new\(number)"), in: table,
                    into: RecordedRows())
            }
        }
        try await body()
        writer.cancel()
        try await writer.value
    }
}
