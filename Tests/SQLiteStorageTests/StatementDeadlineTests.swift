import Tables
import Testing

@testable import SQLiteStorage

@Suite struct `Deadlines of statements` {
    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    @Test func `a statement that takes too long is given up, and the connection works on`() throws {
        let connection = try SQLiteConnection(.memory, role: .writer)
        #expect(throws: TableError.unavailable(detail: "SQLite 9: interrupted")) {
            try connection.within(.milliseconds(20)) { () throws(TableError) in try connection.run(Self.endless) }
        }
        var answer: Int64 = 0
        try connection.query("SELECT count(*) FROM (\(Self.endless.replacing("max(i)", with: "i")) LIMIT 10000)") {
            answer = $0.integer(at: 0)
        }
        #expect(answer == 10_000)
    }
}
