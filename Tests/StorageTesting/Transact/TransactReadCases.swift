import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// What scripts of old backends read by T-SQL.
    public static let transactReads: [ConformanceCase] = [
        ConformanceCase("T-SQL: a parameter by its place finds rows, without regard to case") { bench in
            let transact = try await TransactBench(bench)
            let sql = "select id, text from todoitem where userId = ? order by text"
            #expect(try await transact.rows(sql, ["U1"]) == [["b", "bread"], ["a", "Milk"]])
            let result = try #require(try await transact.run(sql, ["u2"]).first)
            #expect(result == StatementResult(columns: ["id", "text"], rows: [["c", "Éclair"]], affected: 1))
        },
        ConformanceCase("T-SQL: parameters by name, in any case, with TOP and brackets") { bench in
            let transact = try await TransactBench(bench)
            let sql =
                "SELECT TOP (@Count) [t].[Text] AS [the text] FROM dbo.[TodoItem] t WITH (NOLOCK) WHERE t.id <> @id ORDER BY t.id;"
            let results = try await transact.run(sql, named: ["count": 2, "@ID": "a"])
            #expect(results == [StatementResult(columns: ["the text"], rows: [["bread"], ["Éclair"]], affected: 2)])
        },
        ConformanceCase("T-SQL: all columns come back as what they are") { bench in
            let transact = try await TransactBench(bench)
            let result = try #require(try await transact.run("SELECT * FROM TodoItem WHERE id = 'a'").first)
            #expect(
                result.columns == [
                    "id", "createdAt", "updatedAt", "version", "deleted", "text", "complete", "price", "amount", "due",
                    "userId", "cost", "day",
                ])
            let row = try #require(result.rows.first)
            let known = try #require(try await transact.store.find("a", in: transact.items))
            let (made, changed) = (try #require(known.createdAt), try #require(known.updatedAt))
            let version = try #require(known.version)
            #expect(row[1] == .date(made) && row[2] == .date(changed) && row[3] == .text(version.wireText))
            #expect(row[4] == false && row[6] == false && row[7] == .number(1.5) && row[8] == .integer(2))
            let (due, cost) = (try #require(Instant("2026-01-31T10:20:30.400Z")), try #require(DecimalNumber("1.10")))
            #expect(row[9] == .date(due) && row[11] == .decimal(cost) && row[12] == "2026-01-31")
            let nulls = try await transact.rows("SELECT text, price, due, cost, day FROM todoitem WHERE id = 'd'")
            #expect(nulls == [[nil, nil, nil, nil, nil]])
            await transact.expect([
                "SELECT amount, price FROM todoitem WHERE id IN ('d', 'b') ORDER BY id": [
                    [5, .number(3)], [9_007_199_254_740_993, nil],
                ]
            ])
        },
        ConformanceCase("T-SQL: conditions") { bench in
            let transact = try await TransactBench(bench)
            func ids(_ condition: String) -> String { "SELECT id FROM todoitem WHERE \(condition) ORDER BY id" }
            await transact.expect([
                ids("complete = 1"): [["b"], ["d"]], ids("complete = 'false'"): [["a"]],
                ids("NOT (complete = 1)"): [["a"]], ids("complete <> 0 AND price >= 3.0"): [["b"]],
                ids("price BETWEEN 1.5 AND 2 OR text IS NULL"): [["a"], ["c"], ["d"]],
                ids("price = '3'"): [["b"]], ids("text IS NOT NULL AND price != 2"): [["a"], ["b"]],
                ids("text = NULL"): [], ids("text IN ('MILK', N'éclair', NULL)"): [["a"], ["c"]],
                ids("text NOT IN ('milk')"): [["b"], ["c"]], ids("amount IN (2, 5.0)"): [["a"], ["b"]],
                ids("amount = 9007199254740993"): [["d"]], ids("amount < 2.5"): [["a"], ["c"]],
                ids("id = 'A'"): [], ids("text > 'BREAD'"): [["a"], ["c"]], ids("text = 'éCLAIR'"): [["c"]],
                ids("due > '2026-01-31'"): [["a"], ["b"]], ids("due >= '20260201'"): [["b"]],
                ids("cost > 2"): [["b"]], ids("cost = 1.1"): [["a"]], ids("day = '2026-01-31'"): [["a"]],
                ids("((price) = (1.5))"): [["a"]], ids("(price + 1) * 2 = 5"): [["a"]],
                ids("(CASE WHEN price = 2 THEN 1 ELSE 0 END) = 1"): [["c"]],
                ids("text = userId"): [], ids("id = lower(userId)"): [],
            ])
        },
        ConformanceCase("T-SQL: LIKE without regard to case") { bench in
            let transact = try await TransactBench(bench)
            try await transact.store.insert("e", ["text": "100% [x]_y"], in: transact.items)
            func ids(_ pattern: String) -> String {
                "SELECT id FROM todoitem WHERE text LIKE \(pattern) ORDER BY id"
            }
            await transact.expect(
                [
                    ids("'M%'"): [["a"]], ids("'%EA%'"): [["b"]], ids("'%ILK'"): [["a"]], ids("'milk'"): [["a"]],
                    ids("'_ilk'"): [["a"]], ids("'[b-m]%'"): [["a"], ["b"]], ids("'[^mb]%'"): [["c"], ["e"]],
                    ids("'É%R'"): [["c"]], ids("'%!%%' ESCAPE '!'"): [["e"]], ids("'%[%]%'"): [["e"]],
                    ids("'%[[]x]%'"): [["e"]], ids("'%[_]y'"): [["e"]], ids("'%' + @part + '%'"): [["a"]],
                    ids("'%'"): [["a"], ["b"], ["c"], ["e"]], ids("''"): [], ids("@nothing"): [],
                    "SELECT id FROM todoitem WHERE text NOT LIKE '%e%' ORDER BY id": [["a"], ["c"], ["e"]],
                    "SELECT id FROM todoitem WHERE price LIKE '1%'": [["a"]],
                ], named: ["part": "IL", "nothing": nil])
        },
        ConformanceCase("T-SQL: joins and subqueries") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect([
                "SELECT t.id, u.name FROM todoitem t INNER JOIN people AS u ON t.userId = u.id ORDER BY t.id": [
                    ["b", "Ann"], ["c", "Bob"],
                ],
                "SELECT t.id, p.name FROM todoitem t LEFT OUTER JOIN people p ON p.id = LOWER(t.userId) ORDER BY t.id":
                    [["a", "Ann"], ["b", "Ann"], ["c", "Bob"], ["d", nil]],
                "SELECT name FROM people WHERE EXISTS (SELECT * FROM todoitem WHERE userId = people.id AND price = 2)":
                    [["Bob"]],
                "SELECT id FROM todoitem WHERE text IN (SELECT LOWER(text) FROM todoitem WHERE price > 1) ORDER BY 1": [
                    ["a"], ["b"], ["c"],
                ],
                "SELECT name, (SELECT COUNT(*) FROM todoitem WHERE LOWER(userId) = people.id) AS n FROM people ORDER BY n DESC":
                    [["Ann", 2], ["Bob", 1]],
                "SELECT x.total FROM (SELECT SUM(price) AS total FROM todoitem) AS x": [[.number(6.5)]],
                "SELECT a.id, b.id FROM people a, people b WHERE a.age < b.age": [["u1", "u2"]],
                "SELECT COUNT(*) FROM people CROSS JOIN todoitem": [[8]],
            ])
        },
        ConformanceCase("T-SQL: groups, of which texts that differ in case are one") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect([
                "SELECT userId, COUNT(*) AS n FROM todoitem GROUP BY userId HAVING COUNT(*) > 0 ORDER BY n DESC, userId":
                    [
                        ["U1", 2], [nil, 1], ["u2", 1],
                    ],
                "SELECT complete, SUM(amount), AVG(amount), MIN(price), MAX(text) FROM todoitem WHERE amount < 100 GROUP BY complete ORDER BY complete":
                    [
                        [nil, -7, -7, .number(2), "Éclair"], [false, 2, 2, .number(1.5), "Milk"],
                        [true, 5, 5, .number(3), "bread"],
                    ],
                "SELECT AVG(amount), AVG(price), COUNT(text), COUNT(DISTINCT userId), COUNT_BIG(*) FROM todoitem WHERE id < 'd'":
                    [[0, .number(6.5 / 3), 3, 2, 3]],
                "SELECT MIN(text), MAX(text), MIN(due), MAX(cost) FROM todoitem": [
                    [
                        "bread", "Milk", .date(Instant(milliseconds: 1_769_854_830_400)),
                        .decimal(try #require(DecimalNumber("10.5"))),
                    ]
                ],
                "SELECT LEFT(text, 1) AS first, COUNT(*) FROM todoitem WHERE id <> 'd' GROUP BY LEFT(text, 1) ORDER BY first":
                    [["b", 1], ["É", 1], ["M", 1]],
                "SELECT YEAR(due) y, MONTH(due), COUNT(*) FROM todoitem GROUP BY YEAR(due), MONTH(due) ORDER BY 1, 2": [
                    [nil, nil, 2], [2026, 1, 1], [2026, 2, 1],
                ],
                "SELECT COUNT(*), SUM(price) FROM todoitem WHERE id = 'x'": [[0, nil]],
            ])
        },
        ConformanceCase("T-SQL: DISTINCT and UNION") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect([
                "SELECT DISTINCT userId FROM todoitem ORDER BY userId": [[nil], ["U1"], ["u2"]],
                "SELECT DISTINCT complete FROM todoitem UNION ALL SELECT DISTINCT TOP 1 1 FROM people ORDER BY 1": [
                    [nil], [0], [1], [1],
                ],
                "SELECT DISTINCT TOP 2 complete FROM todoitem ORDER BY complete DESC": [[true], [false]],
                "SELECT id, text FROM todoitem WHERE id = 'a' UNION ALL SELECT id, name FROM people ORDER BY id": [
                    ["a", "Milk"], ["u1", "Ann"], ["u2", "Bob"],
                ],
                "SELECT 'X' AS t, NULL AS n UNION SELECT 'x', 1.5 UNION SELECT N'y', 2 ORDER BY t, n": [
                    ["X", nil], ["x", .number(1.5)], ["y", .number(2)],
                ],
                "SELECT userId FROM todoitem WHERE price < 9 UNION SELECT id FROM people ORDER BY 1": [["U1"], ["u2"]],
            ])
        },
        ConformanceCase("T-SQL: pages") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect(
                [
                    "SELECT id FROM todoitem ORDER BY id DESC OFFSET @skip ROWS FETCH NEXT 2 ROWS ONLY": [
                        ["c"], ["b"],
                    ],
                    "SELECT id FROM todoitem ORDER BY id OFFSET 3 ROWS": [["d"]],
                    "SELECT TOP 0 id FROM todoitem": [],
                    "SELECT TOP 3 id FROM todoitem ORDER BY text DESC, id": [["a"], ["c"], ["b"]],
                    "SELECT id, price p FROM todoitem ORDER BY p, 1 DESC": [
                        ["d", nil], ["a", .number(1.5)], ["c", .number(2)], ["b", .number(3)],
                    ],
                ], named: ["skip": 1])
        },
        ConformanceCase("T-SQL: functions of text") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect(
                [
                    "SELECT LEN(text + '  '), UPPER(text), LOWER(text) FROM todoitem WHERE id = 'c'": [
                        [6, "ÉCLAIR", "éclair"]
                    ],
                    "SELECT LTRIM('  x '), RTRIM(' x  '), SUBSTRING(text, 2, 2), SUBSTRING(text, 0, 2), SUBSTRING(text, 9, 2) FROM todoitem WHERE id = 'a'":
                        [["x ", " x", "il", "M", ""]],
                    "SELECT REPLACE(text, 'IL', 'u'), CHARINDEX('L', text), CHARINDEX('x', text), CHARINDEX('k', text, 2), CHARINDEX('M', text, 2) FROM todoitem WHERE id = 'a'":
                        [["Muk", 3, 0, 4, 0]],
                    "SELECT LEFT(text, 2), RIGHT(text, 2), RIGHT(text, 9), CONCAT(text, NULL, amount) FROM todoitem WHERE id = 'a'":
                        [["Mi", "lk", "Milk", "Milk2"]],
                    "SELECT text + ' ' + userId, 'a' + @text, text + NULL FROM todoitem WHERE id = 'a'": [
                        ["Milk U1", "a'; --", nil]
                    ],
                    "SELECT ISNULL(text, 'none'), COALESCE(text, userId, 'nobody'), NULLIF(amount, 2) FROM todoitem WHERE id IN ('a', 'd') ORDER BY id":
                        [["Milk", "Milk", nil], ["none", "nobody", 9_007_199_254_740_993]],
                    "SELECT LEN(CAST(NEWID() AS NVARCHAR(36))), CASE WHEN NEWID() = NEWID() THEN 1 ELSE 0 END": [
                        [36, 0]
                    ],
                ], named: ["text": "'; --"])
        },
        ConformanceCase("T-SQL: numbers") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect(
                [
                    "SELECT 7 / 2, 7 % 4, -7 / 2, 7 / 2.0, 7 / 0, 2 - 3 * 4": [[3, 3, -3, .number(3.5), nil, -10]],
                    "SELECT @whole / 2, @real / 2, @whole + '1'": [[5, .number(0.75), 11]],
                    "SELECT ABS(-3), ABS(price - 4), ROUND(2.675, 2), ROUND(price, 0), FLOOR(-1.5), CEILING(1.2), ROUND(1234, -2) FROM todoitem WHERE id = 'a'":
                        [[3, .number(2.5), .number(2.68), .number(2), .number(-2), .number(2), 1200]],
                    "SELECT price + amount, amount * 2, price * 2, -price, complete + 1 FROM todoitem WHERE id = 'b'": [
                        [.number(8), 10, .number(6), .number(-3), 2]
                    ],
                    "SELECT cost * 2, cost + price FROM todoitem WHERE id = 'a'": [
                        [.decimal(try #require(DecimalNumber("2.20"))), .number(2.6)]
                    ],
                ], named: ["whole": .number(10), "real": 1.5])
        },
        ConformanceCase("T-SQL: CASE, CAST and CONVERT") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect([
                "SELECT CASE complete WHEN 1 THEN 'done' WHEN 0 THEN 'open' END FROM todoitem WHERE id < 'd' ORDER BY id":
                    [
                        ["open"], ["done"], [nil],
                    ],
                "SELECT CASE WHEN price > 2 THEN price WHEN price IS NULL THEN 0 ELSE -1 END FROM todoitem ORDER BY id":
                    [
                        [.number(-1)], [.number(3)], [.number(-1)], [.number(0)],
                    ],
                "SELECT CAST(price AS INT), CAST(amount AS NVARCHAR(10)), CONVERT(VARCHAR(2), text), CAST(complete AS int) FROM todoitem WHERE id = 'a'":
                    [[1, "2", "Mi", 0]],
                "SELECT CAST('12' AS INT), CAST(' 1.5 ' AS FLOAT), CAST('true' AS BIT), CAST(0 AS BIT), CAST(1.5 AS NVARCHAR(9))":
                    [[12, .number(1.5), true, false, "1.5"]],
                "SELECT CAST(text AS INT), CAST(userId + '' AS FLOAT) FROM todoitem WHERE id = 'a'": [[nil, nil]],
                "SELECT CONVERT(VARCHAR(10), due, 23), CONVERT(VARCHAR, due, 120), CONVERT(VARCHAR, due, 126), CONVERT(CHAR(8), due, 112) FROM todoitem WHERE id = 'a'":
                    [["2026-01-31", "2026-01-31 10:20:30", "2026-01-31T10:20:30.400", "20260131"]],
                "SELECT CAST(due AS DATE) FROM todoitem WHERE id = 'a'": [
                    [.date(try #require(Instant("2026-01-31")))]
                ],
                "SELECT CAST('2026-01-31 10:20:30.4' AS DATETIME), CAST(10.456 AS DECIMAL(10, 2))": [
                    [.date(try #require(Instant("2026-01-31T10:20:30.400Z"))), .number(10.46)]
                ],
            ])
        },
        ConformanceCase("T-SQL: dates") { bench in
            let transact = try await TransactBench(bench)
            func date(_ text: String) throws -> Value { .date(try #require(Instant(text))) }
            let now = bench.clock.now
            await transact.expect([
                "SELECT DATEADD(month, 1, due), DATEADD(day, -31, due), DATEADD(YEAR, 2, due), DATEADD(hh, 20, due), DATEADD(mi, -1, due), DATEADD(second, 30, due) FROM todoitem WHERE id = 'a'":
                    [
                        [
                            try date("2026-02-28T10:20:30.400Z"), try date("2025-12-31T10:20:30.400Z"),
                            try date("2028-01-31T10:20:30.400Z"), try date("2026-02-01T06:20:30.400Z"),
                            try date("2026-01-31T10:19:30.400Z"), try date("2026-01-31T10:21:00.400Z"),
                        ]
                    ],
                "SELECT DATEDIFF(day, due, '2026-02-01'), DATEDIFF(hour, due, '2026-01-31T11:00:00Z'), DATEDIFF(minute, due, '2026-01-31T10:21:00Z'), DATEDIFF(second, '2026-01-31T10:20:31Z', due), DATEDIFF(month, due, '2026-02-01'), DATEDIFF(year, '2024-12-31', due) FROM todoitem WHERE id = 'a'":
                    [[1, 1, 1, -1, 1, 2]],
                "SELECT DATEDIFF(day, '1969-12-31T23:00:00Z', '1970-01-01T01:00:00Z'), DATEDIFF(hour, '1969-12-31T23:30:00Z', '1970-01-01T00:10:00Z')":
                    [[1, 1]],
                "SELECT YEAR(due), MONTH(due), DAY(due), DATEPART(hour, due), DATEPART(minute, due), DATEPART(second, due), DATEPART(weekday, due), DATEPART(dayofyear, due), DATEPART(quarter, due) FROM todoitem WHERE id = 'a'":
                    [[2026, 1, 31, 10, 20, 30, 7, 31, 1]],
                "SELECT GETDATE(), SYSUTCDATETIME(), CURRENT_TIMESTAMP": [[.date(now), .date(now), .date(now)]],
                "SELECT COUNT(*) FROM todoitem WHERE createdAt > DATEADD(day, -3000, GETUTCDATE()) AND createdAt <= DATEADD(day, 1, SYSDATETIMEOFFSET())":
                    [[4]],
                "SELECT id FROM todoitem WHERE CAST(due AS DATE) = '2026-01-31'": [["a"]],
            ])
            let date = Value.date(try #require(Instant("2026-01-31T10:20:30.400Z")))
            #expect(try await transact.rows("SELECT id FROM todoitem WHERE due = ?", [date]) == [["a"]])
        },
        ConformanceCase("T-SQL: variables and @@ROWCOUNT") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect(
                [
                    "DECLARE @n INT = 1, @t NVARCHAR(50); SET @t = 'MI' + @end; SELECT @n + 1, id FROM todoitem WHERE text = @t":
                        [
                            [2, "a"]
                        ],
                    "DECLARE @n INT; SELECT @n = COUNT(*) FROM todoitem; SET @n += 1; SELECT @n": [[5]],
                    "SET NOCOUNT ON; SELECT id FROM people; SELECT @@ROWCOUNT AS n": [[2]],
                    "DECLARE @n INT; SELECT ISNULL(@n, 3), @n + 1": [[3, nil]],
                ], named: ["end": "lk"])
        },
        ConformanceCase("T-SQL: tombstones are rows, as they were to SQL Server") { bench in
            let transact = try await TransactBench(bench)
            try await transact.store.delete("a", in: transact.items)
            await transact.expect([
                "SELECT id FROM todoitem WHERE deleted = 1": [["a"]],
                "SELECT COUNT(*) FROM todoitem": [[4]], "SELECT COUNT(*) FROM todoitem WHERE deleted = 0": [[3]],
            ])
        },
    ]
}
