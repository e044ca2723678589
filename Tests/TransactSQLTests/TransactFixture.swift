import Scalars
import TableSQL
import Tables
import Testing
import TransactSQL

/// Translates scripts over the tables of the tests, and keeps what a database would be asked.
struct TransactFixture: TransactConnection {
    /// What a database would have to run.
    final class Statements {
        var all: [SQLText] = []
    }

    enum Nothing: Error {}

    let statements = Statements()

    static let now = Instant(milliseconds: 1_795_262_400_000)

    static let people = table("people", [("name", .string), ("age", .number)])

    /// Its deleted rows stay, marked.
    private static let todo = table(
        "todo",
        [
            ("title", .string), ("note", .string), ("price", .number), ("count", .integer), ("done", .boolean),
            ("due", .date),
        ], softDelete: true)

    private static func table(_ name: String, _ columns: [(String, ColumnType)], softDelete: Bool = false) -> Table {
        var rules = TableRules()
        rules.softDelete = softDelete
        let own = columns.compactMap { column in Identifier(column.0).map { Column($0, column.1) } }
        guard let name = Identifier(name), own.count == columns.count else { fatalError("a name of the fixture") }
        return Table(name: name, columns: own, rules: rules)
    }

    func rows(of statement: SQLText, _ columns: [TransactColumn], _ take: ([Value]) -> Bool) throws(Nothing) {
        statements.all.append(statement)
    }

    func write(_ statement: SQLText) throws(Nothing) -> Int {
        statements.all.append(statement)
        return 0
    }

    /// The statements that a script comes to.
    static func translated(
        _ text: String, _ dialect: any TransactDialect, positional: [Value] = [], named: [String: Value] = [:]
    ) throws -> [SQLText] {
        let script = StatementScript(text, positional: positional, named: named)
        let context = TransactContext(script, now: now) { name in
            [todo, people].first { $0.name.text.lowercased() == name.lowercased() }
        }
        let fixture = TransactFixture()
        let read = try TransactScript(text)
        do {
            _ = try read.run(on: fixture, with: context, dialect: dialect)
        } catch .fault(let fault) {
            throw fault
        }
        return fixture.statements.all
    }

    /// Why a script is refused.
    static func refusal(_ text: String, positional: [Value] = [], named: [String: Value] = [:]) -> String {
        do {
            let made = try translated(text, SQLiteDialect(), positional: positional, named: named)
            return "not refused: \(made.map(\.text))"
        } catch {
            return "\(error)"
        }
    }
}
