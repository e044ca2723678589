import OData
import PostgresStorage
import PostgresTesting
import Scalars
import StorageTesting
import Tables
import Testing
import WireTesting

@Suite(.ownThread, .enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Servers on one PostgreSQL database` {
    private static let items = TableDefinition(name: "Item", columns: [Column("text", .string)])

    @Test func `four start at once on an empty database`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        var seeded = Self.items
        seeded.seed = [[Property("id", .text("a"))], [Property("id", .text("b")), Property("more", .integer(1))]]
        let stores = try await withThrowingTaskGroup(of: (any TableStore).self) { [seeded] group in
            for _ in 1...4 { group.addTask { try await backend.open([seeded]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for store in stores {
            let table = try #require(store.table(named: "item"))
            let rows = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
            #expect(rows.ids == ["a", "b"] && rows.names.last == "more")
        }
        for store in stores { try await backend.close(store) }
    }

    @Test func `a column that one adds is in the next answers of the others`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let (first, second) = (try await backend.open([Self.items]), try await backend.open([Self.items]))
        let table = try #require(first.table(named: "Item"))
        let same = try #require(second.table(named: "Item"))
        for number in 1...5 {
            let column = "c\(number)"
            let row = try await first.insert(
                [Property(column, .text("x"))], id: .text(column), in: table, into: RecordedRows()
            ).row
            let found = try await second.find(
                .text(column), in: same, includeDeleted: false, into: RecordedRows())
            #expect(found == row)
            var query = TableQuery(limit: 10)
            query.filter = .binary(.equal, .column(column, at: 0), .literal(.text("x"), at: 0), at: 0)
            let listed = try await second.list(query, in: same, into: RecordedRows())
            #expect(listed.rows == row)
            let updated = try await second.update(
                .text(column), set: [Property(column, .text("y"))], if: .none, in: same, into: RecordedRows())
            #expect(updated.row.names == row.names)
        }
        for store in [first, second] { try await backend.close(store) }
    }

    @Test func `rows of a table are read while others are made and changed without a pause`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([Self.items])
        let table = try #require(store.table(named: "Item"))
        _ = try await store.insert([], id: .text("a"), in: table, into: RecordedRows())
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                let raw = try RawSession(backend.url)
                group.addTask {
                    // As it is with each new table and column; so often that no two looks at it agree.
                    while !Task.isCancelled { try await raw.run("UPDATE zumod_schema SET epoch = epoch + 1") }
                }
            }
            for _ in 0..<100 {
                let found = try await store.find(.text("a"), in: table, includeDeleted: false, into: RecordedRows())
                #expect(found?.ids == ["a"])
                let listed = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows())
                #expect(listed.rows.ids == ["a"])
            }
            group.cancelAll()
        }
        try await backend.close(store)
    }

    /// What a call names the new column in.
    enum Naming: CaseIterable {
        case selectOfList, selectOfFind, filter, order, scopeOfList, scopeOfFind, scopeOfUpdate
    }

    @Test(arguments: Naming.allCases)
    func `a column that one has just added can be named at the others`(naming: Naming) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let (first, second) = (try await backend.open([Self.items]), try await backend.open([Self.items]))
        let table = try #require(first.table(named: "Item"))
        let same = try #require(second.table(named: "Item"))
        let row = try await first.insert(
            [Property("new", .text("x"))], id: .text("a"), in: table, into: RecordedRows()
        ).row
        let isX = Expression.binary(.equal, .column("new", at: 0), .literal(.text("x"), at: 0), at: 0)
        var query = TableQuery(limit: 10)
        let found: RecordedRows?
        switch naming {
        case .selectOfFind:
            found = try await second.find(
                .text("a"), in: same, select: [SelectedName("new", at: 0)], includeDeleted: false, scope: nil,
                into: RecordedRows())
        case .scopeOfFind:
            found = try await second.find(
                .text("a"), in: same, select: nil, includeDeleted: false, scope: RowScope(isX), into: RecordedRows())
        case .scopeOfUpdate:
            found = try await second.update(
                .text("a"), RowUpdate(), if: .none, scope: RowScope(isX), in: same, into: RecordedRows()
            ).row
        case .selectOfList, .filter, .order, .scopeOfList:
            if naming == .selectOfList { query.select = [SelectedName("new", at: 0)] }
            if naming == .filter { query.filter = isX }
            if naming == .order { query.order = [OrderTerm(.column("new", at: 0))] }
            if naming == .scopeOfList { query.scope = RowScope(isX) }
            found = try await second.list(query, in: same, into: RecordedRows()).rows
        }
        #expect(found?.row["new"] == row.row["new"])
        for store in [first, second] { try await backend.close(store) }
    }

    @Test func `two that add columns at once agree about them`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let stores = [try await backend.open([Self.items]), try await backend.open([Self.items])]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let store = stores[number % 2]
                    let table = try #require(store.table(named: "Item"))
                    let result = try await store.insert(
                        [Property("c\(number / 2)", .number(1))], id: .text("\(number)"), in: table,
                        into: RecordedRows())
                    #expect(result.outcome == .written)
                }
            }
            try await group.waitForAll()
        }
        for store in stores {
            let table = try #require(store.table(named: "Item"))
            let rows = try await store.list(TableQuery(limit: 100), in: table, into: RecordedRows()).rows
            #expect(rows.rows.count == 40 && rows.names.count == 26)
        }
        for store in stores { try await backend.close(store) }
    }

    @Test func `a client's table that one makes is known to the others shortly after`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let (first, second) = (try await backend.open([]), try await backend.open([]))
        _ = try await first.createTable(TableDefinition(name: "Made"))
        let made = try await second.createTable(TableDefinition(name: "mADE"))
        #expect(made.name.text == "Made")
        _ = try await first.createTable(TableDefinition(name: "Other"))
        #expect(try await Patience.eventually { second.table(named: "Other") != nil })
        for store in [first, second] { try await backend.close(store) }
    }

    @Test func `inserts of two have stamps and versions in the order of their commits`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let stores = [try await backend.open([Self.items]), try await backend.open([Self.items])]
        let loads = [try WriteLoad(stores[0], name: "a"), try WriteLoad(stores[1], name: "b")]
        let running = Task {
            await withTaskGroup { group in
                for load in loads { group.addTask { await load.run(callers: 8) } }
            }
        }
        // Whoever pulls by stamp while they write sees every row once, in an order that never goes back.
        let table = try #require(stores[0].table(named: "Item"))
        var seen: Set<String> = []
        var last = Instant(milliseconds: 0)
        func pull() async throws -> Int {
            var query = TableQuery(limit: 200)
            query.filter = .binary(.greater, .column("updatedAt", at: 0), .literal(.date(last), at: 0), at: 0)
            query.order = [OrderTerm(.column("updatedAt", at: 0))]
            let rows = try await stores[seen.count % 2].list(query, in: table, into: RecordedRows()).rows
            #expect(seen.isDisjoint(with: rows.ids))
            seen.formUnion(rows.ids)
            if let stamp = rows.stamps.last { last = try #require(Instant(stamp)) }
            return rows.ids.count
        }
        for _ in 0..<60 { _ = try await pull() }
        for load in loads { load.stop() }
        await running.value
        while try await pull() > 0 {}
        #expect(seen.count == loads[0].written + loads[1].written)
        for store in stores { try await backend.close(store) }
    }

    @Test func `names that PostgreSQL can't hold are kept all the same`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let long = Identifier(String(repeating: "n", count: 128))!
        let other = Identifier(String(repeating: "n", count: 127) + "o")!
        var definition = TableDefinition(name: long, columns: [Column(long, .string), Column(other, .number)])
        definition.indexes = [[long], [other]]
        for _ in 1...2 {
            let store = try await backend.open([definition])
            let table = try #require(store.table(named: long))
            #expect(table.columns.prefix(2) == [Column(long, .string), Column(other, .number)])
            let id = RowID.text("\(table.columns.count)")
            let row = try await store.insert(
                [Property(long.text, .text("x")), Property("xmin", .text("y")), Property("ctid", .number(1))], id: id,
                in: table, into: RecordedRows()
            ).row.row
            #expect(row[long.text] == .text("x") && row["xmin"] == .text("y") && row["ctid"] == .number(1))
            let found = try await store.find(id, in: table, includeDeleted: false, into: RecordedRows())
            #expect(found?.row == row)
            try await backend.close(store)
        }
    }

    @Test(arguments: [("camelcase", true), ("other", false), ("other", true)])
    func `a column that another program renamed is read by its name`(_ name: String, afterStart: Bool) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let definition = TableDefinition(name: "Item", columns: [Column("camelCase", .string)])
        var store = try await backend.open([definition])
        var table = try #require(store.table(named: "Item"))
        _ = try await store.insert([Property("camelCase", .text("x"))], id: .text("a"), in: table, into: RecordedRows())
        try await backend.run("ALTER TABLE \"Item\" RENAME COLUMN \"camelCase\" TO \(name)")
        if afterStart {
            try await backend.close(store)
            store = try await backend.open([definition])
            table = try #require(store.table(named: "Item"))
        }
        #expect(try await store.list(TableQuery(limit: 1), in: table, into: RecordedRows()).rows.ids == ["a"])
        _ = try await store.insert([Property("camelCase", .text("y"))], id: .text("b"), in: table, into: RecordedRows())
        #expect(try await store.list(TableQuery(limit: 2), in: table, into: RecordedRows()).rows.ids == ["a", "b"])
        try await backend.close(store)
    }
}
