import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// What scripts of old backends write by T-SQL.
    public static let transactWrites: [ConformanceCase] = [
        ConformanceCase("T-SQL: a pull gets the rows that an UPDATE has changed") { bench in
            let transact = try await TransactBench(bench)
            let seen = try await transact.lastStamp()
            let before = try #require(try await transact.store.find("a", in: transact.items))
            #expect(
                try await transact.affected(
                    "UPDATE todoitem SET complete = 1, text = text + ?, price *= 2 WHERE userId = ?", ["!", "u1"]) == 2)
            let pulled = try await transact.pull(after: seen)
            #expect(pulled.ids.sorted() == ["a", "b"] && Set(pulled.stamps).count == 2)
            let after = try #require(try await transact.store.find("a", in: transact.items))
            #expect(after.row["text"] == .text("Milk!") && after.row["complete"] == .boolean(true))
            #expect(after.row["price"] == .number(3) && after.createdAt == before.createdAt)
            #expect(try #require(after.version) > #require(before.version))
            // The store goes on after the numbers that the triggers took.
            let next = try await transact.store.insert("z", in: transact.items).row
            let both = [after, try #require(try await transact.store.find("b", in: transact.items))]
            for row in both { #expect(try #require(next.version) > #require(row.version)) }
            for row in both { #expect(try #require(next.updatedAt) > #require(row.updatedAt)) }
        },
        ConformanceCase("T-SQL: inserted rows are whole rows, with ids of their own where none are given") { bench in
            let transact = try await TransactBench(bench)
            let seen = try await transact.lastStamp()
            #expect(
                try await transact.affected(
                    "INSERT INTO todoitem (text, price) VALUES (@a, 1), (N'two', NULL), (DEFAULT, '2.5')",
                    named: ["a": "one"]) == 3)
            #expect(try await transact.affected("INSERT todoitem (id, text) VALUES ('mine', 'x')") == 1)
            let pulled = try await transact.pull(after: seen)
            #expect(pulled.rows.count == 4 && pulled.ids.contains("mine") && Set(pulled.stamps).count == 4)
            #expect(pulled.ids.count { $0.utf8.count == 36 } == 3)
            #expect(pulled.rows.allSatisfy { $0["createdAt"] == $0["updatedAt"] && $0["deleted"] == .boolean(false) })
            #expect(pulled.rows.contains { $0["text"] == .null && $0["price"] == .number(2.5) })
        },
        ConformanceCase("T-SQL: rows are inserted from a query") { bench in
            let transact = try await TransactBench(bench)
            let sql = "INSERT INTO people (name, age) SELECT text, amount FROM todoitem WHERE price IS NOT NULL"
            #expect(try await transact.affected(sql) == 3)
            await transact.expect([
                "SELECT name, age FROM people WHERE age < 10 ORDER BY age": [
                    ["Éclair", .number(-7)], ["Milk", .number(2)], ["bread", .number(5)],
                ],
                "SELECT COUNT(*) FROM people WHERE LEN(id) = 36 AND createdAt = updatedAt": [[3]],
            ])
        },
        ConformanceCase("T-SQL: an id that is taken undoes the whole script") { bench in
            let transact = try await TransactBench(bench)
            let sql = "UPDATE todoitem SET text = 'lost'; INSERT INTO todoitem (id) VALUES ('new'), ('a')"
            do {
                _ = try await transact.run(sql)
                Issue.record("it was done")
            } catch StatementError.duplicate {}
            await transact.expect([
                "SELECT COUNT(*) FROM todoitem WHERE text = 'lost'": [[0]], "SELECT COUNT(*) FROM todoitem": [[4]],
            ])
            #expect(try await transact.affected("UPDATE todoitem SET text = 'kept' WHERE id = 'a'") == 1)
        },
        ConformanceCase("T-SQL: what is wrong with a later statement undoes those before") { bench in
            let transact = try await TransactBench(bench)
            let seen = try await transact.lastStamp()
            await transact.refuses(
                "UPDATE todoitem SET text = 'lost' WHERE id = 'a';\nDELETE FROM people; UPDATE todoitem SET nope = 1",
                "There is no column `nope` in `TodoItem`. (line 2, column 41)")
            #expect(try await transact.pull(after: seen).ids == [])
            await transact.expect([
                "SELECT COUNT(*) FROM people": [[2]], "SELECT text FROM todoitem WHERE id = 'a'": [["Milk"]],
            ])
        },
        ConformanceCase("T-SQL: a DELETE leaves tombstones where the table keeps them") { bench in
            let transact = try await TransactBench(bench)
            let seen = try await transact.lastStamp()
            #expect(try await transact.affected("DELETE FROM todoitem WHERE price > 1.9") == 2)
            #expect(try await transact.affected("DELETE todoitem WHERE price > 1.9") == 0)
            let pulled = try await transact.pull(after: seen)
            #expect(pulled.ids.sorted() == ["b", "c"])
            #expect(pulled.rows.allSatisfy { $0["deleted"] == .boolean(true) })
            #expect(try await transact.store.find("b", in: transact.items) == nil)
            let back = try await transact.store.undelete("b", in: transact.items)
            #expect(back.outcome == .written && back.row.row["text"] == .text("bread"))
        },
        ConformanceCase("T-SQL: a DELETE removes rows where the table keeps no tombstones") { bench in
            let transact = try await TransactBench(bench)
            #expect(try await transact.affected("DELETE FROM dbo.people WHERE name LIKE 'a%'") == 1)
            #expect(try await transact.store.find("u1", in: transact.users, includeDeleted: true) == nil)
            #expect(try await transact.affected("delete from people") == 1)
        },
        ConformanceCase("T-SQL: UPDATE and DELETE with joins") { bench in
            let transact = try await TransactBench(bench)
            let update = """
                UPDATE t SET t.text = p.name + ': ' + t.text, amount = p.age
                FROM todoitem AS t JOIN people p ON p.id = LOWER(t.userId) WHERE p.age >= 30 AND t.price < 3
                """
            #expect(try await transact.affected(update) == 2)
            await transact.expect([
                "SELECT id, text, amount FROM todoitem WHERE amount > 9 AND text IS NOT NULL ORDER BY id": [
                    ["a", "Ann: Milk", 30], ["c", "Bob: Éclair", 40],
                ]
            ])
            let delete =
                "DELETE people FROM people INNER JOIN todoitem t ON LOWER(t.userId) = people.id WHERE t.complete = 1"
            #expect(try await transact.affected(delete) == 1)
            await transact.expect(["SELECT id FROM people": [["u2"]]])
            let soft = "DELETE t FROM todoitem t, people p WHERE p.id = t.userId"
            #expect(try await transact.affected(soft) == 1)
            await transact.expect(["SELECT id FROM todoitem WHERE deleted = 1": [["c"]]])
        },
        ConformanceCase("T-SQL: OUTPUT answers rows as they were and as they are") { bench in
            let transact = try await TransactBench(bench)
            let update = try await transact.run(
                "UPDATE todoitem SET amount = amount + 1 OUTPUT DELETED.amount AS old, INSERTED.amount, inserted.version WHERE price = 3"
            )
            let version = try #require(try await transact.store.find("b", in: transact.items)?.version)
            #expect(
                update == [
                    StatementResult(
                        columns: ["old", "amount", "version"], rows: [[5, 6, .text(version.wireText)]], affected: 1)
                ])
            await transact.expect([
                "INSERT INTO people (name, age) OUTPUT INSERTED.name, inserted.age VALUES ('Cy', 50)": [
                    ["Cy", .number(50)]
                ],
                "DELETE FROM people OUTPUT DELETED.name WHERE name = 'cy'": [["Cy"]],
                "DELETE FROM todoitem OUTPUT DELETED.id, DELETED.text, DELETED.deleted WHERE id = 'b'": [
                    ["b", "bread", false]
                ],
            ])
            let copied = try await transact.rows(
                "INSERT INTO people (id, name) OUTPUT INSERTED.id SELECT id, text FROM todoitem WHERE id IN ('a', 'c')")
            #expect(Set(copied.map(\.description)) == Set([[Value.text("a")], [.text("c")]].map(\.description)))
            let all = try #require(try await transact.run("DELETE FROM people OUTPUT DELETED.* WHERE id = 'u2'").first)
            #expect(all.columns == ["id", "createdAt", "updatedAt", "version", "deleted", "name", "age"])
            #expect(all.rows.first?[5] == "Bob")
        },
        ConformanceCase("T-SQL: statements see what those before them wrote") { bench in
            let transact = try await TransactBench(bench)
            let results = try await transact.run(
                """
                INSERT INTO people (id, name) VALUES ('n', 'New') -- a comment
                UPDATE people SET age = 1 WHERE id = 'n'; /* another */
                SELECT name, age FROM people WHERE id = 'n'; DELETE FROM people WHERE id = 'n' SELECT @@ROWCOUNT
                """)
            #expect(results.map(\.affected) == [1, 1, 1, 1, 1])
            #expect(results[2].rows == [["New", .number(1)]] && results[4].rows == [[1]])
            #expect(try await transact.store.find("n", in: transact.users) == nil)
        },
        ConformanceCase("T-SQL: system columns that are set") { bench in
            let transact = try await TransactBench(bench)
            let seen = try await transact.lastStamp()
            let past = try #require(Instant("2020-01-01"))
            let sql = "INSERT INTO todoitem (id, createdAt, updatedAt) VALUES ('old', '2020-01-01', '2020-01-01')"
            _ = try await transact.run(sql)
            let old = try #require(try await transact.store.find("old", in: transact.items))
            #expect(old.createdAt == past)
            #expect(try #require(old.updatedAt) > seen)
            _ = try await transact.run("UPDATE todoitem SET updatedAt = '2020-01-01', deleted = 1 WHERE id = 'a'")
            let gone = try #require(try await transact.store.find("a", in: transact.items, includeDeleted: true))
            #expect(try #require(gone.updatedAt) > #require(old.updatedAt))
            await transact.refuses("UPDATE todoitem SET version = 1", "The version of a row can't be set.")
            await transact.refuses("UPDATE todoitem SET id = 'x'", "The id of a row can't be changed.")
        },
        ConformanceCase("T-SQL: values are converted to their column's type") { bench in
            let transact = try await TransactBench(bench)
            let sql = """
                UPDATE todoitem SET complete = 'true', price = '1.25', amount = 3.7, due = '2026-03-01', text = 12,
                    cost = '1.230', day = '2026-03-01' WHERE id = 'c'
                """
            _ = try await transact.run(sql)
            let row = try #require(try await transact.store.find("c", in: transact.items)).row
            #expect(row["complete"] == .boolean(true) && row["price"] == .number(1.25) && row["amount"] == .integer(3))
            #expect(row["due"] == .text("2026-03-01T00:00:00.000Z") && row["text"] == .text("12"))
            #expect(row["cost"] == .decimal("1.230") && row["day"] == .text("2026-03-01"))
            _ = try await transact.run(
                "UPDATE todoitem SET text = due, price = amount, complete = amount WHERE id = 'c'")
            let next = try #require(try await transact.store.find("c", in: transact.items)).row
            #expect(next["text"] == .text("2026-03-01T00:00:00.000Z") && next["price"] == .number(3))
            #expect(next["complete"] == .boolean(true))
            await transact.refuses("UPDATE todoitem SET due = 'soon'", "The text 'soon' can't be converted to a date.")
            await transact.refuses("UPDATE todoitem SET day = 'soon'", "takes constants in its own form alone")
        },
        ConformanceCase("T-SQL: a table that numbers its rows") { bench in
            var definition = TableDefinition.todo()
            definition.rules.autoIncrement = true
            let (store, _) = try await bench.open(definition)
            let statements = try #require(store as? any StatementStore)
            let results = try await statements.run(
                StatementScript(
                    "INSERT INTO todoitem (text) OUTPUT INSERTED.id VALUES ('a'), ('b'); SELECT id FROM todoitem WHERE id = '2'"
                ))
            #expect(results.map(\.rows) == [[[1], [2]], [[2]]])
        },
        ConformanceCase("T-SQL: many scripts at once lose no write") { bench in
            let transact = try await TransactBench(bench)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try await transact.run(
                            "UPDATE people SET age = age + 1 WHERE id = 'u1'; UPDATE todoitem SET amount = amount + 1 WHERE id = 'a'"
                        )
                        try await transact.store.insert("n\(number)", in: transact.items)
                    }
                }
                try await group.waitForAll()
            }
            await transact.expect([
                "SELECT age FROM people WHERE id = 'u1'": [[.number(50)]],
                "SELECT amount FROM todoitem WHERE id = 'a'": [[22]],
                "SELECT COUNT(DISTINCT version) FROM todoitem": [[24]],
            ])
        },
    ]
}
