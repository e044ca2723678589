import Tables
import Testing

extension ConformanceCase {
    /// What a start makes of triggers that another program had removed or changed.
    public static let lostTriggers: [ConformanceCase] = [
        ConformanceCase("edits that no trigger saw are pulled after a start", needs: .otherPrograms) { bench in
            for loss in Loss.all(of: "TodoItem") {
                var (store, table) = try await bench.open(.softTodo())
                for id in ["a", "b", "c"] where try await store.find(id, in: table, includeDeleted: true) == nil {
                    try await store.insert(id, in: table)
                }
                let seen = try #require(try await store.update("c", ["text": .text("seen")], in: table).row.updatedAt)
                try await bench.closeAll()
                guard await bench.does(loss.sql) else { continue }
                try await bench.run(#"UPDATE "TodoItem" SET "text" = 'edited' WHERE "id" = 'a'"#)
                (store, table) = try await bench.open(.softTodo())
                let pulled = try await pull(after: seen, of: table, from: store)
                #expect(pulled.ids.sorted() == ["a", "b", "c"], "\(loss)")
                #expect(Set(pulled.stamps).count == 3, "\(loss)")
                #expect(try await store.find("a", in: table)?.row["text"] == .text("edited"), "\(loss)")
                // The triggers are there again, and the next start finds nothing.
                let last = try #require(try await store.update("b", ["text": .text("x")], in: table).row.updatedAt)
                try await bench.run(#"UPDATE "TodoItem" SET "text" = 'raw' WHERE "id" = 'a'"#)
                (store, table) = try await bench.open(.softTodo())
                #expect(try await pull(after: last, of: table, from: store).ids == ["a"], "\(loss)")
            }
        },
        ConformanceCase("a row that was written without triggers is whole after a start", needs: .looseTypes) { bench in
            var (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", in: table)
            try await bench.closeAll()
            try await bench.run(
                """
                DROP TRIGGER "zumod_TodoItem.inserted"; DROP TRIGGER "zumod_TodoItem.updated";
                INSERT INTO "TodoItem" ("id", "text") VALUES ('raw', 'milk')
                """)
            (store, table) = try await bench.open(.softTodo())
            let raw = try #require(try await store.find("raw", in: table))
            #expect(raw.version != nil && raw.updatedAt != nil && raw.createdAt == raw.updatedAt)
        },
        ConformanceCase("a start that lost nothing gives no row a new stamp", needs: .persistence) { bench in
            let (store, table) = try await bench.open(.softTodo())
            let before = try await store.insert("a", in: table).row
            for definition in [TableDefinition.softTodo(), .todo(), .softTodo(), .todo { $0.indexes = [["text"]] }] {
                let (again, same) = try await bench.open(definition)
                #expect(try await again.find("a", in: same) == before)
            }
        },
        ConformanceCase("a table of which nothing was recorded loses nothing by that", needs: .otherPrograms) { bench in
            var (store, table) = try await bench.open(.softTodo())
            let before = try await store.insert("a", in: table).row
            try await bench.closeAll()
            // As a database of an earlier version.
            try await bench.run("DELETE FROM zumod_triggers")
            (store, table) = try await bench.open(.softTodo())
            #expect(try await store.find("a", in: table) == before)
            try await bench.closeAll()
            try await bench.run("DELETE FROM zumod_triggers")
            for loss in Loss.all(of: "TodoItem") where loss.isWhole { _ = await bench.does(loss.sql) }
            (store, table) = try await bench.open(.softTodo())
            #expect(try #require(try await store.find("a", in: table)?.version) > #require(before.version))
        },
        ConformanceCase("triggers that the version before made anew are no loss", needs: .otherPrograms) { bench in
            var (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", in: table)
            try await bench.closeAll()
            // PostgreSQL's are the same in both.
            guard await bench.does(Loss.formerTriggers) else { return }
            try await bench.run(#"UPDATE "TodoItem" SET "text" = 'seen' WHERE "id" = 'a'"#)
            (store, table) = try await bench.open(.softTodo())
            let seen = try #require(try await store.find("a", in: table))
            #expect(seen.version == Version(counter: 2))
            (store, table) = try await bench.open(.softTodo())
            #expect(try await store.find("a", in: table) == seen)
        },
    ]
}

/// Ways in which triggers are lost, in the words of one of the databases each.
private struct Loss: CustomStringConvertible {
    let description: String
    let sql: String
    /// Whether all of them are.
    var isWhole = false

    static func all(of table: String) -> [Loss] {
        [
            Loss(
                description: "dropped on SQLite",
                sql: #"DROP TRIGGER "zumod_\#(table).updated"; DROP TRIGGER "zumod_\#(table).inserted""#, isWhole: true),
            Loss(
                description: "changed on SQLite",
                sql: """
                    DROP TRIGGER "zumod_\(table).updated";
                    CREATE TRIGGER "zumod_\(table).updated" AFTER UPDATE ON "\(table)" BEGIN SELECT 1; END
                    """),
            Loss(
                description: "gone with a table that was made anew on SQLite",
                sql: """
                    PRAGMA user_version;
                    CREATE TABLE "new" ("id" TEXT PRIMARY KEY NOT NULL, "createdAt" DATETIME, "updatedAt" DATETIME,
                        "version" INTEGER, "deleted" BOOLEAN NOT NULL DEFAULT 0, "text" TEXT, "complete" BOOLEAN);
                    INSERT INTO "new" SELECT * FROM "\(table)";
                    DROP TABLE "\(table)";
                    ALTER TABLE "new" RENAME TO "\(table)"
                    """),
            Loss(
                description: "dropped on PostgreSQL",
                sql: """
                    DROP TRIGGER zumod_updated ON "\(table)"; DROP TRIGGER zumod_inserted ON "\(table)";
                    DROP TRIGGER zumod_turn ON "\(table)"
                    """, isWhole: true),
            Loss(description: "switched off on PostgreSQL", sql: #"ALTER TABLE "\#(table)" DISABLE TRIGGER ALL"#),
            Loss(
                description: "for replicas alone on PostgreSQL",
                sql: #"ALTER TABLE "\#(table)" ENABLE REPLICA TRIGGER zumod_updated"#),
            Loss(
                description: "another condition on PostgreSQL",
                sql: """
                    CREATE OR REPLACE TRIGGER zumod_updated BEFORE UPDATE ON "\(table)"
                    FOR EACH ROW WHEN (NEW."version" IS NULL) EXECUTE FUNCTION zumod_renew('\(table)')
                    """),
            Loss(
                description: "another function on PostgreSQL",
                sql: """
                    CREATE OR REPLACE FUNCTION zumod_renew() RETURNS trigger LANGUAGE plpgsql
                    AS 'BEGIN RETURN NEW; END'
                    """),
            Loss(description: "gone with their function on PostgreSQL", sql: "DROP FUNCTION zumod_renew CASCADE"),
        ]
    }

    /// On SQLite, as they were before tables could have any name and a purge said of which table it is.
    static let formerTriggers: String = {
        let now = """
            CAST(strftime('%s', 'now') AS INTEGER) * 1000 \
            + CAST(substr(strftime('%f', 'now'), 4, 3) AS INTEGER)
            """
        let stamp = """
            (SELECT strftime('%Y-%m-%dT%H:%M:%S', last_stamp / 1000, 'unixepoch') \
            || printf('.%03dZ', last_stamp % 1000) FROM zumod_tables WHERE name = 'TodoItem')
            """
        return """
            DROP TRIGGER "zumod_TodoItem.inserted";
            DROP TRIGGER "zumod_TodoItem.updated";
            DROP TRIGGER "zumod_TodoItem.deleted";
            CREATE TRIGGER "zumod_TodoItem.inserted" AFTER INSERT ON "TodoItem" WHEN NEW."version" IS NULL
            BEGIN
                UPDATE zumod_counters SET value = value + 1 WHERE name = 'version';
                UPDATE zumod_tables SET last_stamp = max(last_stamp + 1, \(now)) WHERE name = 'TodoItem';
                UPDATE "TodoItem" SET "version" = (SELECT value FROM zumod_counters WHERE name = 'version'), \
            "updatedAt" = \(stamp), \
            "createdAt" = coalesce(NEW."createdAt", \(stamp)) WHERE "id" = NEW."id";
            END;
            CREATE TRIGGER "zumod_TodoItem.updated" AFTER UPDATE ON "TodoItem" WHEN NEW."version" IS OLD."version"
            BEGIN
                UPDATE zumod_counters SET value = value + 1 WHERE name = 'version';
                UPDATE zumod_tables SET last_stamp = max(last_stamp + 1, \(now)) WHERE name = 'TodoItem';
                UPDATE "TodoItem" SET "version" = (SELECT value FROM zumod_counters WHERE name = 'version'), \
            "updatedAt" = \(stamp) WHERE "id" = NEW."id";
            END;
            CREATE TRIGGER "zumod_TodoItem.deleted" BEFORE DELETE ON "TodoItem"
            WHEN NOT EXISTS (SELECT 1 FROM zumod_counters WHERE name = 'removing')
            BEGIN
                UPDATE "TodoItem" SET "deleted" = 1 WHERE "id" = OLD."id" AND "deleted" = 0;
                SELECT RAISE(IGNORE);
            END
            """
    }()
}

extension Bench {
    /// Runs SQL that only one of the databases understands.
    /// - Returns: whether this one does.
    fileprivate func does(_ sql: String) async -> Bool {
        (try? await run(sql)) != nil
    }
}
