import Tables
import Testing

extension ConformanceCase {
    /// Tables that are away for a moment.
    public static let away: [ConformanceCase] = [
        ConformanceCase("a table that is renamed away is away, and back with all its rows", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo())
            let row = try await store.insert("a", ["text": .text("milk")], in: table).row
            try await store.readEveryWay(table) { #expect($0["text"] == .text("milk")) }
            #expect(await store.tablesAway() == [])
            for _ in 1...2 {
                try await bench.run(#"ALTER TABLE "TodoItem" RENAME TO "Elsewhere""#)
                try await store.expectAway(table)
                #expect(await store.tablesAway() == ["TodoItem"])
                #expect(try store.current(table).columns == table.columns)
                // Those that come with the table as it is known by now.
                try await store.expectAway(try store.current(table))
                try await store.ping()
                try await bench.run(#"ALTER TABLE "Elsewhere" RENAME TO "TodoItem""#)
                #expect(try await store.find("a", in: try store.current(table)) == row)
                #expect(await store.tablesAway() == [])
            }
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME TO "Elsewhere""#)
            try await store.expectAway(table)
            try await bench.run(#"ALTER TABLE "Elsewhere" RENAME TO "TodoItem""#)
            let known = try store.current(table)
            #expect(try await store.update("a", ["text": .text("tea")], in: known).outcome == .written)
            #expect(try await store.delete("a", in: table).outcome == .written)
        },
        ConformanceCase("a table that has lost a column of the server's is away", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            let row = try await store.insert("a", ["text": .text("milk")], in: table).row
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME COLUMN "createdAt" TO "made""#)
            try await store.expectAway(table)
            #expect(await store.tablesAway() == ["TodoItem"])
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME COLUMN "made" TO "createdAt""#)
            #expect(try await store.find("a", in: table) == row)
            #expect(await store.tablesAway() == [])
        },
        ConformanceCase("a table is known to be away, and back, without a request for it", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", in: table)
            for _ in 1...2 {
                try await bench.run(#"ALTER TABLE "TodoItem" RENAME TO "Elsewhere""#)
                try await store.ping()
                #expect(await store.tablesAway() == ["TodoItem"])
                try await bench.run(#"ALTER TABLE "Elsewhere" RENAME TO "TodoItem""#)
                try await store.ping()
                #expect(await store.tablesAway() == [])
            }
        },
        ConformanceCase("a table in whose place a view stands is away", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            let row = try await store.insert("a", ["text": .text("milk")], in: table).row
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME TO "Elsewhere""#)
            try await bench.run(#"CREATE VIEW "TodoItem" AS SELECT * FROM "Elsewhere""#)
            try await store.expectAway(table)
            #expect(await store.tablesAway() == ["TodoItem"])
            try await bench.run(#"DROP VIEW "TodoItem""#)
            try await bench.run(#"ALTER TABLE "Elsewhere" RENAME TO "TodoItem""#)
            #expect(try await store.find("a", in: table) == row)
        },
        ConformanceCase("a table that takes another's place is served as it is", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await store.readEveryWay(table) { #expect($0["text"] == .text("milk")) }
            try await bench.run(#"CREATE TABLE "Other" AS SELECT *, 'x' AS "more" FROM "TodoItem""#)
            try await bench.run(
                #"BEGIN; ALTER TABLE "TodoItem" RENAME TO "Elsewhere"; ALTER TABLE "Other" RENAME TO "TodoItem"; COMMIT"#
            )
            try await store.readEveryWay(table) { #expect($0["more"] == .text("x") && $0["text"] == .text("milk")) }
        },
        ConformanceCase("no start makes an empty table where there was one", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", in: table)
            try await bench.closeAll()
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME TO "Elsewhere""#)
            // Other tables are served meanwhile.
            let reopened = try await bench.open([.todo(), TableDefinition(name: "Plain")])
            let (same, plain) = (
                try #require(reopened.table(named: "TodoItem")), try #require(reopened.table(named: "Plain"))
            )
            #expect(await reopened.tablesAway() == ["TodoItem"])
            try await reopened.expectAway(same)
            try await reopened.insert("p", in: plain)
            try await bench.run(#"ALTER TABLE "Elsewhere" RENAME TO "TodoItem""#)
            #expect(try await reopened.find("a", in: same) != nil)
            #expect(try await reopened.insert("b", ["text": .text("milk")], in: same).outcome == .written)
            #expect(try await reopened.find("p", in: plain) != nil)
            try await bench.closeAll()
            // What the sentence says to do where the table is wanted no more.
            try await bench.run(#"DROP TABLE "TodoItem""#)
            try await bench.run("DELETE FROM zumod_tables WHERE name = 'TodoItem'")
            let (fresh, new) = try await bench.open(.todo())
            #expect(try await fresh.find("a", in: new) == nil)
        },
        ConformanceCase("a client's table without columns keeps the kind of its ids") { bench in
            let store = try await bench.open([])
            var numbered = TableDefinition.todo { $0.columns = [] }
            numbered.rules.autoIncrement = true
            let table = try await store.createTable(numbered)
            #expect(table.rules.autoIncrement && !table.isAway)
            #expect(try await store.insert(nil, in: table).outcome == .written)
            #expect(try await store.insert(nil, ["text": .text("milk")], in: table).outcome == .written)
        },
        ConformanceCase("no client makes an empty table where there was one", needs: .otherPrograms) { bench in
            let first = try await bench.open([])
            let made = try await first.createTable(.todo())
            try await first.insert("a", in: made)
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME TO "Elsewhere""#)
            try await first.expectAway(made)
            let store = try await bench.open([])
            #expect(await store.tablesAway() == ["TodoItem"])
            let known = try await store.createTable(.todo())
            #expect(known.isAway)
            try await store.expectAway(known)
            try await bench.run(#"ALTER TABLE "Elsewhere" RENAME TO "TodoItem""#)
            #expect(try await store.find("a", in: known) != nil)
            #expect(try await store.insert("b", ["text": .text("milk")], in: known).outcome == .written)
        },
    ]
}

extension TableStore {
    /// Expects each call to say that the table is away.
    fileprivate func expectAway(_ table: Table) async throws {
        let away = TableError.away(table.name)
        await #expect(throws: away) { _ = try await find("a", in: table) }
        await #expect(throws: away) { _ = try await list(TableQuery(limit: 1), in: table) }
        await #expect(throws: away) { _ = try await list(.counting, in: table) }
        await #expect(throws: away) { try await insert("z", in: table) }
        await #expect(throws: away) { try await update("a", ["text": .text("x")], in: table) }
        await #expect(throws: away) { try await update("a", RowUpdate(), in: table) }
        await #expect(throws: away) { try await delete("a", in: table) }
        await #expect(throws: away) { try await delete("z", in: table) }
        var row = RecordedRows()
        guard case .missing? = try? findAtOnce(.text("z"), in: table, includeDeleted: true, into: &row) else { return }
        Issue.record("a row of a table that is away is missing")
    }
}

extension TableQuery {
    /// No rows, and how many there are.
    fileprivate static var counting: TableQuery {
        var query = TableQuery(limit: 0)
        query.wantsCount = true
        return query
    }
}
