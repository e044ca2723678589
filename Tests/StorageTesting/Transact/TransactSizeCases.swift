import Tables
import Testing

extension ConformanceCase {
    /// What scripts of T-SQL may calculate.
    public static let transactSizes: [ConformanceCase] = [
        ConformanceCase("T-SQL: texts are replaced and joined to the byte, whatever they hold") { bench in
            let transact = try await TransactBench(bench)
            let long = String(repeating: "aB", count: 1_000)
            let terms = (0..<30).map { "'\($0)'" }.joined(separator: " + text + ")
            let joined = (0..<30).map { "\($0)" }.joined(separator: "Milk")
            await transact.expect([
                #"SELECT REPLACE('a\1&b.(', 'A', '\1\\&'), REPLACE('x.y.', '.', '('), REPLACE(text, '', 'x') FROM todoitem WHERE id = 'a'"#:
                    [[#"\1\\&\1&b.("#, "x(y(", "Milk"]],
                "SELECT REPLACE(text, 'É', '\\0'), REPLACE(text, 'CLA', 'É') FROM todoitem WHERE id = 'c'": [
                    ["\\0clair", "ÉÉir"]
                ],
                "SELECT REPLACE(text + text, 'milkM', 'x') FROM todoitem WHERE id = 'a'": [["xilk"]],
                "SELECT LEN(REPLACE(REPLACE(text, 'Milk', '\(long)'), 'BA', 'xyz')) FROM todoitem WHERE id = 'a'": [
                    [2_999]
                ],
                "SELECT \(terms) FROM todoitem WHERE id = 'a'": [[.text(joined)]],
                "SELECT CONCAT(\((0..<100).map { "'\($0)'" }.joined(separator: ", "))) FROM todoitem WHERE id = 'a'": [
                    [.text((0..<100).map { "\($0)" }.joined())]
                ],
            ])
        },
        ConformanceCase("T-SQL: a text that would be calculated too long is refused, and nothing is done") { bench in
            let transact = try await TransactBench(bench)
            let long = String(repeating: "a", count: 900_000)
            _ = try await transact.run("UPDATE people SET name = ?", [.text(long)])
            let bombs = [
                "UPDATE people SET age = 1; UPDATE people SET name = REPLACE(name, 'a', @long)",
                "UPDATE people SET age = 1; UPDATE people SET name = REPLACE(name, @part, @long)",
                "UPDATE people SET age = 1; UPDATE people SET name = name + name + name",
                "UPDATE people SET age = 1; UPDATE people SET name = CONCAT(name, name, CONCAT(name, name))",
                "SELECT LEN(REPLACE(REPLACE(REPLACE(name, 'a', 'bb'), 'b', 'cc'), 'c', 'dd')) FROM people",
                "SELECT id FROM people WHERE " + String(repeating: "CONCAT(name, ", count: 20) + "name"
                    + String(repeating: ")", count: 20) + " = 'x'",
                "UPDATE people SET age = 1" + String(repeating: "; UPDATE people SET name = name + name", count: 20),
                "UPDATE people SET name = 'b'; DECLARE @x nvarchar(max) = 'aa'"
                    + String(repeating: "; SET @x = @x + @x", count: 60),
                "UPDATE people SET name = 'b'; SELECT id FROM people WHERE name IN (@long"
                    + String(repeating: ", @long", count: 2_000) + ")",
            ]
            for bomb in bombs {
                do {
                    try await transact.begun(
                        bomb, named: ["long": .text(long), "part": .text(String(repeating: "a", count: 300))])
                    Issue.record("it was done: \(bomb.prefix(100))")
                } catch StatementError.store(.tooLarge) {
                } catch StatementError.store(.timeout) {
                } catch StatementError.refused {}
            }
            await transact.expect([
                "SELECT LEN(name), CASE WHEN age < 30 THEN 1 ELSE 0 END FROM people": [[900_000, 0], [900_000, 0]]
            ])
        },
    ]

    /// What scripts of T-SQL would calculate for minutes: on a store with the time limit of a server.
    public static let transactSearches: [ConformanceCase] = [
        ConformanceCase("T-SQL: a search that costs the product of two texts is done or given up soon") { bench in
            let transact = try await TransactBench(bench)
            let long = String(repeating: "a", count: 300_000)
            let half = String(repeating: "a", count: 150_000) + "b"
            _ = try await transact.run("UPDATE people SET name = ?", [.text(long)])
            let start = ContinuousClock.now
            for sql in [
                "UPDATE people SET name = REPLACE(name, @half, 'x') WHERE id = 'u1'",
                "UPDATE people SET age = CHARINDEX(@half, name) WHERE id = 'u1'",
            ] {
                do {
                    try await transact.begun(sql, named: ["half": .text(half)])
                } catch StatementError.store(.timeout) {}
            }
            // It was minutes.
            #expect(ContinuousClock.now - start < .seconds(180))
            // The time limit is that of what is searched: a busy machine may take longer even to compare.
            var rows: [[Value]]?
            for _ in 0..<30 where rows == nil {
                rows = try? await transact.rows(
                    "SELECT COUNT(*) FROM people WHERE name = @long", named: ["long": .text(long)])
            }
            #expect(rows == [[2]])
        }
    ]
}

extension TransactBench {
    /// Runs a script, again where it was late before it began, as on a busy machine.
    fileprivate func begun(_ sql: String, named values: [String: Value]) async throws {
        for _ in 0..<200 {
            do {
                _ = try await run(sql, named: values)
                return
            } catch StatementError.store(.busy) {}
        }
        throw TableError.busy
    }
}
