import OData
import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// What becomes of rows that other programs delete.
    public static let rawDeletes: [ConformanceCase] = [
        ConformanceCase("a row deleted by another program is pulled as a tombstone", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            let other = try await store.insert("b", in: table).row
            let seen = try #require(other.updatedAt)
            try await bench.run(#"DELETE FROM "TodoItem" WHERE "id" = 'a'"#)
            #expect(try await store.find("a", in: table) == nil)
            let pulled = try await pull(after: seen, of: table, from: store)
            #expect(pulled.ids == ["a"])
            #expect(pulled.row["deleted"] == .boolean(true) && pulled.row["text"] == .text("milk"))
            #expect(try #require(pulled.version) > #require(other.version))
            #expect(try await store.find("b", in: table) == other)
            let back = try await store.undelete("a", in: table).row
            #expect(back.row["deleted"] == .boolean(false) && back.row["text"] == .text("milk"))
            #expect(try #require(back.version) > #require(pulled.version))
        },
        ConformanceCase("each row that one transaction of another program deletes is pulled", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            for number in 1...9 { try await store.insert("row \(number)", in: table) }
            let seen = try #require(try await store.insert("last", in: table).row.updatedAt)
            try await bench.run(
                """
                BEGIN;
                DELETE FROM "TodoItem" WHERE "id" = 'row 9';
                DELETE FROM "TodoItem" WHERE "id" LIKE 'row %';
                INSERT INTO "TodoItem" ("id") VALUES ('new');
                DELETE FROM "TodoItem" WHERE "id" = 'new';
                COMMIT
                """)
            let pulled = try await pull(after: seen, of: table, from: store)
            #expect(pulled.ids.sorted() == ["new"] + (1...9).map { "row \($0)" })
            #expect(Set(pulled.stamps).count == 10)
            #expect(try await store.list(TableQuery(limit: 100), in: table).rows.ids == ["last"])
        },
        ConformanceCase("what another program rolls back is not deleted", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.softTodo())
            let before = try await store.insert("a", in: table).row
            try await bench.run(#"BEGIN; DELETE FROM "TodoItem"; ROLLBACK"#)
            #expect(try await store.find("a", in: table) == before)
        },
        ConformanceCase("a tombstone that another program deletes stays as it is", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", in: table)
            let before = try await store.delete("a", in: table).row
            try await bench.run(#"DELETE FROM "TodoItem""#)
            #expect(try await store.find("a", in: table, includeDeleted: true) == before)
        },
        ConformanceCase("what another program deleted is gone for good after a purge", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.softTodo())
            for id in ["a", "b", "c"] { try await store.insert(id, in: table) }
            try await bench.run(#"DELETE FROM "TodoItem" WHERE "id" <> 'c'"#)
            let later = Instant(milliseconds: .max / 2_000)
            let step = try await store.graves.purgeTombstones(of: table, from: nil, before: later, limit: 10)
            #expect(step == PurgeStep(removed: 2, next: nil))
            #expect(try await store.find("a", in: table, includeDeleted: true) == nil)
            // Nothing of the purge is left that lets the next delete pass.
            try await bench.run(#"DELETE FROM "TodoItem" WHERE "id" = 'c'"#)
            #expect(try await store.find("c", in: table, includeDeleted: true) != nil)
        },
        ConformanceCase("without soft delete a row deleted by another program is gone", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.todo())
            for id in ["a", "b"] { try await store.insert(id, in: table) }
            try await bench.run(#"DELETE FROM "TodoItem" WHERE "id" = 'a'"#)
            #expect(try await store.find("a", in: table, includeDeleted: true) == nil)
            #expect(try await store.delete("b", in: table).outcome == .written)
        },
        ConformanceCase("deletes of other programs follow the soft delete of the last start", needs: .otherPrograms) {
            bench in
            var (store, table) = try await bench.open(.todo())
            for id in ["a", "b", "c"] { try await store.insert(id, in: table) }
            (store, table) = try await bench.open(.softTodo())
            try await bench.run(#"DELETE FROM "TodoItem" WHERE "id" = 'a'"#)
            #expect(try await store.find("a", in: table, includeDeleted: true) != nil)
            try await store.undelete("a", in: table)
            (store, table) = try await bench.open(.todo())
            try await bench.run(#"DELETE FROM "TodoItem" WHERE "id" = 'b'"#)
            #expect(try await store.find("b", in: table) == nil)
            #expect(try await store.delete("c", in: table).outcome == .written)
        },
        ConformanceCase("tables that clients made get the trigger at the next start", needs: .otherPrograms) { bench in
            let store = try await bench.open([])
            let table = try await store.createTable(.todo())
            try await store.insert("a", in: table)
            try await bench.closeAll()
            // As a database of an earlier version: soft delete, but no trigger.
            try await bench.run("UPDATE zumod_tables SET soft_delete = true")
            let again = try await bench.open([])
            try await bench.run(#"DELETE FROM "TodoItem""#)
            let served = try again.current(table)
            #expect(try await again.find("a", in: served, includeDeleted: true)?.row["deleted"] == .boolean(true))
        },
        ConformanceCase("an import that replaces rows leaves no tombstones of them", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", ["text": .text("old")], in: table)
            let row = ImportRow(
                id: .text("a"), createdAt: nil, updatedAt: nil, version: nil, isDeleted: false, assignments: [])
            var batch = ImportBatch(rows: [row])
            batch.rule = .replace
            _ = try await store.transfer.importRows(batch, into: table)
            let found = try #require(try await store.find("a", in: table)).row
            #expect(found["deleted"] == .boolean(false) && found["text"] == .text("old"))
        },
        // SQLite removes the row in the way of a new one without asking triggers, unless the shell was told to.
        ConformanceCase("REPLACE of another program makes a new row of an old one", needs: .looseTypes) { bench in
            let (store, table) = try await bench.open(.softTodo())
            let before = try await store.insert("a", ["text": .text("milk")], in: table).row
            try await bench.run(#"INSERT OR REPLACE INTO "TodoItem" ("id", "text") VALUES ('a', 'tea')"#)
            let after = try #require(try await store.find("a", in: table))
            #expect(after.row["text"] == .text("tea"))
            #expect(try #require(after.version) > #require(before.version))
            await #expect(throws: (any Error).self) {
                try await bench.run(
                    """
                    PRAGMA recursive_triggers = ON;
                    INSERT OR REPLACE INTO "TodoItem" ("id", "text") VALUES ('a', 'mate')
                    """)
            }
            #expect(try await store.find("a", in: table) == after)
        },
    ]
}

/// What a device gets that has seen all up to a stamp.
func pull(
    after stamp: Instant, of table: Table, from store: any TableStore
) async throws -> RecordedRows {
    var query = TableQuery(limit: 100)
    query.filter = try QueryOptions.parse(
        [("$filter", "updatedAt gt datetimeoffset'\(stamp.wireText)'"), ("$orderby", "updatedAt")], language: .apps
    ).filter
    query.includeDeleted = true
    return try await store.list(query, in: table).rows
}
