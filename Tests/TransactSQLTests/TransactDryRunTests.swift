import TableSQL
import Tables
import Testing
import TransactSQL

/// What would become of scripts that nobody runs.
@Suite("Trials of T-SQL")
struct TransactDryRunTests {
    private static func fault(of text: String, on dialect: any TransactDialect) -> String? {
        TransactDryRun.fault(of: text, on: dialect, prefixesSystemColumns: false) { name in
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
}
