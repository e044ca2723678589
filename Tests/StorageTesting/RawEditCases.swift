import Tables
import Testing

extension ConformanceCase {
    /// What other programs write.
    public static let rawEdits: [ConformanceCase] = [
        ConformanceCase("a row updated by another program has a new version and stamp", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo())
            let before = try await store.insert("a", ["text": .text("milk")], in: table).row
            let other = try await store.insert("b", in: table).row
            try await bench.run(#"UPDATE "TodoItem" SET "text" = 'tea' WHERE "id" = 'a'"#)
            let after = try #require(try await store.find("a", in: table))
            #expect(after.row["text"] == .text("tea"))
            #expect(try #require(after.version) > #require(other.version))
            #expect(try #require(after.updatedAt) > #require(other.updatedAt))
            #expect(after.createdAt == before.createdAt)
            #expect(try await store.find("b", in: table) == other)
            // The store goes on after the numbers that the other program took.
            let next = try await store.insert("c", in: table).row
            #expect(try #require(next.version) > #require(after.version))
            #expect(try #require(next.updatedAt) > #require(after.updatedAt))
            let stale = Precondition.version(try #require(before.version))
            #expect(try await store.update("a", ["text": .text("x")], if: stale, in: table).outcome == .mismatch)
        },
        ConformanceCase("each row of one statement of another program has its own version", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            for number in 1...5 { try await store.insert("row \(number)", in: table) }
            try await bench.run(#"UPDATE "TodoItem" SET "deleted" = true"#)
            var rows: [RecordedRows] = []
            for number in 1...5 {
                let row = try #require(try await store.find("row \(number)", in: table, includeDeleted: true))
                #expect(row.row["deleted"] == .boolean(true))
                rows.append(row)
            }
            #expect(Set(rows.compactMap(\.version)).count == 5)
            #expect(Set(rows.compactMap(\.updatedAt)).count == 5)
        },
        ConformanceCase("a row inserted by another program is a whole row", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            let first = try await store.insert("first", in: table).row
            try await bench.run(#"INSERT INTO "TodoItem" ("id", "text") VALUES ('a', 'milk'), ('b', NULL)"#)
            let a = try #require(try await store.find("a", in: table))
            let b = try #require(try await store.find("b", in: table))
            #expect(a.row["text"] == .text("milk") && a.row["deleted"] == .boolean(false))
            #expect(a.createdAt == a.updatedAt && a.updatedAt != nil)
            #expect(try #require(first.version) < #require(a.version))
            #expect(try #require(a.version) < #require(b.version))
            let updated = try await store.update(
                "a", ["text": .text("x")], if: .version(try #require(a.version)), in: table)
            #expect(updated.outcome == .written)
        },
        ConformanceCase("a row inserted by another program without an id gets one", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            try await bench.run(#"INSERT INTO "TodoItem" ("text") VALUES ('milk'), ('tea')"#)
            let page = try await store.list(TableQuery(limit: 10), in: table)
            #expect(page.rowCount == 2)
            for id in page.rows.ids {
                #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
            }
        },
        ConformanceCase("cells of another type than their column's are answered as they are", needs: .looseTypes) {
            bench in
            let (store, table) = try await bench.open(.everyType)
            for id in ["a", "b"] { try await store.insert(id, in: table) }
            try await bench.run(
                """
                UPDATE everything SET a_number = 'much', a_integer = 1.5, a_boolean = 'yes', a_date = 'tomorrow',
                    a_string = CAST(x'41FF42C328' AS TEXT) WHERE id = 'a';
                UPDATE everything SET a_number = 9e999, a_integer = 'x', a_boolean = 2, a_date = '2026-11-21 10:00',
                    a_string = x'4142' WHERE id = 'b';
                """)
            let a = try #require(try await store.find("a", in: table)).row
            #expect(a["a_number"] == .text("much") && a["a_integer"] == .number(1.5))
            #expect(a["a_boolean"] == .text("yes") && a["a_date"] == .text("tomorrow"))
            #expect(a["a_string"] == .text("A\u{FFFD}B\u{FFFD}("))
            let b = try #require(try await store.find("b", in: table)).row
            #expect(b["a_number"] == .null && b["a_integer"] == .text("x") && b["a_boolean"] == .boolean(true))
            #expect(b["a_date"] == .text("2026-11-21T10:00:00.000Z") && b["a_string"] == .text("AB"))
            #expect(try await store.update("a", ["a_number": .number(1)], in: table).outcome == .written)
        },
        ConformanceCase("odd system cells of another program don't stop a row's writes", needs: .looseTypes) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", in: table)
            try await bench.runUnseen(#"UPDATE "TodoItem" SET "version" = 'odd', "updatedAt" = 5, "deleted" = 'odd'"#)
            #expect(try await store.find("a", in: table) == nil)
            #expect(try await store.delete("a", in: table).outcome == .tombstone)
            let stale = try await store.undelete("a", if: .version(Version(counter: 1)), in: table)
            #expect(stale.outcome == .mismatch)
            #expect(try await store.undelete("a", in: table).row.row["deleted"] == .boolean(false))
        },
        ConformanceCase("a column added by another program is known after the next write", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", in: table)
            try await bench.run(#"ALTER TABLE "TodoItem" ADD COLUMN "price" REAL"#)
            try await bench.run(#"UPDATE "TodoItem" SET "price" = 2"#)
            let row = try await store.insert("b", ["price": .number(3)], in: table).row
            #expect(row.row["price"] == .number(3))
            let wider = try store.current(table)
            #expect(wider.column("price") == Column("price", .number))
            #expect(try await store.find("a", in: wider)?.row["price"] == .number(2))
        },
    ]
}
