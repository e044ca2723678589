import ByteText
import TableSQL
import Tables

/// The record of a table's triggers from one start to the next. Used inside a transaction.
struct SQLiteTriggerDrift {
    let connection: SQLiteConnection
    let table: Identifier

    /// Returns the current texts of the table's triggers, by name. All at once, as SQLite searches its whole schema for
    /// them.
    func found() throws(TableError) -> [ExactText: String] {
        try texts("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE")
    }

    /// Returns the recorded texts of the triggers, by name.
    func recorded() throws(TableError) -> [ExactText: String] {
        try texts("SELECT name, statement FROM zumod_triggers WHERE table_name = ?1")
    }

    /// Records the current state of a trigger.
    /// - Parameter text: nil if it no longer exists.
    func record(_ name: String, _ text: String?) throws(TableError) {
        guard let text else {
            return try connection.run(
                "DELETE FROM zumod_triggers WHERE table_name = ?1 AND name = ?2", [.text(table.text), .text(name)])
        }
        try connection.run(
            """
            INSERT INTO zumod_triggers (table_name, name, statement) VALUES (?1, ?2, ?3)
            ON CONFLICT (table_name, name) DO UPDATE SET statement = excluded.statement
            """, [.text(table.text), .text(name), .text(text)])
    }

    private func texts(_ statement: String) throws(TableError) -> [ExactText: String] {
        let texts = try connection.rows(statement, [.text(table.text)]).map { (ExactText($0.words(0)), $0.words(1)) }
        return Dictionary(texts) { _, last in last }
    }
}
