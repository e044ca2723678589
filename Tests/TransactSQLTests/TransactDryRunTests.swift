import TableSQL
import Tables
import Testing
import TransactSQL

/// What would become of scripts that nobody runs.
@Suite("Trials of T-SQL")
struct TransactDryRunTests {
    private static func fault(
        of text: String, on dialect: any TransactDialect, prefixesSystemColumns: Bool = false
    ) -> String? {
        TransactDryRun.fault(of: text, on: dialect, prefixesSystemColumns: prefixesSystemColumns) { name in
            name.lowercased() == "people" ? TransactFixture.people : nil
        }?.description
    }

    private static let dialects: [any TransactDialect] = [SQLiteDialect(), PostgresDialect()]

    @Test(arguments: [
        "SELECT name FROM people WHERE age > @least AND name = @name", "SELECT TOP (@n) * FROM people ORDER BY age",
        "INSERT INTO people (id, name, age) VALUES (?, ?, ?)", "UPDATE people SET age = age + ? WHERE name LIKE ?",
        "DECLARE @a int = 1, @b nvarchar(10); SELECT @a, @b, @c FROM people WHERE age = @a",
        "SET @x = 1", "DELETE FROM people WHERE id = @id; SELECT COUNT(*) FROM people",
    ])
    func `take any parameters`(text: String) {
        for dialect in Self.dialects {
            let fault = Self.fault(of: text, on: dialect)
            if text.hasPrefix("SET") {
                #expect(fault?.contains("@x") == true)
            } else {
                #expect(fault == nil, "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("SELECT name FROM nowhere", "There is no table `nowhere`. (line 1, column 18)"),
        ("SELECT wrong FROM people", "wrong"), ("SELECT name FROM", "the end"), ("DROP TABLE people", "DROP"),
    ])
    func `tell why a script would be refused`(text: String, words: String) {
        for dialect in Self.dialects {
            #expect(Self.fault(of: text, on: dialect)?.contains(words) == true, "\(text)")
        }
    }

    @Test(arguments: [
        (
            "SELECT createdAt FROM people",
            "There is no column `createdAt`; the server's is `__createdAt`. (line 1, column 8)"
        ),
        (
            "SELECT 1 FROM people WHERE EXISTS (SELECT 1 FROM people p WHERE p.Version > 1)",
            "There is no column `Version`; the server's is `__version`."
        ),
        (
            "INSERT INTO people (updatedAt) VALUES (1)",
            "There is no column `updatedAt` in `people`; the server's is `__updatedAt`. (line 1, column 21)"
        ),
        (
            "SELECT deleted FROM (SELECT id FROM people) q",
            "There is no column `deleted`. (line 1, column 8)"
        ),
    ])
    func `take no plain name for a column of the server's in Mobile Services`(text: String, words: String) {
        for dialect in Self.dialects {
            #expect(Self.fault(of: text, on: dialect, prefixesSystemColumns: true)?.contains(words) == true, "\(text)")
        }
    }
}
