import Tables
import Testing

extension ConformanceCase {
    /// Rows that nobody deleted, and what is about to take them along.
    public static let keptRows: [ConformanceCase] = [
        ConformanceCase("a row that an import replaces keeps what the import doesn't name") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let before = try await store.insert(
                "a", ["text": .text("old"), "complete": .boolean(true)], in: table
            ).row
            try await store.delete("a", in: table)
            var row = imported("a", [RowChanges.Assignment(column: Column("text", .string), value: .text("new"))])
            row.saysWhetherDeleted = false
            try await replace([row], in: table, of: store)
            #expect(try await store.find("a", in: table) == nil)
            let after = try #require(try await store.find("a", in: table, includeDeleted: true)).row
            #expect(after["text"] == .text("new") && after["complete"] == .boolean(true))
            #expect(after["createdAt"] == before.row["createdAt"] && after["deleted"] == .boolean(true))
            row.saysWhetherDeleted = true
            row.assignments = [RowChanges.Assignment(column: Column("complete", .boolean), value: .null)]
            try await replace([row, row], in: table, of: store)
            let alive = try #require(try await store.find("a", in: table)).row
            #expect(alive["text"] == .text("new") && alive["complete"] == .null)
        },
        ConformanceCase("an import that replaces rows takes no row of another table along", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", in: table)
            try await bench.run(
                """
                CREATE TABLE "Child" ("id" varchar(9) PRIMARY KEY,
                    "parent" varchar(9) NOT NULL REFERENCES "TodoItem" ("id") ON DELETE CASCADE);
                ALTER TABLE "TodoItem" ADD COLUMN "Own" varchar(9) DEFAULT 'none';
                UPDATE "TodoItem" SET "Own" = 'kept';
                INSERT INTO "Child" VALUES ('c', 'a')
                """)
            try await replace([imported("a")], in: table, of: store)
            try await expect(row: "c", of: "Child", bench)
            // That a value is there is seen by its being refused.
            await #expect(throws: (any Error).self) {
                try await bench.run(
                    """
                    CREATE TABLE "Probe" ("own" varchar(9) CHECK ("own" <> 'kept'));
                    INSERT INTO "Probe" SELECT "Own" FROM "TodoItem"
                    """)
            }
        },
        ConformanceCase("a tombstone to which rows refer is not purged", needs: .otherPrograms) { bench in
            for action in ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"] {
                let name = try #require(Identifier(action.replacing(" ", with: "")))
                let (store, table) = try await bench.open(.softTodo { $0.name = name })
                for id in ["a", "b", "c"] { try await store.insert(id, in: table) }
                try await bench.run(
                    """
                    CREATE TABLE "of \(action)" ("id" varchar(9) PRIMARY KEY,
                        "parent" varchar(9) DEFAULT 'c' REFERENCES "\(table.name)" ("id") ON DELETE \(action));
                    INSERT INTO "of \(action)" VALUES ('x', 'b')
                    """)
                for id in ["a", "b"] { try await store.delete(id, in: table) }
                bench.clock.move(byMilliseconds: 1_000)
                let step = try await store.graves.purgeTombstones(
                    of: table, from: nil, before: bench.clock.now, limit: 10)
                #expect(step.removed == 1, "\(action)")
                #expect(step.kept == [RetainedTombstone(id: .text("b"), referredToBy: "of \(action)")], "\(action)")
                #expect(try await store.find("b", in: table, includeDeleted: true) != nil, "\(action)")
                try await expect(row: "x", of: "of \(action)", bench)
                try await bench.run(#"DELETE FROM "of \#(action)""#)
                let again = try await store.graves.purgeTombstones(
                    of: table, from: nil, before: bench.clock.now, limit: 10)
                #expect(again == PurgeStep(removed: 1, next: nil), "\(action)")
            }
        },
        ConformanceCase("a tombstone of a tree goes when its branches are gone", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await bench.run(
                """
                ALTER TABLE "TodoItem" ADD COLUMN "parent" varchar(9) REFERENCES "TodoItem" ("id") ON DELETE CASCADE;
                INSERT INTO "TodoItem" ("id", "parent") VALUES ('root', 'root'), ('leaf', 'root')
                """)
            try await store.delete("root", in: table)
            var kept: [[RetainedTombstone]] = []
            for _ in 1...2 {
                bench.clock.move(byMilliseconds: 1_000_000_000_000)
                kept.append(
                    try await store.graves.purgeTombstones(
                        of: table, from: nil, before: bench.clock.now, limit: 10
                    ).kept)
                if kept.count == 1 {
                    try await bench.run(#"UPDATE "TodoItem" SET "parent" = NULL WHERE "id" = 'leaf'"#)
                }
            }
            #expect(kept == [[RetainedTombstone(id: .text("root"), referredToBy: "TodoItem")], []])
            #expect(try await store.find("root", in: table, includeDeleted: true) == nil)
            #expect(try await store.find("leaf", in: table) != nil)
        },
        ConformanceCase("a table with tombstones can't lose its soft delete", needs: .persistence) { bench in
            let (store, table) = try await bench.open(.softTodo())
            for id in ["a", "b"] { try await store.insert(id, in: table) }
            try await store.delete("a", in: table)
            let defined = try #require(store as? any RedefinableStore)
            let error = await #expect(throws: TableError.self) {
                try await defined.define([.todo()], servesClientTables: true, limits: ClientLimits())
            }
            guard case .definition(let sentence) = error else { throw MissingCell() }
            #expect(sentence.contains("TodoItem") && sentence.contains("(1)") && sentence.contains("table purge"))
            #expect(try await store.list(TableQuery(limit: 10), in: table).rows.ids == ["b"])
            await #expect(throws: TableError.self) { _ = try await bench.open(.todo()) }
            let (again, same) = try await bench.open(.softTodo())
            let end = ImportRow.latestStamp
            let step = try await again.graves.purgeTombstones(of: same, from: nil, before: end, limit: 10)
            #expect(step.removed == 1)
            let (hard, all) = try await bench.open(.todo())
            #expect(try await hard.list(TableQuery(limit: 10), in: all).rows.ids == ["b"])
        },
    ]
}

private func imported(_ id: String, _ assignments: [RowChanges.Assignment] = []) -> ImportRow {
    ImportRow(
        id: .text(id), createdAt: nil, updatedAt: nil, version: nil, isDeleted: false, assignments: assignments)
}

private func replace(_ rows: [ImportRow], in table: Table, of store: any TableStore) async throws {
    var batch = ImportBatch(rows: rows)
    batch.rule = .replace
    var counts = ImportCounts()
    counts.replaced = rows.count
    #expect(try await store.transfer.importRows(batch, into: table) == .written(counts))
}

/// That a row is there is seen by its id being taken.
private func expect(row id: String, of table: String, _ bench: Bench) async throws {
    await #expect(throws: (any Error).self) {
        try await bench.run("INSERT INTO \"\(table)\" (\"id\") VALUES ('\(id)')")
    }
}
