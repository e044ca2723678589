import Tables
import Testing

extension ConformanceCase {
    /// What T-SQL can't do, and values that try to.
    public static let transactRefusals: [ConformanceCase] = [
        ConformanceCase("T-SQL: tables beside those that are served are none") { bench in
            let transact = try await TransactBench(bench)
            for name in [
                "zumod_users", "zumod_tables", "zumod_counters", "zumod_secrets", "sqlite_master",
                "pg_catalog.pg_class",
                "information_schema.tables", "sys.tables", "[zumod_users]", "\"sqlite_schema\"", "pg_user",
            ] {
                await transact.refuses("SELECT * FROM \(name)", "There is no table")
                await transact.refuses("DELETE FROM \(name)", "There is no table")
                await transact.refuses("SELECT 1 FROM people WHERE EXISTS (SELECT 1 FROM \(name))", "There is no table")
            }
        },
        ConformanceCase("T-SQL: numbers at their ends are refused in words") { bench in
            let transact = try await TransactBench(bench)
            let least = "CAST('-9223372036854775808' AS BIGINT)"
            await transact.refuses("SELECT ROUND(age, \(least)) FROM people", "The second argument of ROUND")
            await transact.refuses("SELECT name FROM people ORDER BY 9223372036854775807", "names no column")
            await transact.refuses("SELECT name FROM people ORDER BY 0", "names no column")
        },
        ConformanceCase("T-SQL: values are never text of a statement") { bench in
            let transact = try await TransactBench(bench)
            let hostile = [
                "'; DROP TABLE people; --", "\" OR 1=1", "?1", "$1", "@p", "\\'", "[x]", "%", "/*", "a\u{0}b", "\u{1}",
                "🙂", "''", ":name", "$$", "E'\\x00'",
            ]
            for (number, text) in hostile.enumerated() {
                _ = try await transact.run(
                    "INSERT INTO people (id, name) VALUES (@id, @name)",
                    named: ["id": .text("h\(number)"), "name": .text(text)])
                let found = try await transact.rows(
                    "SELECT id, name FROM people WHERE name = ? AND id LIKE 'h%'", [.text(text)])
                #expect(found == [[.text("h\(number)"), .text(text)]], "\(text)")
                let literal =
                    "SELECT name FROM people WHERE name = N'\(text.replacing("'", with: "''"))' AND age IS NULL"
                #expect(try await transact.rows(literal.replacing("?", with: "?")) == [[.text(text)]], "\(text)")
            }
            await transact.expect(["SELECT COUNT(*) FROM people": [[.integer(Int64(hostile.count) + 2)]]])
        },
        ConformanceCase("T-SQL: names are never text of a statement") { bench in
            let transact = try await TransactBench(bench)
            let alias = "x\"; DROP TABLE people; --"
            let result = try #require(
                try await transact.run(
                    "SELECT name AS [\(alias)] FROM people [\(alias)] WHERE [\(alias)].id = 'u1' ORDER BY [\(alias)]"
                ).first)
            #expect(result == StatementResult(columns: [alias], rows: [["Ann"]], affected: 1))
            await transact.expect([
                "SELECT q.[\(alias)] FROM (SELECT id AS [\(alias)] FROM people) q ORDER BY 1": [["u1"], ["u2"]]
            ])
            await transact.refuses("SELECT [\(alias)] FROM people", "There is no column")
            await transact.refuses("SELECT * FROM [people\"; DELETE FROM people]", "There is no table")
        },
        ConformanceCase("T-SQL: a parameter is not read as a statement") { bench in
            let transact = try await TransactBench(bench)
            await transact.refuses("SELECT * FROM @table", "A variable that is a table is not supported")
            await transact.refuses(
                "SELECT * FROM people WHERE id = @missing", "There is no parameter or variable `@missing`")
            await transact.refuses(
                "SELECT * FROM people WHERE id = ? OR id = ?", "There is no parameter for `?` number 2", ["x"])
            // The parameter is a text that is no column.
            #expect(try await transact.rows("SELECT ? FROM people WHERE id = 'u1'", ["name"]) == [["name"]])
            #expect(try await transact.rows("SELECT id FROM people ORDER BY ?, id", ["age"]) == [["u1"], ["u2"]])
        },
        ConformanceCase("T-SQL: a script that reads writes nothing, and too many rows are refused") { bench in
            let transact = try await TransactBench(bench)
            for _ in 0..<2 {
                let rows = (0..<500).map { _ in "('x')" }.joined(separator: ",")
                #expect(try await transact.affected("INSERT INTO people (name) VALUES \(rows)") == 500)
            }
            await transact.refuses(
                "SELECT a.id FROM people a, people b", "The script answers more than 10000 rows.")
            // The connection goes on.
            await transact.expect(["SELECT COUNT(*) FROM people": [[1002]]])
            _ = try await transact.run(
                "UPDATE people SET name = ? WHERE id = 'u1'", [.text(String(repeating: "x", count: 1 << 20))])
            await transact.refuses(
                "SELECT TOP 20 a.name FROM people a, people b WHERE a.id = 'u1'",
                "The script answers more than 16777216 bytes.")
            await transact.refuses(
                "DELETE FROM people; SELECT a.id FROM todoitem a, todoitem b, todoitem c, todoitem d, todoitem e, todoitem f, todoitem g",
                "The script answers more than 10000 rows.")
            await transact.expect(["SELECT COUNT(*) FROM people": [[1002]]])
        },
        ConformanceCase("T-SQL: what would be ambiguous or ungrouped is refused by both databases") { bench in
            let transact = try await TransactBench(bench)
            await transact.refuses("SELECT id FROM people a, people b", "may be one of several")
            await transact.refuses(
                "SELECT name, COUNT(*) FROM people GROUP BY age", "neither in GROUP BY nor in an aggregate")
            await transact.refuses("SELECT id FROM people WHERE COUNT(*) > 1", "can't stand here")
            await transact.refuses("SELECT id FROM people WHERE id IN (SELECT id, name FROM people)", "one column")
            await transact.refuses("SELECT 'a' + 1", "not supported")
            await transact.refuses("SELECT id FROM people WHERE age = 'old'", "can't be converted")
        },
    ]
}
