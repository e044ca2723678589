import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// The functions and joins of T-SQL that more than the plainest scripts used.
    public static let transactFunctions: [ConformanceCase] = [
        ConformanceCase("T-SQL: functions of numbers keep SQL Server's types") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect([
                "SELECT SQRT(16), SQUARE(3), POWER(2, 10), POWER(10, -1), POWER(price, 2), EXP(0), LOG(1), LOG10(1000) FROM todoitem WHERE id = 'b'":
                    [
                        [
                            .number(4), .number(9), 1024, 0, .number(9), .number(1), .number(0), .number(3),
                        ]
                    ],
                "SELECT ROUND(LOG(8, 2), 9), ROUND(SIN(PI() / 6), 9), ROUND(COS(PI()), 9), ROUND(TAN(PI() / 4), 9), ROUND(COT(PI() / 4), 9)":
                    [[.number(3), .number(0.5), .number(-1), .number(1), .number(1)]],
                "SELECT ROUND(ASIN(1), 9), ACOS(1), ROUND(ATAN(1), 9), ROUND(ATN2(1, -1), 9), ROUND(PI(), 4)": [
                    [
                        .number(1.570_796_327), .number(0), .number(0.785_398_163), .number(2.356_194_49),
                        .number(3.1416),
                    ]
                ],
                // Of whole numbers they are whole, however little is left.
                "SELECT RADIANS(180), RADIANS(180.0), DEGREES(3), ROUND(DEGREES(PI()), 9)": [
                    [3, .number(Double.pi), 171, .number(180)]
                ],
                "SELECT SIGN(-3), SIGN(0), SIGN(amount), SIGN(price), SIGN(price - 9) FROM todoitem WHERE id = 'a'": [
                    [-1, 0, 1, .number(1), .number(-1)]
                ],
                "SELECT ROUND(1.789, 1, 1), ROUND(-1.789, 1, 1), ROUND(1789, -2, 1), ROUND(1.789, 1, 0), FLOOR(price), FLOOR(amount) FROM todoitem WHERE id = 'a'":
                    [[.number(1.7), .number(-1.7), 1700, .number(1.8), .number(1), 2]],
                "SELECT SQRT(price), POWER(price, 2), SIN(NULL), SIGN(price), RADIANS(price), ATN2(price, 1) FROM todoitem WHERE id = 'd'":
                    [[nil, nil, nil, nil, nil, nil]],
                "SELECT SQRT(cost + 0.11), SQRT('4'), EXP(-1000) FROM todoitem WHERE id = 'a'": [
                    [.number(1.1), .number(2), .number(0)]
                ],
                "SELECT CASE WHEN RAND() >= 0 AND RAND() < 1 THEN 1 ELSE 0 END": [[1]],
            ])
        },
        ConformanceCase("T-SQL: what is near, by the cosine of the angle between two places") { bench in
            let transact = try await TransactBench(bench)
            let sql = """
                SELECT TOP 5 id, ROUND(distance, 1) AS km FROM (
                    SELECT id, (6371 * ACOS(COS(RADIANS(@lat)) * COS(RADIANS(price)) *
                        COS(RADIANS(amount * 1.0) - RADIANS(@lng)) + SIN(RADIANS(@lat)) * SIN(RADIANS(price)))) AS distance
                    FROM todoitem WHERE id < 'd') AS places
                WHERE distance < 500 ORDER BY distance
                """
            #expect(
                try await transact.rows(sql, named: ["lat": 1.5, "lng": 2.5])
                    == [["a", .number(55.6)], ["b", .number(324)]])
            // A place that is nowhere else is 0 away, and no error of rounding.
            for tenth in stride(from: -900.0, through: 900, by: 7) {
                let sql = "SELECT ACOS(SIN(RADIANS(@a)) * SIN(RADIANS(@a)) + COS(RADIANS(@a)) * COS(RADIANS(@a)))"
                let row = try await transact.rows(sql, named: ["a": .number(tenth / 10 + 0.05)])
                guard case .number(let angle) = row.first?.first else {
                    Issue.record("\(row) of \(tenth)")
                    continue
                }
                #expect(angle < 1e-6, "\(tenth)")
            }
        },
        ConformanceCase("T-SQL: a number without an answer ends the script, and nothing of it is done") { bench in
            let transact = try await TransactBench(bench)
            for wrong in [
                "SQRT(price - 9)", "LOG(price - price)", "LOG10(-1)", "ACOS(price + 1)", "ASIN(-2)", "POWER(0, -1)",
                "POWER(price - 9, 0.5)", "EXP(1000)", "POWER(10.0, 400)", "POWER(10, 30)", "COT(0)", "SQRT(-1)",
                // What is beyond 64 bits.
                "9223372036854775807 + amount", "-9223372036854775807 - amount", "amount * 9223372036854775807",
                "-(-9223372036854775807 - 1)", "(-9223372036854775807 - 1) / -1", "ABS(-9223372036854775807 - 1)",
                "CAST(price * 1e30 AS BIGINT)", "ROUND(9223372036854775807, -1)", "LOG(8, 1)",
                "LOG(price, amount / amount)",
                // What is beyond the years 1 to 9999.
                "DATEADD(year, 10000, due)", "DATEADD(month, -30000, due)", "DATEADD(day, 3000000, due)",
                "DATEADD(second, 9223372036854775807, due)", "DATEADD(year, 9223372036854775807, due)",
            ] {
                await transact.refuses(
                    "UPDATE people SET age = 1; SELECT \(wrong) FROM todoitem WHERE id = 'a'",
                    "The database refuses the values: ")
            }
            await transact.expect(["SELECT COUNT(*) FROM people WHERE age = 1": [[0]]])
        },
        ConformanceCase("T-SQL: whole numbers are rounded as such, and dates moved to the calendar's ends") { bench in
            let transact = try await TransactBench(bench)
            func date(_ text: String) throws -> Value { .date(try #require(Instant(text))) }
            await transact.expect([
                "SELECT ROUND(9223372036854775807, 0), ROUND(9007199254740993, 2), ROUND(9223372036854775807, -2, 1)": [
                    [9_223_372_036_854_775_807, 9_007_199_254_740_993, 9_223_372_036_854_775_800]
                ],
                "SELECT ROUND(-1250, -2), ROUND(1249, -2), ROUND(1250, -2), ROUND(-1299, -2, 1), ROUND(amount, -1) FROM todoitem WHERE id = 'a'":
                    [[-1300, 1200, 1300, -1200, 0]],
                "SELECT DATEADD(year, 7973, due), DATEADD(month, -24300, due), DATEADD(ms, 1, '9999-12-31T23:59:59.998Z'), DATEADD(day, NULL, due) FROM todoitem WHERE id = 'a'":
                    [
                        [
                            try date("9999-01-31T10:20:30.400Z"), try date("0001-01-31T10:20:30.400Z"),
                            try date("9999-12-31T23:59:59.999Z"), nil,
                        ]
                    ],
            ])
        },
        ConformanceCase("T-SQL: more functions of texts, dates and choices") { bench in
            let transact = try await TransactBench(bench)
            func date(_ text: String) throws -> Value { .date(try #require(Instant(text))) }
            await transact.expect([
                "SELECT IIF(price > 1, 'much', 'little'), CHOOSE(amount, 'one', 'two'), CHOOSE(3, 1, 2) FROM todoitem WHERE id = 'a'":
                    [["much", "two", nil]],
                "SELECT STUFF(text, 2, 2, 'u'), STUFF(text, 4, 9, '!'), STUFF(text, 0, 1, 'x'), STUFF(text, 5, 1, 'x'), STUFF(text, 1, 0, NULL) FROM todoitem WHERE id = 'a'":
                    [["Muk", "Mil!", nil, nil, "Milk"]],
                "SELECT REPLICATE('0', 5 - LEN(CAST(amount AS VARCHAR(9)))) + CAST(amount AS VARCHAR(9)), REPLICATE('x', -1), 'a' + SPACE(2) + 'b', REPLICATE('ab', 2), CHAR(65) FROM todoitem WHERE id = 'a'":
                    [["00002", nil, "a  b", "abab", "A"]],
                "SELECT ISNUMERIC('1.5'), ISNUMERIC(text), ISNUMERIC(price), ISNUMERIC(NULL) FROM todoitem WHERE id = 'a'":
                    [
                        [1, 0, 1, 0]
                    ],
                "SELECT EOMONTH(due), EOMONTH('2024-02-05') FROM todoitem WHERE id = 'a'": [
                    [try date("2026-01-31"), try date("2024-02-29")]
                ],
            ])
        },
        ConformanceCase("T-SQL: RIGHT and FULL JOIN") { bench in
            let transact = try await TransactBench(bench)
            _ = try await transact.run("INSERT INTO people (id, name) VALUES ('u3', 'Cy')")
            await transact.expect([
                "SELECT t.id, p.name FROM todoitem t RIGHT JOIN people p ON p.id = t.userId ORDER BY p.name": [
                    ["b", "Ann"], ["c", "Bob"], [nil, "Cy"],
                ],
                "SELECT t.id, p.name FROM todoitem t RIGHT OUTER JOIN people p ON p.id = t.userId AND t.price > 2 WHERE p.age > 1 ORDER BY p.name":
                    [["b", "Ann"], [nil, "Bob"]],
                "SELECT t.id, q.id, p.name FROM todoitem t INNER JOIN todoitem q ON q.id = t.id RIGHT JOIN people p ON p.id = t.userId ORDER BY p.name":
                    [["b", "b", "Ann"], ["c", "c", "Bob"], [nil, nil, "Cy"]],
                "SELECT t.id, p.name FROM todoitem t FULL JOIN people p ON p.id = t.userId ORDER BY t.id, p.name": [
                    [nil, "Cy"], ["a", nil], ["b", "Ann"], ["c", "Bob"], ["d", nil],
                ],
                "SELECT t.id, p.name FROM todoitem t FULL OUTER JOIN people p ON p.age < t.amount ORDER BY t.id, p.name":
                    [
                        [nil, "Cy"], ["a", nil], ["b", nil], ["c", nil], ["d", "Ann"], ["d", "Bob"],
                    ],
                "SELECT p.name, t.price, t.due, t.cost, t.complete, t.__version FROM todoitem t FULL JOIN people p ON p.id = t.userId WHERE t.id IS NULL":
                    [["Cy", nil, nil, nil, nil, nil]],
                "SELECT COUNT(*), COUNT(t.id), COUNT(p.id), COUNT(x.id) FROM todoitem t FULL JOIN people p ON p.id = t.userId LEFT JOIN people x ON x.id = p.id":
                    [[5, 4, 3, 3]],
                "SELECT name FROM people o WHERE (SELECT COUNT(*) FROM todoitem t FULL JOIN people p ON p.id = t.userId WHERE p.id = o.id AND t.id IS NOT NULL) = 1 ORDER BY name":
                    [["Ann"], ["Bob"]],
            ])
            let all = try #require(
                try await transact.run("SELECT * FROM people p RIGHT JOIN people q ON q.id = p.id AND p.age > 35").first
            )
            #expect(all.columns.count == 14 && all.columns[0] == "id" && all.columns[12] == "name")
            let full = try #require(
                try await transact.run("SELECT p.*, q.name FROM people p FULL JOIN people q ON q.age < p.age").first)
            #expect(full.columns.count == 8 && full.rows.count == 5)
        },
        ConformanceCase("T-SQL: functions with OVER, and pages by them") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect([
                "SELECT id FROM (SELECT ROW_NUMBER() OVER (ORDER BY price DESC, id) AS RowNum, * FROM todoitem) AS r WHERE RowNum BETWEEN 2 AND 3 ORDER BY RowNum":
                    [["c"], ["a"]],
                "SELECT id, ROW_NUMBER() OVER (PARTITION BY userId ORDER BY id DESC) FROM todoitem ORDER BY id": [
                    ["a", 2], ["b", 1], ["c", 1], ["d", 1],
                ],
                "SELECT id, RANK() OVER (ORDER BY complete), DENSE_RANK() OVER (ORDER BY complete), NTILE(2) OVER (ORDER BY id) FROM todoitem ORDER BY id":
                    [["a", 2, 2, 1], ["b", 3, 3, 1], ["c", 1, 1, 2], ["d", 3, 3, 2]],
                "SELECT id, COUNT(*) OVER () AS total, SUM(price) OVER (PARTITION BY userId), MAX(price) OVER (), AVG(amount) OVER (PARTITION BY userId) FROM todoitem WHERE id < 'd' ORDER BY id":
                    [
                        ["a", 3, .number(4.5), .number(3), 3], ["b", 3, .number(4.5), .number(3), 3],
                        ["c", 3, .number(2), .number(3), -7],
                    ],
                "SELECT id, LAG(text) OVER (ORDER BY id), LEAD(amount, 1, 0) OVER (ORDER BY id), FIRST_VALUE(id) OVER (ORDER BY id DESC) FROM todoitem WHERE id < 'd' ORDER BY id":
                    [["a", nil, 5, "c"], ["b", "Milk", -7, "c"], ["c", "bread", 0, "c"]],
                "SELECT userId, COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, userId) FROM todoitem GROUP BY userId ORDER BY 3":
                    [["U1", 2, 1], [nil, 1, 2], ["u2", 1, 3]],
                "SELECT id FROM todoitem ORDER BY ROW_NUMBER() OVER (ORDER BY text DESC)": [
                    ["a"], ["c"], ["b"], ["d"],
                ],
                "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (ORDER BY (SELECT NULL)) AS n FROM people) x WHERE n > 1":
                    [
                        [1]
                    ],
            ])
            for (sql, sentence) in [
                "SELECT id FROM todoitem WHERE ROW_NUMBER() OVER (ORDER BY id) = 1": "OVER can't stand here.",
                "SELECT ROW_NUMBER() OVER () FROM todoitem": "`ROW_NUMBER` needs an ORDER BY in its OVER.",
                "SELECT MAX(text) OVER () FROM todoitem": "`MAX` with OVER takes numbers and dates alone.",
                "UPDATE todoitem SET amount = COUNT(*) OVER ()": "OVER can't stand here.",
            ] as KeyValuePairs { await transact.refuses(sql, sentence) }
        },
        ConformanceCase("T-SQL: WITH, and tables of VALUES") { bench in
            let transact = try await TransactBench(bench)
            await transact.expect([
                "WITH mine AS (SELECT id, price FROM todoitem WHERE userId = 'u1') SELECT id FROM mine WHERE price > 2":
                    [["b"]],
                ";WITH a (x, y) AS (SELECT id, price FROM todoitem), b AS (SELECT y AS z FROM a WHERE y > 1) SELECT MAX(z), (SELECT COUNT(*) FROM a) FROM b":
                    [[.number(3), 4]],
                "WITH p AS (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM todoitem) SELECT l.id, r.id FROM p l JOIN p AS r ON r.n = l.n + 1 WHERE l.n > 2":
                    [["c", "d"]],
                "SELECT v.a, b FROM (VALUES (1, 'x'), (2, 'y')) AS v (a, b) ORDER BY a DESC": [[2, "y"], [1, "x"]],
                "WITH people AS (SELECT 'z' AS name) SELECT name FROM people UNION ALL SELECT name FROM dbo.people ORDER BY 1":
                    [["Ann"], ["Bob"], ["z"]],
            ])
            let insert = "WITH n AS (SELECT 'new' AS name) INSERT INTO people (id, name) SELECT 'n1', name FROM n"
            #expect(try await transact.affected(insert) == 1)
            await transact.refuses(
                "WITH x AS (SELECT 1 AS a UNION ALL SELECT a FROM x) SELECT * FROM x",
                "A query of WITH that names itself is not supported. (line 1, column 50)")
            await transact.refuses(
                "WITH x (a, b) AS (SELECT 1 AS a) SELECT * FROM x", "Here are 2 names for 1 columns.")
        },
        ConformanceCase("T-SQL: duplicates go by a numbered WITH") { bench in
            let transact = try await TransactBench(bench)
            _ = try await transact.run(
                "INSERT INTO people (id, name) VALUES ('u4', 'ann'), ('u5', 'Bob'), ('u6', 'Cy')")
            let sql = """
                WITH doubles AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY id) AS rn FROM people)
                DELETE FROM doubles WHERE rn > 1
                """
            #expect(try await transact.affected(sql) == 2)
            await transact.expect(["SELECT id FROM people ORDER BY id": [["u1"], ["u2"], ["u6"]]])
        },
        ConformanceCase("T-SQL: rows are numbered by a WITH, or by what FROM has beside their table") { bench in
            let transact = try await TransactBench(bench)
            let numbered = "SELECT age, ROW_NUMBER() OVER (ORDER BY name DESC) AS place FROM people"
            #expect(try await transact.affected("WITH old AS (\(numbered)) UPDATE old SET age = place") == 2)
            let all = "SELECT id, age FROM people ORDER BY id"
            await transact.expect([all: [["u1", .number(2)], ["u2", .number(1)]]])
            let one = "WITH old AS (SELECT * FROM people) UPDATE old SET age += 10 WHERE name = 'ann'"
            #expect(try await transact.affected(one) == 1)
            await transact.expect([all: [["u1", .number(12)], ["u2", .number(1)]]])
            let beside = """
                UPDATE people SET age = r.n
                FROM (SELECT id AS person, ROW_NUMBER() OVER (ORDER BY id) AS n FROM people) r
                WHERE r.person = people.id
                """
            #expect(try await transact.affected(beside) == 2)
            await transact.expect([all: [["u1", .number(1)], ["u2", .number(2)]]])
        },
        ConformanceCase("T-SQL: LIKE of a pattern whose case a function changes") { bench in
            let transact = try await TransactBench(bench)
            let sql = "SELECT id FROM people WHERE LOWER(name) LIKE UPPER(LOWER('%' + ? + '%'))"
            await transact.expect([sql: [["u1"]]], ["N"])
        },
    ]
}
