import Tables
import Testing

extension ConformanceCase {
    /// The statements of T-SQL that decide what is written.
    public static let transactFlows: [ConformanceCase] = [
        ConformanceCase("T-SQL: IF EXISTS … ELSE") { bench in
            let transact = try await TransactBench(bench)
            let upsert = """
                IF EXISTS (SELECT * FROM people WHERE id = @id)
                    UPDATE people SET age = age + 1 WHERE id = @id;
                ELSE
                BEGIN
                    INSERT INTO people (id, name, age) VALUES (@id, 'new', 1)
                    INSERT INTO todoitem (id, text) VALUES (@id, 'first')
                END
                SELECT age FROM people WHERE id = @id
                """
            #expect(try await transact.rows(upsert, named: ["id": "u1"]) == [[.number(31)]])
            #expect(try await transact.rows(upsert, named: ["id": "u9"]) == [[.number(1)]])
            #expect(try await transact.rows(upsert, named: ["id": "u9"]) == [[.number(2)]])
            await transact.expect([
                "SELECT id FROM todoitem WHERE text = 'first'": [["u9"]],
                "UPDATE people SET age = 5 WHERE id = 'u7' IF @@ROWCOUNT = 0 INSERT INTO people (id, age) VALUES ('u7', 5) SELECT age FROM people WHERE id = 'u7'":
                    [[.number(5)]],
                "IF (SELECT COUNT(*) FROM people) > 100 SELECT 'many' ELSE IF NOT EXISTS (SELECT 1 FROM people WHERE age IS NULL) SELECT 'few' ELSE SELECT 'odd'":
                    [["few"]],
                "IF NULL = 1 SELECT 'yes' ELSE SELECT 'no'": [["no"]],
                "DECLARE @n INT; SELECT @n = COUNT(*) FROM todoitem IF @n > 1 BEGIN SET @n = 0 END SELECT @n": [[0]],
                "SELECT 1 AS a; IF 1 = 1 RETURN; SELECT 2": [[1]],
            ])
            await transact.refuses("IF 1 = 1", "Expected a statement, but found the end. (line 1, column 9)")
            await transact.refuses("IF 1 = 1 BEGIN END", "Expected a statement before END")
            await transact.refuses("ELSE SELECT 1", "`ELSE` is not supported.")
        },
        ConformanceCase("T-SQL: a script refuses by RAISERROR and THROW, and undoes what it did") { bench in
            let transact = try await TransactBench(bench)
            for (sql, words) in [
                ("DELETE FROM people\nIF EXISTS (SELECT 1 FROM todoitem) RAISERROR('not now', 16, 1)", "not now"),
                ("DELETE FROM people; THROW 50001, 'too many', 1", "too many"),
            ] {
                // The script's own words, for whoever asks, without a place in it.
                await #expect(throws: StatementError.refused(StatementFault(words))) { try await transact.rows(sql) }
            }
            await transact.expect([
                "RAISERROR('only told', 10, 1); PRINT 'this, too'; SELECT COUNT(*) FROM people": [[2]]
            ])
        },
        ConformanceCase("T-SQL: BEGIN TRANSACTION and COMMIT are what a script is anyway") { bench in
            let transact = try await TransactBench(bench)
            let sql = """
                SET NOCOUNT ON; SET XACT_ABORT ON
                BEGIN TRAN
                UPDATE people WITH (UPDLOCK, HOLDLOCK) SET age = 1 WHERE id = 'u1'
                COMMIT TRANSACTION
                SELECT age FROM people WHERE id = 'u1'
                """
            #expect(try await transact.rows(sql) == [[.number(1)]])
            await transact.refuses(
                "BEGIN TRANSACTION; DELETE FROM people; COMMIT; SELECT nothing FROM people",
                "There is no column `nothing`.")
            await transact.refuses(
                "DELETE FROM people; ROLLBACK", "ROLLBACK is not supported: a script is one transaction.")
            await transact.expect(["SELECT COUNT(*) FROM people": [[2]]])
        },
        ConformanceCase("T-SQL: MERGE of one row, as scripts insert or update") { bench in
            let transact = try await TransactBench(bench)
            let sql = """
                MERGE INTO people WITH (HOLDLOCK) AS target
                USING (SELECT ? AS id, ? AS name) AS source ON target.id = source.id
                WHEN MATCHED THEN UPDATE SET name = source.name, age += 1
                WHEN NOT MATCHED THEN INSERT (id, name, age) VALUES (source.id, source.name, 0);
                """
            let seen = try await transact.lastStamp()
            #expect(try await transact.affected(sql, ["u1", "Anna"]) == 1)
            #expect(try await transact.affected(sql, ["u8", "Hal"]) == 1)
            #expect(try await transact.affected(sql, ["u8", "Hall"]) == 1)
            await transact.expect([
                "SELECT id, name, age FROM people WHERE id <> 'u2' ORDER BY id": [
                    ["u1", "Anna", .number(31)], ["u8", "Hall", .number(1)],
                ]
            ])
            let todo = """
                MERGE todoitem USING (VALUES ('a', 'm'), (NULL, 'n')) AS s (id, text) ON todoitem.id = s.id
                WHEN MATCHED THEN UPDATE SET todoitem.text = s.text
                WHEN NOT MATCHED BY TARGET THEN INSERT (text) VALUES (s.text);
                SELECT @@ROWCOUNT
                """
            #expect(try await transact.rows(todo) == [[2]])
            let pulled = try await transact.pull(after: seen)
            #expect(pulled.rows.count == 2 && pulled.ids.contains("a"))
            #expect(pulled.ids.contains { $0.utf8.count == 36 })
        },
        ConformanceCase("T-SQL: MERGE decides about rows before it writes any") { bench in
            let transact = try await TransactBench(bench)
            // What is updated would no longer match, and what is inserted would.
            let sql = """
                MERGE todoitem t USING people p ON p.id = t.userId
                WHEN MATCHED AND t.price > 2.5 THEN DELETE
                WHEN MATCHED THEN UPDATE SET userId = 'moved', amount = p.age
                WHEN NOT MATCHED BY TARGET AND p.age > 1 THEN INSERT (id, userId, text) VALUES ('n' + p.id, p.id, p.name)
                WHEN NOT MATCHED BY SOURCE AND t.text IS NULL THEN UPDATE SET text = 'nobody''s';
                """
            _ = try await transact.run("INSERT INTO people (id, name, age) VALUES ('u3', 'Cy', 7)")
            #expect(try await transact.affected(sql) == 4)
            await transact.expect([
                "SELECT id, userId, text, deleted FROM todoitem ORDER BY id": [
                    ["a", "U1", "Milk", false], ["b", "u1", "bread", true], ["c", "moved", "Éclair", false],
                    ["d", nil, "nobody's", false], ["nu3", "u3", "Cy", false],
                ]
            ])
            await transact.refuses(
                "MERGE people p USING (VALUES ('u1'), ('u1')) AS s (id) ON p.id = s.id\nWHEN MATCHED THEN UPDATE SET age = 1;",
                "MERGE would change a row more than once: several rows of its source match it. (line 2, column 1)")
            await transact.refuses(
                "MERGE people p USING people s ON p.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (1);",
                "INSERT has to name its columns.")
            await transact.refuses(
                "MERGE people p USING people s ON p.id = s.id WHEN MATCHED THEN DELETE OUTPUT DELETED.*;",
                "`*` in the OUTPUT of a MERGE is not supported. (line 1, column 78)")
            await transact.refuses("DELETE FROM people OUTPUT $action", "`$action` is of a MERGE alone.")
        },
        ConformanceCase("T-SQL: OUTPUT of a MERGE tells what became of each row") { bench in
            let transact = try await TransactBench(bench)
            let sql = """
                MERGE people AS p USING (VALUES ('u1', 31), ('u2', 0), ('u3', 7)) AS s (id, age) ON p.id = s.id
                WHEN MATCHED AND s.age = 0 THEN DELETE
                WHEN MATCHED THEN UPDATE SET age = s.age
                WHEN NOT MATCHED THEN INSERT (id, age) VALUES (s.id, s.age)
                OUTPUT $action AS did, DELETED.age AS old, INSERTED.age, INSERTED.id;
                """
            let result = try #require(try await transact.run(sql).first)
            #expect(result.columns == ["did", "old", "age", "id"] && result.affected == 3)
            #expect(
                result.rows == [
                    ["DELETE", .number(40), nil, nil], ["UPDATE", .number(30), .number(31), "u1"],
                    ["INSERT", nil, .number(7), "u3"],
                ])
        },
        ConformanceCase("T-SQL: TRUNCATE TABLE leaves tombstones where the table keeps them") { bench in
            let transact = try await TransactBench(bench)
            let seen = try await transact.lastStamp()
            #expect(try await transact.affected("TRUNCATE TABLE dbo.todoitem") == 4)
            #expect(try await transact.pull(after: seen).ids.sorted() == ["a", "b", "c", "d"])
            #expect(try await transact.affected("TRUNCATE TABLE people") == 2)
            await transact.expect(["SELECT COUNT(*) FROM people": [[0]]])
        },
        ConformanceCase("T-SQL: TOP of an UPDATE and a DELETE") { bench in
            let transact = try await TransactBench(bench)
            #expect(try await transact.affected("UPDATE TOP (2) todoitem SET text = 'x' WHERE id > 'a'") == 2)
            #expect(try await transact.affected("DELETE TOP (1) FROM todoitem WHERE text = 'x'") == 1)
            #expect(try await transact.affected("DELETE TOP (1) FROM todoitem WHERE text = 'x'") == 1)
            #expect(try await transact.affected("DELETE TOP (1) FROM todoitem WHERE text = 'x'") == 0)
            #expect(try await transact.rows("DELETE TOP (@n) people OUTPUT DELETED.id", named: ["n": 1]) == [["u1"]])
            await transact.expect([
                "SELECT id FROM todoitem WHERE deleted = 1 ORDER BY id": [["b"], ["c"]],
                "SELECT id FROM people": [["u2"]],
            ])
        },
        ConformanceCase("T-SQL: SCOPE_IDENTITY is the number that a table has given last") { bench in
            var definition = TableDefinition.todo()
            definition.rules.autoIncrement = true
            let (store, _) = try await bench.open(definition)
            let statements = try #require(store as? any StatementStore)
            for (sql, expected) in [
                "SELECT SCOPE_IDENTITY() AS id, @@IDENTITY": [[nil, nil]],
                "INSERT INTO todoitem (text) VALUES ('a'), ('b'); UPDATE todoitem SET text = 'c' WHERE id = 1; SELECT SCOPE_IDENTITY(), @@IDENTITY":
                    [[2, 2]],
                "DECLARE @id INT; INSERT INTO todoitem (text) VALUES ('d') SET @id = SCOPE_IDENTITY(); UPDATE todoitem SET text = 'e' WHERE id = @id; SELECT id, text FROM todoitem WHERE id = @id":
                    [[3, "e"]],
            ] as KeyValuePairs<String, [[Value]]> {
                let results = try await statements.run(StatementScript(sql))
                #expect(results.last?.rows == expected, "\(sql)")
            }
        },
    ]
}
