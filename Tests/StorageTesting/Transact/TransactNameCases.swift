import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// Columns by the names of the first generation.
    public static let transactNames: [ConformanceCase] = [
        ConformanceCase("T-SQL: the first generation's names of system columns") { bench in
            let transact = try await TransactBench(bench)
            let statements = try #require(transact.store as? any StatementStore)
            let script = StatementScript(
                "SELECT * FROM todoitem WHERE __deleted = 0 AND id = 'a' ORDER BY __createdAt",
                prefixesSystemColumns: true)
            let result = try #require(try await statements.run(script).first)
            #expect(result.columns.prefix(5) == ["id", "__createdAt", "__updatedAt", "__version", "__deleted"])
            let version = result.rows[0][3]
            #expect(
                try await transact.rows("SELECT id FROM todoitem WHERE __version = ?", [version]) == [["a"]])
        },
        ConformanceCase("T-SQL: the first generation's columns of an app's own by the names of the server's") { bench in
            let transact = try await TransactBench(bench)
            let statements = try #require(transact.store as? any StatementStore)
            func run(_ sql: String) async throws -> StatementResult {
                try #require(try await statements.run(StatementScript(sql, prefixesSystemColumns: true)).last)
            }
            try await transact.store.insert(
                "e", ["name": "Eve", "__own_createdAt": "2014", "__own_version": 1], in: transact.users)
            let all = try await run("SELECT * FROM people WHERE createdAt = '2014' AND Version = 1")
            #expect(all.columns.prefix(5) == ["id", "__createdAt", "__updatedAt", "__version", "__deleted"])
            #expect(all.columns.dropFirst(5) == ["name", "age", "createdAt", "version"] && all.rows.count == 1)
            let changed = try await run(
                "UPDATE people SET version = version + 1, createdAt = '2015' OUTPUT deleted.version WHERE version > 0")
            #expect(changed.columns == ["version"] && changed.rows == [[.number(1)]])
            let made = try await run(
                "INSERT INTO people (id, createdAt, version) OUTPUT inserted.createdAt, inserted.* "
                    + "VALUES ('f', '2016', 5)")
            #expect(made.columns.contains("__version") && made.columns.last == "version")
            #expect(made.rows.first?.first == "2016" && made.rows.first?.last == .number(5))
            let joined = try await run(
                "SELECT q.createdAt, p.version FROM people p JOIN (SELECT id, createdAt FROM people) q ON q.id = p.id "
                    + "WHERE p.createdAt > '2014' ORDER BY p.createdAt")
            #expect(joined.rows == [["2015", .number(2)], ["2016", .number(5)]])
            // Nor do they become the server's where a table has none of its own.
            await transact.refuses(
                "SELECT updatedAt FROM people",
                "no column `updatedAt`; the server's is `__updatedAt`. (line 1, column 8)", prefixesSystemColumns: true)
            await transact.refuses(
                "UPDATE todoitem SET text = '' WHERE id = 'a'; DELETE FROM todoitem WHERE deleted = 1",
                "no column `deleted`; the server's is `__deleted`. (line 1, column", prefixesSystemColumns: true)
            await transact.expect(["SELECT text FROM todoitem WHERE id = 'a'": [["Milk"]]])
            // In other scripts the plain names are the server's.
            let stamped = try await transact.rows("SELECT createdAt, __own_createdAt FROM people WHERE id = 'f'")
            #expect(stamped.first?.first != "2016" && stamped.first?.last == "2016")
        },
    ]
}
