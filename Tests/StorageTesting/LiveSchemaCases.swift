import OData
import Tables
import Testing

extension ConformanceCase {
    /// What other programs make of a table's columns while it is served. The calls are made with the table of before, as
    /// a request does that has begun.
    public static let liveSchema: [ConformanceCase] = [
        ConformanceCase("a column that is renamed is never answered as its own name", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await store.readEveryWay(table) { #expect($0["text"] == .text("milk")) }
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME COLUMN "text" TO "body""#)
            try await store.readEveryWay(table) { row in
                #expect(row["text"] == nil && row["body"] == .text("milk"))
            }
            #expect(try store.current(table).columns.map(\.name.text).sorted() == ["body", "complete"])
        },
        ConformanceCase("a filter by a column that is renamed finds none", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            _ = try await store.list(.todo(where: "text", "text"), in: table)
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME COLUMN "text" TO "body""#)
            let error = await #expect(throws: TableError.self) {
                _ = try await store.list(.todo(where: "text", "text"), in: table)
            }
            guard case .query(let fault) = error, case .unknownColumn = fault.reason else { throw MissingCell() }
            #expect(try await store.list(.todo(where: "body", "milk"), in: table).rows.ids == ["a"])
        },
        ConformanceCase("a column that is dropped is answered no more", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await store.readEveryWay(table) { #expect($0["text"] == .text("milk")) }
            try await bench.run(#"ALTER TABLE "TodoItem" DROP COLUMN "text""#)
            let written = try await store.update("a", ["complete": .boolean(true)], in: table)
            #expect(written.row.row["text"] == nil && written.row.row["complete"] == .boolean(true))
            try await store.readEveryWay(table) { #expect($0["text"] == nil) }
        },
        ConformanceCase("a column that is added and filled comes with the first new version", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await store.readEveryWay(table) { #expect($0["rank"] == nil) }
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "rank" TEXT"#)
            try await bench.run(#"UPDATE "TodoItem" SET "rank" = 'first'"#)
            try await store.readEveryWay(table) { #expect($0["rank"] == .text("first")) }
            #expect(try await store.list(.todo(where: "rank", "first"), in: table).rows.ids == ["a"])
        },
        ConformanceCase("a filter may name a column that was just added", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", in: table)
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "rank" TEXT DEFAULT 'first'"#)
            #expect(try await store.list(.todo(where: "rank", "first"), in: table).rows.ids == ["a"])
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME COLUMN "rank" TO "place""#)
            #expect(try await store.list(.todo(where: "place", "first"), in: table).rows.ids == ["a"])
        },
        ConformanceCase("a write answers a column that was just added, and sets it", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.dynamicSchema = false })
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "rank" TEXT DEFAULT 'first'"#)
            let updated = try await store.update("a", ["text": .text("tea")], in: table).row
            #expect(updated.row["rank"] == .text("first") && updated.row["text"] == .text("tea"))
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "more" TEXT DEFAULT 'yes'"#)
            let inserted = try await store.insert("b", ["rank": .text("second"), "more": .text("no")], in: table).row
            #expect(inserted.row["rank"] == .text("second") && inserted.row["more"] == .text("no"))
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "last" TEXT DEFAULT 'z'"#)
            let deleted = try await store.delete("b", in: table).row
            #expect(deleted.row["last"] == .text("z"))
        },
        ConformanceCase("a conflict shows no row that lacks a column", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            let first = try await store.insert("a", ["text": .text("milk")], in: table).row
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "rank" TEXT"#)
            try await bench.run(#"UPDATE "TodoItem" SET "rank" = 'first'"#)
            let stale = Precondition.version(try #require(first.version))
            var conflict: Result?
            for _ in 0..<200 where conflict == nil {
                do {
                    conflict = try await store.update("a", ["text": .text("x")], if: stale, in: table)
                } catch TableError.unavailable {
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            #expect(conflict?.outcome == .mismatch && conflict?.row.row["rank"] == .text("first"))
        },
        ConformanceCase("a write of a column that is gone is one of the table as it stands", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo { $0.rules.dynamicSchema = false })
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME COLUMN "text" TO "body""#)
            await #expect(throws: TableError.unknownProperty("text")) {
                try await store.update("a", ["text": .text("x")], in: table)
            }
            await #expect(throws: TableError.unknownProperty("text")) {
                try await store.insert("b", ["text": .text("x")], in: table)
            }
            try await store.readEveryWay(table) { #expect($0["body"] == .text("milk")) }
        },
        ConformanceCase("a column of another type in the place of one is read as it is", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await store.readEveryWay(table) { #expect($0["text"] == .text("milk")) }
            try await bench.run(#"ALTER TABLE "TodoItem" DROP COLUMN "text""#)
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "text" INTEGER"#)
            try await bench.run(#"UPDATE "TodoItem" SET "text" = 7"#)
            try await store.readEveryWay(table) { #expect($0["text"] == .integer(7)) }
            #expect(try store.current(table).column("text")?.type == .integer)
        },
        ConformanceCase("a column that gets another type is read, searched and written by it", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo { $0.rules.dynamicSchema = false })
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await store.readEveryWay(table) { #expect($0["text"] == .text("milk")) }
            func retype(_ type: String) async -> Bool {
                // SQLite has no such statement.
                (try? await bench.run(#"ALTER TABLE "TodoItem" ALTER COLUMN "text" TYPE \#(type)"#)) != nil
            }
            guard await retype("double precision USING 5") else { return }
            let updated = try await store.update("a", ["text": .integer(7)], in: table).row
            #expect(updated.row["text"] == .number(7))
            try await store.readEveryWay(table) { #expect($0["text"] == .number(7)) }
            #expect(await retype("text USING 'tea'"))
            #expect(try await store.list(.todo(where: "text", "tea"), in: try store.current(table)).rows.ids == ["a"])
            // One that isn't served is gone.
            #expect(await retype("jsonb USING '{}'"))
            try await store.readEveryWay(table) { #expect($0["text"] == nil) }
        },
        ConformanceCase("columns that change names are read, searched and written by them", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(
                .todo {
                    $0.rules.dynamicSchema = false
                    $0.columns.append(Column("rank", .integer))
                })
            try await store.insert("a", ["text": .text("milk"), "rank": .integer(7)], in: table)
            func change() async throws {
                for (old, new) in [("text", "kept"), ("rank", "text"), ("kept", "rank")] {
                    try await bench.run(#"ALTER TABLE "TodoItem" RENAME COLUMN "\#(old)" TO "\#(new)""#)
                }
            }
            try await store.readEveryWay(table) { #expect($0["text"] == .text("milk") && $0["rank"] == .integer(7)) }
            try await change()
            #expect(try await store.list(.todo(where: "rank", "milk"), in: table).rows.ids == ["a"])
            try await store.readEveryWay(table) { #expect($0["rank"] == .text("milk") && $0["text"] == .integer(7)) }
            try await change()
            let updated = try await store.update("a", ["text": .text("tea")], in: table).row
            #expect(updated.row["text"] == .text("tea") && updated.row["rank"] == .integer(7))
        },
        ConformanceCase("a script's SQL meets the columns that there are", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            let statements = try #require(store as? any StatementStore)
            try await store.insert("a", ["text": .text("milk")], in: table)
            func columns() async throws -> [String] {
                try await statements.run(StatementScript("SELECT * FROM TodoItem")).first?.columns ?? []
            }
            #expect(try await columns().contains("text"))
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME COLUMN "text" TO "body""#)
            let renamed = try await columns()
            #expect(renamed.contains("body") && !renamed.contains("text"))
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "rank" TEXT"#)
            #expect(try await columns().contains("rank"))
            _ = try await statements.run(StatementScript("UPDATE TodoItem SET rank = 'first', body = 'tea'"))
            try await store.readEveryWay(table) { #expect($0["rank"] == .text("first") && $0["body"] == .text("tea")) }
            try await bench.run(#"ALTER TABLE "TodoItem" RENAME TO "Elsewhere""#)
            for script in ["SELECT * FROM TodoItem", "UPDATE TodoItem SET rank = 'last'"] {
                await #expect(throws: StatementError.store(.away("TodoItem"))) {
                    _ = try await statements.run(StatementScript(script))
                }
            }
            try await bench.run(#"ALTER TABLE "Elsewhere" RENAME TO "TodoItem""#)
            #expect(try await columns().contains("rank"))
        },
        ConformanceCase("an old server shows rows with the column that a new one added", needs: .otherPrograms) {
            bench in
            let (old, table) = try await bench.open(.todo())
            try await old.insert("a", ["text": .text("milk")], in: table)
            try await old.readEveryWay(table) { #expect($0["due"] == nil) }
            let wider = TableDefinition.todo { $0.columns.append(Column("due", .string)) }
            let new = try await bench.openBeside([wider])
            try await new.update("a", ["due": .text("soon")], in: try new.current(table))
            try await old.readEveryWay(table) { #expect($0["due"] == .text("soon")) }
            let written = try await old.update("a", ["text": .text("tea")], in: table).row
            #expect(written.row["due"] == .text("soon"))
        },
    ]
}

extension TableStore {
    /// Reads the row `a` in every way that there is, twice, since the first one may have statements made anew.
    func readEveryWay(_ table: Table, _ check: ([String: Cell]) -> Void) async throws {
        for _ in 1...2 {
            check(try #require(try await find("a", in: table)).row)
            var row = RecordedRows()
            switch try findAtOnce(.text("a"), in: table, includeDeleted: true, into: &row) {
            case .found: check(row.row)
            case .missing: Issue.record("the row is missing")
            case .waits: break
            }
            var query = TableQuery(limit: 10)
            check(try #require(try await list(query, in: table).rows.rows.first))
            query.wantsCount = true
            let counted = try await list(query, in: table)
            #expect(counted.totalCount == 1)
            check(try #require(counted.rows.rows.first))
            let nothing = try await update("a", RowUpdate(), in: table)
            check(nothing.row.row)
        }
    }
}

extension TableQuery {
    /// The rows whose column holds a text.
    static func todo(where column: String, _ text: String) -> TableQuery {
        var query = TableQuery(limit: 10)
        query.filter = .binary(.equal, .column(column, at: 0), .literal(.text(text), at: 0), at: 0)
        return query
    }
}
