import Foundation
import TableSQL
import Tables
import Testing
import TransactSQL

@Suite("T-SQL that is refused")
struct TransactRefusalTests {
    /// Each with what is said of it.
    static let refused: KeyValuePairs = [
        "DROP TABLE todo": "`DROP` is not supported. (line 1, column 1)",
        "SELECT 1;\n  ALTER TABLE todo ADD x INT": "`ALTER` is not supported. (line 2, column 3)",
        "CREATE TABLE x (id INT)": "`CREATE` is not supported. (line 1, column 1)",
        "TRUNCATE todo": "Expected TABLE, but found `todo`. (line 1, column 10)",
        "EXEC sp_who": "`EXEC` is not supported. (line 1, column 1)",
        "sp_who": "`SP_WHO` is not supported. (line 1, column 1)",
        "MERGE todo USING people ON 1 = 1": "Expected WHEN, but found the end. (line 1, column 33)",
        "MERGE TOP (1) todo USING people ON 1 = 1 WHEN MATCHED THEN DELETE":
            "TOP of a MERGE is not supported. (line 1, column 7)",
        "GRANT SELECT ON todo TO x": "`GRANT` is not supported. (line 1, column 1)",
        "IF 1 = 1 DROP TABLE todo": "`DROP` is not supported. (line 1, column 10)",
        "IF 1 SELECT 1": "Expected a comparison, but found `SELECT`. (line 1, column 6)",
        "BEGIN TRY SELECT 1 END TRY": "`BEGIN` is not supported. (line 1, column 1)",
        "WHILE 1 = 1 SELECT 1": "`WHILE` is not supported. (line 1, column 1)",
        "PRAGMA table_info(todo)": "`PRAGMA` is not supported. (line 1, column 1)",
        "ATTACH DATABASE 'x' AS y": "`ATTACH` is not supported. (line 1, column 1)",
        "COPY todo TO '/tmp/x'": "`COPY` is not supported. (line 1, column 1)",
        "BEGIN TRANSACTION; ROLLBACK": "ROLLBACK is not supported: a script is one transaction. (line 1, column 20)",
        "WITH x AS (SELECT 1 AS a) DROP TABLE todo": "WITH before `DROP` is not supported. (line 1, column 1)",
        "WITH x AS (SELECT a FROM x) SELECT * FROM x":
            "A query of WITH that names itself is not supported. (line 1, column 26)",
        "WITH x AS (SELECT DISTINCT title FROM todo) DELETE FROM x":
            "A DELETE of more than one table's rows is not supported. (line 1, column 57)",
        "WITH x AS (SELECT title AS note, id FROM todo) UPDATE x SET note = 'a'":
            "Setting another column than those that the query selects unchanged is not supported. (line 1, column 61)",
        "WITH x AS (SELECT id FROM todo) UPDATE x SET title = 'a'":
            "Setting another column than those that the query selects unchanged is not supported. (line 1, column 46)",
        "WITH x AS (SELECT DISTINCT title FROM todo) UPDATE x SET title = 'a'":
            "An UPDATE of more than one table's rows is not supported. (line 1, column 52)",
        "UPDATE todo SET title = x.name FROM nowhere x": "There is no table `nowhere`. (line 1, column 37)",
        "SELECT id FROM todo WHERE title LIKE LOWER(note)":
            "LIKE with a pattern that is made of columns is not supported. (line 1, column 38)",
        "SET IDENTITY_INSERT todo ON": "SET `IDENTITY_INSERT` is not supported. (line 1, column 5)",
        "DECLARE c CURSOR FOR SELECT 1": "Expected a variable, but found `c`. (line 1, column 9)",
        "DECLARE @t TABLE (id INT)": "A variable that is a table is not supported. (line 1, column 12)",
        "SELECT * FROM todo WITH (TABLOCKX)": "The hint `TABLOCKX` is not supported. (line 1, column 26)",
        "SELECT * FROM #temp": "A temporary table is not supported. (line 1, column 15)",
        "SELECT * INTO x FROM todo": "SELECT … INTO is not supported. (line 1, column 10)",
        "SELECT * FROM OPENROWSET('x')": "The function `OPENROWSET` as a table is not supported. (line 1, column 25)",
        "SELECT * FROM todo FOR XML AUTO": "FOR XML and FOR JSON is not supported. (line 1, column 20)",
        "SELECT ROW_NUMBER() FROM todo": "Expected OVER, but found `FROM`. (line 1, column 21)",
        "SELECT UPPER(title) OVER () FROM todo": "OVER is not supported. (line 1, column 21)",
        "SELECT SUM(price) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM todo":
            "A frame of OVER (ROWS, RANGE) is not supported. (line 1, column 37)",
        "SELECT ATAN2(1, 2)": "The function `ATAN2` is not supported. (line 1, column 8)",
        "SELECT geography::Point(1, 2, 4326)": "`geography::` is not supported. (line 1, column 8)",
        "SELECT POWER(2)": "`POWER` takes another number of arguments. (line 1, column 8)",
        "SELECT SQRT(title) FROM todo": "`SQRT` takes a number, not text. (line 1, column 8)",
        "SELECT load_extension('x')": "The function `LOAD_EXTENSION` is not supported. (line 1, column 8)",
        "SELECT pg_sleep(10)": "The function `PG_SLEEP` is not supported. (line 1, column 8)",
        "SELECT dbo.f(1)": "The function `f` is not supported. (line 1, column 12)",
        "SELECT @@SPID": "`@@SPID` is not supported. (line 1, column 8)",
        "SELECT IDENT_CURRENT('todo')": "The function `IDENT_CURRENT` is not supported. (line 1, column 8)",
        "SELECT 0xFF": "A binary constant is not supported. (line 1, column 8)",
        "SELECT 1 & 2": "The operator `&` is not supported. (line 1, column 10)",
        "SELECT title COLLATE Latin1_General_BIN FROM todo": "COLLATE is not supported. (line 1, column 14)",
        "DELETE todo FROM todo FULL JOIN people ON 1 = 1":
            "FULL JOIN beside a write is not supported. (line 1, column 33)",
        "SELECT id FROM todo CROSS APPLY people": "APPLY is not supported. (line 1, column 21)",
        "SELECT id FROM todo EXCEPT SELECT id FROM people": "`EXCEPT` is not supported. (line 1, column 21)",
        "SELECT TOP 5 PERCENT id FROM todo": "TOP … PERCENT is not supported. (line 1, column 14)",
        "SELECT TOP (id) id FROM todo": "There is no column `id`. (line 1, column 13)",
        "SELECT CAST(id AS XML) FROM todo": "The type `XML` is not supported. (line 1, column 19)",
        "SELECT CONVERT(VARCHAR, due, 9) FROM todo": "The style 9 of CONVERT is not supported. (line 1, column 30)",
        "SELECT id FROM todo OPTION (RECOMPILE)": "OPTION is not supported. (line 1, column 21)",
        "SELECT nothing FROM todo": "There is no column `nothing`. (line 1, column 8)",
        "SELECT x.id FROM todo t": "There is no table or alias `x`. (line 1, column 8)",
        "SELECT todo.id FROM todo t": "There is no table or alias `todo`. (line 1, column 8)",
        "SELECT id FROM nothing": "There is no table `nothing`. (line 1, column 16)",
        "INSERT INTO zumod_users (name) VALUES ('x')": "There is no table `zumod_users`. (line 1, column 13)",
        "INSERT INTO todo VALUES (1)": "INSERT has to name its columns. (line 1, column 1)",
        "INSERT INTO todo (title, TITLE) VALUES ('a', 'b')": "The column `TITLE` is set twice. (line 1, column 26)",
        "INSERT INTO todo (title) VALUES ('a', 'b')":
            "INSERT names 1 columns and gives 2 values. (line 1, column 1)",
        "INSERT INTO todo (id) VALUES ('a/b')": "This text can't be the id of a row. (line 1, column 19)",
        "INSERT INTO todo (__version) VALUES (1)": "The version of a row can't be set. (line 1, column 19)",
        "INSERT INTO todo (title) EXEC sp_who": "EXEC is not supported. (line 1, column 26)",
        "UPDATE todo SET id = 'x'": "The id of a row can't be changed. (line 1, column 17)",
        "UPDATE todo SET done = 'maybe'": "The text 'maybe' can't be converted to a bit. (line 1, column 17)",
        "UPDATE todo SET price = due": "a date can't be converted to a number. (line 1, column 17)",
        "UPDATE TOP (id) todo SET done = 1": "There is no column `id`. (line 1, column 13)",
        "INSERT TOP (1) INTO todo (id) VALUES ('x')": "TOP of an INSERT is not supported. (line 1, column 8)",
        "DELETE FROM todo WHERE CURRENT OF c": "A cursor is not supported. (line 1, column 24)",
        "SELECT title + price FROM todo":
            "`+` of a text and a number is not supported; CAST says what is meant. (line 1, column 14)",
        "SELECT due + 1 FROM todo": "`+` takes no date; DATEADD and DATEDIFF do. (line 1, column 12)",
        "SELECT id FROM todo WHERE due = price":
            "a date and a number don't go together; CAST says what is meant. (line 1, column 31)",
        "SELECT id FROM todo WHERE title LIKE note":
            "LIKE with a pattern that is made of columns is not supported. (line 1, column 38)",
        "SELECT id FROM todo WHERE done": "Expected a comparison, but found the end. (line 1, column 31)",
        "SELECT id FROM todo WHERE": "Expected a value, but found the end. (line 1, column 26)",
        "SELECT id, FROM todo": "Expected a value, but found `FROM`. (line 1, column 12)",
        "SELECT 'x": "The text never ends. (line 1, column 8)",
        "SELECT [x FROM todo": "The name never ends. (line 1, column 8)",
        "SELECT 1 /* x": "The comment never ends. (line 1, column 10)",
        "SELECT ROUND(price, count) FROM todo":
            "The second argument of ROUND has to be a number up to 15 that is no column. (line 1, column 8)",
        "SELECT LEN() FROM todo": "`LEN` takes another number of arguments. (line 1, column 8)",
        "SELECT SUM(title) FROM todo": "`SUM` takes a number, not text. (line 1, column 8)",
        "SELECT *, COUNT(*) FROM todo": "`*` can't stand beside GROUP BY. (line 1, column 8)",
        "SELECT id FROM todo ORDER BY 2": "ORDER BY 2 names no column of the result. (line 1, column 30)",
        "SELECT id FROM todo OFFSET 1 ROWS": "OFFSET needs an ORDER BY. (line 1, column 21)",
        "SELECT @a = 1, id FROM todo":
            "A SELECT sets variables or answers rows, not both. (line 1, column 8)",
        "SET @a = 1": "`@a` is not declared. (line 1, column 5)",
        "DECLARE @a INT; DECLARE @A INT": "`@A` is there already. (line 1, column 25)",
        "": "There is no statement.", "  -- nothing\n;;": "There is no statement.",
        ")": "Expected a statement, but found `)`. (line 1, column 1)",
    ]

