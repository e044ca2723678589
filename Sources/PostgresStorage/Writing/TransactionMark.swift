import TableSQL
import Tables

/// What a writer's transaction leaves in the database when it is committed, and only then: the writer's name and the
/// transaction's number among the writer's own. A writer begins its next only when it knows about the last.
struct TransactionMark {
    let writer: String
    let number: Int64

    /// The statement that leaves the mark.
    var leave: SQLText {
        SQLText(
            text: """
                INSERT INTO zumod_writers (id, last_transaction) VALUES ($1::text, $2::int8)
                ON CONFLICT (id) DO UPDATE SET last_transaction = excluded.last_transaction, written_at = now()
                """, bindings: [.text(writer), .integer(number)])
    }

    /// The statement that answers a row where the mark is there.
    var find: SQLText {
        SQLText(
            text: "SELECT 1 FROM zumod_writers WHERE id = $1::text AND last_transaction = $2::int8",
            bindings: [.text(writer), .integer(number)])
    }
}
