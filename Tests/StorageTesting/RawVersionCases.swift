import OData
import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// What other programs write that say themselves which version and stamp a row is to have.
    public static let rawVersions: [ConformanceCase] = [
        ConformanceCase("a row that another program brings back from its copy is pulled", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            for id in ["a", "b"] { try await store.insert(id, ["text": .text(id)], in: table) }
            try await bench.run(#"CREATE TABLE "Copy" AS SELECT * FROM "TodoItem""#)
            let deleted = try await store.delete("a", in: table).row
            try await bench.run(
                """
                INSERT INTO "TodoItem" SELECT * FROM "Copy" WHERE "id" = 'a' ON CONFLICT ("id") DO UPDATE SET
                    "text" = excluded."text", "deleted" = excluded."deleted", "version" = excluded."version",
                    "updatedAt" = excluded."updatedAt"
                """)
            let pulled = try await pullInOrder(after: #require(deleted.updatedAt), of: table, from: store)
            #expect(pulled.ids == ["a"] && pulled.row["deleted"] == .boolean(false))
            #expect(try #require(pulled.version) > #require(deleted.version))
            try await expectOrder(of: table, in: store)
        },
        ConformanceCase("a row that is gone and comes back from a copy is pulled", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            let before = try await store.insert("a", ["text": .text("milk")], in: table).row
            try await bench.run(#"CREATE TABLE "Copy" AS SELECT * FROM "TodoItem""#)
            try await store.delete("a", in: table)
            let seen = try await store.insert("b", in: table).row
            try await bench.run(#"INSERT INTO "TodoItem" SELECT * FROM "Copy""#)
            let pulled = try await pullInOrder(after: #require(seen.updatedAt), of: table, from: store)
            #expect(pulled.ids == ["a"] && pulled.createdAt == before.createdAt)
            try await expectOrder(of: table, in: store)
        },
        // As object-relational mappers do.
        ConformanceCase("a row whose version another program counts is pulled", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.softTodo())
            for id in ["a", "b", "c"] { try await store.insert(id, in: table) }
            for id in ["c", "a", "b", "a"] {
                // Its count is one behind the last version, the last one, or the next.
                for step in [1, -1, 2] {
                    let before = try #require(try await store.find(id, in: table))
                    let seen = try await pullInOrder(after: Instant(milliseconds: 0), of: table, from: store).stamps
                        .last
                    try await bench.run(
                        """
                        UPDATE "TodoItem" SET "text" = '\(step)', "version" = "version" + \(step) WHERE "id" = '\(id)'
                        """)
                    let last = try #require(seen.flatMap { Instant($0) })
                    let pulled = try await pullInOrder(after: last, of: table, from: store)
                    #expect(pulled.ids == [id] && pulled.row["text"] == .text("\(step)"))
                    #expect(try #require(pulled.version) > #require(before.version))
                    let stale = Precondition.version(try #require(before.version))
                    #expect(try await store.update(id, ["text": .text("x")], if: stale, in: table).outcome == .mismatch)
                }
            }
            try await expectOrder(of: table, in: store)
        },
        ConformanceCase("the last version and stamp of another row are nobody else's", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo())
            for id in ["a", "b"] { try await store.insert(id, in: table) }
            let seen = try await store.update("b", ["text": .text("last")], in: table).row
            try await bench.run(
                """
                UPDATE "TodoItem" SET "version" = (SELECT "version" FROM "TodoItem" WHERE "id" = 'b'),
                    "updatedAt" = (SELECT "updatedAt" FROM "TodoItem" WHERE "id" = 'b') WHERE "id" = 'a'
                """)
            #expect(try await pullInOrder(after: #require(seen.updatedAt), of: table, from: store).ids == ["a"])
            try await expectOrder(of: table, in: store)
        },
        ConformanceCase("a row that another program inserts with an old stamp is pulled", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            let seen = try await store.insert("a", in: table).row
            let stamp = "'2020-01-01T00:00:00.000Z'"
            try await bench.run(
                """
                INSERT INTO "TodoItem" ("id", "version", "createdAt", "updatedAt") VALUES
                    ('zero', 0, \(stamp), \(stamp)), ('next', 2, \(stamp), \(stamp)),
                    ('far', 4000000000, \(stamp), '2999-01-01T00:00:00.000Z')
                """)
            let pulled = try await pullInOrder(after: #require(seen.updatedAt), of: table, from: store)
            #expect(pulled.ids == ["zero", "next", "far"])
            #expect(pulled.rows.allSatisfy { $0["createdAt"] == .text("2020-01-01T00:00:00.000Z") })
            #expect(try #require(pulled.stamps.last) < "2999")
            // Nor do such numbers lead the server's.
            let next = try await store.insert("b", in: table).row
            #expect(try #require(next.version) < Version(counter: 1_000))
            try await expectOrder(of: table, in: store)
        },
        ConformanceCase("many rows that one statement gives the same version are told apart", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            for number in 1...9 { try await store.insert("row \(number)", in: table) }
            try await bench.run(
                #"UPDATE "TodoItem" SET "version" = 5, "updatedAt" = '2020-01-01T00:00:00.000Z', "text" = 'x'"#)
            try await expectOrder(of: table, in: store)
            try await store.insert("last", in: table)
            try await expectOrder(of: table, in: store)
        },
        ConformanceCase("what the server itself writes keeps the versions that it gives", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            try await bench.run(#"INSERT INTO "TodoItem" ("id") VALUES ('raw')"#)
            let row = try await store.insert("a", in: table).row
            #expect(try await store.find("a", in: table) == row)
            let changed = try await store.update("a", ["text": .text("x")], in: table).row
            #expect(try await store.find("a", in: table) == changed)
            let versions = try [row, changed].map { try #require($0.version).counter }
            #expect(versions[1] == versions[0] + 1)
            // What says that it is the server is taken for it.
            try await bench.runUnseen(#"UPDATE "TodoItem" SET "version" = 77 WHERE "id" = 'a'"#)
            #expect(try await store.find("a", in: table)?.version == Version(counter: 77))
        },
        ConformanceCase("REPLACE of another program from its copy makes a row that is pulled", needs: .looseTypes) {
            bench in
            for pragma in ["", "PRAGMA recursive_triggers = ON;"] {
                let (store, table) = try await bench.open(.todo())
                try await store.insert("a", ["text": .text("milk")], in: table)
                try await bench.run(#"DROP TABLE IF EXISTS "Copy"; CREATE TABLE "Copy" AS SELECT * FROM "TodoItem""#)
                let seen = try await store.update("a", ["text": .text("tea")], in: table).row
                try await bench.run(#"\#(pragma) INSERT OR REPLACE INTO "TodoItem" SELECT * FROM "Copy""#)
                let pulled = try await pullInOrder(after: #require(seen.updatedAt), of: table, from: store)
                #expect(pulled.ids == ["a"] && pulled.row["text"] == .text("milk"))
                try await bench.run(#"\#(pragma) UPDATE "TodoItem" SET "version" = "version" + 1"#)
                let after = try await pullInOrder(after: #require(pulled.updatedAt), of: table, from: store)
                #expect(try #require(after.version) > #require(pulled.version))
                try await store.delete("a", in: table)
            }
        },
    ]
}

/// What a device gets that has seen all up to a stamp, in the order in which it pulls.
private func pullInOrder(
    after stamp: Instant, of table: Table, from store: any TableStore
) async throws -> RecordedRows {
    var query = TableQuery(limit: 100)
    query.filter = .binary(.greater, .column("updatedAt", at: 0), .literal(.date(stamp), at: 0), at: 0)
    query.order = [OrderTerm(.column("updatedAt", at: 0))]
    query.includeDeleted = true
    return try await store.list(query, in: table).rows
}

/// Expects each row to have a stamp and a version of its own, which grow together.
private func expectOrder(of table: Table, in store: any TableStore) async throws {
    let rows = try await pullInOrder(after: Instant(milliseconds: 0), of: table, from: store)
    let versions = rows.rows.compactMap { row -> Int64? in
        guard case .version(let version)? = row["version"] else { return nil }
        return version.counter
    }
    #expect(versions.count == rows.rows.count && Set(versions).count == versions.count, "\(versions)")
    #expect(versions == versions.sorted(), "\(versions)")
    #expect(Set(rows.stamps).count == rows.rows.count, "\(rows.stamps)")
}
