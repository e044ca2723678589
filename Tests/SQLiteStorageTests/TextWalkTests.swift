import CSQLite
import OData
import StorageTesting
import Synchronization
import TableSQL
import Tables
import Testing
import WorkThreads

@testable import SQLiteStorage

@Suite("A walk by an index of text") struct TextWalkTests {
    private static let definition = TableDefinition(
        name: "things", columns: [Column("title", .string), Column("count", .integer)], indexes: [["title"]])

    private static func query(isDescending: Bool, _ comparison: TextComparison = .ignoringCase) -> TableQuery {
        var query = TableQuery(limit: 50)
        query.order = [OrderTerm(.column("title", at: 0), isDescending: isDescending)]
        query.textComparison = comparison
        return query
    }

    /// What SQLite does for each page of a walk, in tens of steps of its machine.
    private static func costs(_ query: TableQuery, odd: Int, nulls: Int) throws -> [Int] {
        let connection = try SQLiteConnection(.memory, role: .writer)
        try connection.migrateAlone()
        let session = WriteSession(connection, catalog: SQLiteTableCatalog([:]), clock: { SystemClock.now() })
        try session.begin()
        let table = try SQLiteSchemaPreparation(session).prepare(definition, origin: .configuration)
        try session.commit()
        try connection.run(
            """
            INSERT INTO things (id, title, createdAt, updatedAt, version)
            SELECT 'row ' || value, CASE WHEN value <= ?1 THEN NULL WHEN value <= ?1 + ?2 THEN 'Ä' || value
                ELSE printf('Title %05d', value * 7919 % 10007) END, '', '', value
            FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 3000)
                SELECT value FROM n)
            """, [.integer(Int64(nulls)), .integer(Int64(odd))])
        let steps = Steps()
        unsafe try connection.withHandle { handle in
            unsafe sqlite3_progress_handler(
                handle, 10,
                { context in
                    if let context = unsafe context {
                        unsafe Unmanaged<Steps>.fromOpaque(context).takeUnretainedValue().count += 1
                    }
                    return 0
                }, Unmanaged.passUnretained(steps).toOpaque())
        }
        var query = query
        var (costs, ids): ([Int], Set<String>) = ([], [])
        repeat {
            steps.count = 0
            let reading = try ListReading(query, of: table, by: SelectCache(SQLiteDialect()))
            let page = try reading.run(on: connection, in: QueueTicket(patience: .zero), into: RecordedRows())
            costs.append(steps.count)
            ids.formUnion(page.rows.ids)
            query.after = page.cursor
        } while query.after != nil
        #expect(ids.count == 3_000)
        return costs
    }

    private final class Walks: Sendable {
        let done = Atomic(0)
    }

    /// Used by one thread.
    private final class Steps {
        var count = 0
    }

    @Test(arguments: [false, true], [0, 20])
    func `takes as many steps for the last page as for the first`(isDescending: Bool, nulls: Int) throws {
        let exact = try Self.costs(Self.query(isDescending: isDescending, .ordinal), odd: 0, nulls: nulls)
        let plain = try Self.costs(Self.query(isDescending: isDescending), odd: 0, nulls: nulls)
        let mixed = try Self.costs(Self.query(isDescending: isDescending), odd: 20, nulls: nulls)
        #expect(plain.count == 60 && mixed.count == 60)
        // A walk without an index takes some 3,000 of these for a page.
        let most = [exact, plain, mixed].map { $0.max() ?? 0 }
        #expect(most[0] < 500 && most[1] < 500 && most[2] < 1_000, "\(most)")
        #expect(plain[0] <= exact[0] + 50, "\(plain[0]) \(exact[0])")
    }

