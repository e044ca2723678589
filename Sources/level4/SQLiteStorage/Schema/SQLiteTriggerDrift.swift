import ByteText
import Scalars
import TableSQL
import Tables

/// The record of a table's triggers from one start to the next. Used inside an open batch of the session.
struct SQLiteTriggerDrift {
    let session: WriteSession
    let table: Identifier
    private var connection: SQLiteConnection { session.connection }

    /// Returns the recorded texts of the triggers, by name.
    func recorded() throws(TableError) -> [ExactText: String] {
        try connection.texts("SELECT name, statement FROM zumod_triggers WHERE table_name = ?1", of: table)
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

    /// Returns the triggers that another program has removed or changed. If nothing was recorded for a table yet, those
    /// that every version created are expected.
    func names(
        recorded: [ExactText: String], found: [ExactText: String], wanted: SQLiteTriggers
    ) -> [String] {
        guard !recorded.isEmpty else { return wanted.stamping.filter { found[ExactText($0)] == nil } }
        return recorded.filter { name, text in
            guard let now = found[name] else { return true }
            return !now.isExactly(text) && !wanted.isFormer(name.text, now, of: table)
        }.keys.sorted().map(\.text)
    }

    /// Gives every row a new version and stamp, in their current order, and records why.
    /// - Parameters:
    ///   - names: the triggers that were lost.
    ///   - softDelete: whether deletes should have left tombstones.
    ///   - isTrial: whether everything is rolled back anyway, so that rows need no change.
    func mend(_ names: [String], softDelete: Bool, isTrial: Bool) throws(TableError) {
        try connection.note(lost: names, of: table, at: session.now)
        guard !isTrial else { return }
        let count = try connection.rowCount(of: table)
        guard let first = try session.renewals(max(count, 1), of: table) else {
            throw .failed(detail: "the database has a version beyond \(ImportRow.highestVersion.counter)")
        }
        // Triggers of other programs may write the rows again.
        try session.withNumbers { () throws(TableError) in
            try connection.run(RenewRowsStatement.sqlite(table, from: first))
        }
        if softDelete { try session.movePurgeFence(of: table, to: first.stamp) }
    }
}

extension SQLiteConnection {
    /// Returns texts by their names, from a statement about a table.
    func texts(_ statement: String, of table: Identifier) throws(TableError) -> [ExactText: String] {
        let texts = try rows(statement, [.text(table.text)]).map { (ExactText($0.words(0)), $0.words(1)) }
        return Dictionary(texts) { _, last in last }
    }
}