    @Test(arguments: Array(refused))
    func `is refused with what it is and where`(script: String, words: String) {
        #expect(TransactFixture.refusal(script) == words, "\(script)")
    }

    @Test func `a script is not longer than its bound`() {
        let long = "SELECT '\(String(repeating: "x", count: 70_000))'"
        #expect(TransactFixture.refusal(long) == "The script has more than 65536 bytes.")
    }

    /// A quarter of what Linux gives a thread, whose end would end the process.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                body()
                continuation.resume()
            }
            thread.stackSize = 2 << 20
            thread.start()
        }
    }

    private static func nested(_ opening: String, _ inner: String, _ closing: String, _ times: Int) -> String {
        "SELECT id FROM todo WHERE " + String(repeating: opening, count: times) + inner
            + String(repeating: closing, count: times)
    }

    private static func deep(_ times: Int) -> [String] {
        func repeated(_ text: String, _ most: Int = .max) -> String { String(repeating: text, count: min(times, most)) }
        var scripts = [
            nested("(", "1 = 1", ")", times), nested("(", "1", ")", times), nested("NOT ", "1 = 1", "", times),
            nested("-", "price", " = 1", times), nested("- ", "1", "", times), nested("ABS(", "1", ")", times),
            nested("EXISTS (SELECT 1 FROM todo WHERE ", "1 = 1", ")", times),
            nested("CASE WHEN ", "1 = 1", " THEN 1 END = 1", times),
            nested("id IN (SELECT id FROM todo WHERE ", "1 = 1", ")", times),
            nested("(1 = 1 AND (", "price + 1 > 0", "))", times), nested("1 + (", "1", ") = 1", times),
        ]
        // What is nested is there several times in the statement, and so is all that it holds.
        scripts.append("SELECT " + repeated("DATEADD(month, 1, ") + "due" + repeated(")") + " FROM todo")
        scripts.append("SELECT " + repeated("SUBSTRING(title, ") + "1" + repeated(", 2)") + " FROM todo")
        scripts.append("SELECT MIN(" + repeated("LEFT(") + "title" + repeated(", 2)") + ") FROM todo GROUP BY title")
        scripts.append("SELECT 1" + repeated(" + price") + " FROM todo")
        scripts.append("SELECT id FROM todo WHERE 1 = 1" + repeated(" OR price = 2"))
        scripts.append("SELECT id FROM todo WHERE price IN (1" + repeated(",1") + ")")
        scripts.append("SELECT id FROM todo WHERE title IN ('1'" + repeated(",'a'", 15_000) + ")")
        scripts.append("SELECT 1" + repeated(" UNION SELECT 1"))
        scripts.append("SELECT * FROM " + repeated("(SELECT * FROM ") + "todo" + repeated(") x"))
        scripts.append("SELECT * FROM todo" + repeated(", todo"))
        scripts.append(repeated("IF 1 = 1 BEGIN ") + "SELECT 1" + repeated(" END"))
        scripts.append(repeated("IF 1 = 1 SELECT 1 ELSE ") + "SELECT 1")
        scripts.append("SELECT " + repeated("STUFF(") + "title" + repeated(", 1, 1, title)") + " FROM todo")
        scripts.append("SELECT " + repeated("ACOS(") + "price" + repeated(")") + " FROM todo")
        scripts.append("SELECT " + repeated("ROUND(") + "price" + repeated(", 2, 1)") + " FROM todo")
        scripts.append("SELECT 1 FROM todo t" + repeated(" FULL JOIN people ON 1 = 1"))
        scripts.append("SELECT 1 FROM todo t" + repeated(" RIGHT JOIN (SELECT 1 AS a) AS p ON p.a = 1"))
        scripts.append(
            "WITH c0 AS (SELECT * FROM todo)"
                + (0..<min(times, 500)).map { ", c\($0 + 1) AS (SELECT a.id FROM c\($0) a JOIN c\($0) b ON 1 = 1)" }
                .joined()
                + " SELECT * FROM c\(min(times, 500))")
        scripts += [repeated("SELECT 1;", 7_000), repeated("("), repeated("/*"), repeated("[")]
        return scripts
    }

    static let deep = [10, 39, 100, 5_000, 30_000].flatMap { deep($0) }

    @Test(arguments: deep)
    func `the deepest script needs no more than a quarter of a thread's stack`(script: String) async {
        await onSmallStack {
            for dialect in [SQLiteDialect(), PostgresDialect()] as [any TransactDialect] {
                _ = try? TransactFixture.translated(script, dialect)
            }
        }
    }

    @Test func `scripts of random words are refused or translated`() {
        let words = [
            "SELECT", "FROM", "todo", "WHERE", "(", ")", ",", "id", "title", "=", "'x'", "1", "AND", "OR", "NOT", "@p",
            "?", "*", "JOIN", "ON", "people", "UNION", "ORDER", "BY", "GROUP", "COUNT", "CASE", "WHEN", "THEN", "END",
            "UPDATE", "SET", "DELETE", "INSERT", "INTO", "VALUES", "IN", "LIKE", "IS", "NULL", "+", "-", ".", ";",
            "TOP",
            "IF", "BEGIN", "ELSE", "MERGE", "USING", "MATCHED", "OVER", "PARTITION", "ROW_NUMBER", "FULL", "RIGHT",
            "WITH",
            "TRUNCATE", "TABLE", "SQRT", "RETURN",
            "price", "due", "CAST", "AS", "INT", "OUTPUT", "INSERTED", "DELETED", "DATEADD", "day", "BETWEEN", "[", "]",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<3_000 {
            let start = [
                "SELECT id FROM todo WHERE", "UPDATE todo SET title =", "INSERT INTO todo (title)", "SELECT", "DELETE",
            ]
            let rest = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
                words.randomElement(using: &generator)
            }
            let script = ([start.randomElement(using: &generator) ?? ""] + rest).joined(separator: " ")
            _ = try? TransactFixture.translated(script, SQLiteDialect(), positional: ["a"], named: ["p": 1])
        }
    }
}