    @Test(arguments: [false, true])
    func `meets each row that stays just once, while others come, go and lose their plain texts`(
        isDescending: Bool
    ) async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(backend.location, tables: [Self.definition], servesClientTables: false)
        let table = try #require(store.table(named: "things"))
        let titles = ["a", "B", "c", "Müll", "Zebra", "é", "Ж", "", "a\u{0}b", "~"].map(Value.text) + [.null]
        var rows: [String] = []
        for row in 0..<66 {
            // At first all that stay are plain, or else some are not.
            let title = isDescending ? titles[row % titles.count] : .text(["tea", "Milk", "x"][row % 3] + "\(row % 7)")
            rows.append("stays \(row)")
            _ = try await store.insert(
                [Property("title", title)], id: .text(rows[row]), in: table, into: RecordedRows())
        }
        let walks = Walks()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    var turn = 0
                    while walks.done.load(ordering: .relaxed) < 12 {
                        turn += 1
                        let id = RowID.text("moves \(writer) \(turn % 5)")
                        let title = titles[(turn * 7 + writer) % titles.count]
                        let result = try await store.insert(
                            [Property("title", title)], id: id, in: table, into: RecordedRows())
                        if result.outcome == .duplicate {
                            if turn % 3 == 0 {
                                _ = try await store.delete(id, in: table, into: RecordedRows())
                            } else {
                                _ = try await store.update(
                                    id, set: [Property("title", title)], in: table, into: RecordedRows())
                            }
                        }
                    }
                }
            }
            for limit in [1, 2, 3, 5, 7, 11, 13, 17, 23, 31, 50, 99] {
                var query = Self.query(isDescending: isDescending)
                query.limit = limit
                var ids: [String] = []
                repeat {
                    let page = try await store.list(query, in: table, into: RecordedRows())
                    ids += page.rows.ids.filter { $0.hasPrefix("stays") }
                    query.after = page.cursor
                } while query.after != nil
                #expect(ids.sorted() == rows.sorted(), "\(limit)")
                walks.done.add(1, ordering: .relaxed)
            }
            // Also where an expectation failed.
            walks.done.store(12, ordering: .relaxed)
            try await group.waitForAll()
        }
        await store.close()
    }

    @Test func `goes on where texts were plain on one page and are not on the next`() async throws {
        let store = try SQLiteTableStore.open(.memory, tables: [Self.definition], servesClientTables: false)
        let table = try #require(store.table(named: "things"))
        for title in ["a", "B", "c", "D", "e"] {
            _ = try await store.insert(
                [Property("title", .text(title))], id: .text(title), in: table, into: RecordedRows())
        }
        var query = Self.query(isDescending: false)
        query.limit = 2
        var pages: [[String]] = []
        for arrival in ["Ç", "é", "Á", nil] as [String?] {
            let page = try await store.list(query, in: table, into: RecordedRows())
            pages.append(page.rows.ids)
            query.after = page.cursor
            guard let arrival else { break }
            _ = try await store.insert(
                [Property("title", .text(arrival))], id: .text(arrival), in: table, into: RecordedRows())
        }
        #expect(pages == [["a", "B"], ["c", "Ç"], ["D", "e"], ["é"]])
        await store.close()
    }

    @Test func `takes filters as deep as without the index`() async throws {
        let names: [Identifier] = ["bare", "plain", "mixed"]
        let definitions = names.map {
            TableDefinition(name: $0, columns: Self.definition.columns, indexes: $0 == "bare" ? [] : [["title"]])
        }
        let store = try SQLiteTableStore.open(.memory, tables: definitions, servesClientTables: false)
        for name in names {
            let table = try #require(store.table(named: name))
            for title in name == "plain" ? ["e", "a", "b"] : ["é", "a", "b"] {
                _ = try await store.insert(
                    [Property("title", .text(title))], id: .text(title), in: table, into: RecordedRows())
            }
        }
        let shapes = [
            ("concat('x',", "title", ")", " ne 'y'"), ("not (", "title gt 'x'", ")", ""),
            ("not (", "title gt 'Ж'", ")", ""), ("not (", "title le 'ü'", ")", ""),
            ("tolower(", "title", ")", " gt 'é'"),
        ]
        for (opening, inner, closing, end) in shapes {
            for depth in stride(from: 1, through: QueryLimits.nesting / 2, by: 1) {
                let filter =
                    String(repeating: opening, count: depth) + inner
                    + String(repeating: closing, count: depth) + end
                guard let expression = try? QueryOptions.parse([("$filter", filter)]).filter else { break }
                var outcomes: [String] = []
                for name in names {
                    let table = try #require(store.table(named: name))
                    var query = Self.query(isDescending: true)
                    query.limit = 1
                    query.filter = expression
                    query.after = PageCursor(values: [.text("zz")], id: .text("x"))
                    do throws(TableError) {
                        _ = try await store.list(query, in: table, into: RecordedRows())
                        outcomes.append("taken")
                    } catch {
                        if case .query = error { outcomes.append("refused") } else { outcomes.append("\(error)") }
                    }
                }
                #expect(Set(outcomes).count == 1, "\(opening) \(depth)")
            }
        }
        await store.close()
    }
}
