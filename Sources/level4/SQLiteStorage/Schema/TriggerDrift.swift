import ByteText
import Scalars
import TableSQL
import Tables

/// What is known of a table's triggers from one start to the next. Runs inside an open batch of the session.
struct TriggerDrift {
    let session: WriteSession
    let table: Identifier
    private var connection: SQLiteConnection { session.connection }

    /// The texts of the triggers as they were made, by their names.
    func recorded() throws(TableError) -> [ExactText: String] {
        try connection.texts("SELECT name, statement FROM zumod_triggers WHERE table_name = ?1", of: table)
    }

    /// Takes note of triggers as they are from now on.
    /// - Parameter text: nil where there is none any more.
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

    /// Which triggers another program removed or changed. Of a table of which nothing was recorded yet, those that tables
    /// had in every version.
    func names(
        recorded: [ExactText: String], found: [ExactText: String], wanted: SQLiteTriggers
    ) -> [String] {
        guard !recorded.isEmpty else { return wanted.stamping.filter { found[ExactText($0)] == nil } }
        return recorded.filter { name, text in
            guard let now = found[name] else { return true }
            return !now.isExactly(text) && !wanted.isFormer(name.text, now, of: table)
        }.keys.sorted().map(\.text)
    }

    /// Gives every row a new version and stamp, in the order of those that it has, and remembers why.
    /// - Parameters:
    ///   - names: the triggers that were lost.
    ///   - softDelete: whether deletes were to be seen.
    ///   - isTrial: whether all is taken back anyway, so that the rows need no touch.
    func mend(_ names: [String], softDelete: Bool, isTrial: Bool) throws(TableError) {
        try connection.note(lost: names, of: table, at: session.now)
        guard !isTrial else { return }
        let count = try connection.rowCount(of: table)
        guard let first = try session.renewals(max(count, 1), of: table) else {
            throw .failed(detail: "the database has a version beyond \(ImportRow.highestVersion.counter)")
        }
        // Triggers of other programs may write to the rows once more.
        try session.withNumbers { () throws(TableError) in
            try connection.run(RenewRowsStatement.sqlite(table, from: first))
        }
        if softDelete { try session.movePurgeFence(of: table, to: first.stamp) }
    }
}

extension SQLiteConnection {
    /// Texts by their names, as a statement about a table answers them.
    func texts(_ statement: String, of table: Identifier) throws(TableError) -> [ExactText: String] {
        let texts = try rows(statement, [.text(table.text)]).map { (ExactText($0.words(0)), $0.words(1)) }
        return Dictionary(texts) { _, last in last }
    }
}
