import Synchronization
import TableSQL
import Tables

/// The marks of a table's transactions. The next transaction begins only when the outcome of the last is known.
final class TransactionMarks: Sendable {
    // Never from a test's own numbers: in a copy of a database an old writer's marks are still there.
    private let writer = RandomID.make(.random(in: .min ... .max), .random(in: .min ... .max))
    private let count = Atomic<Int64>(0)

    func next() -> TransactionMark {
        TransactionMark(writer: writer, number: count.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}

/// What a writer's transaction leaves in the database if it is committed: the writer's name, and the transaction's
/// number among the writer's own.
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

    /// The statement that returns a row if the mark is there.
    var find: SQLText {
        SQLText(
            text: "SELECT 1 FROM zumod_writers WHERE id = $1::text AND last_transaction = $2::int8",
            bindings: [.text(writer), .integer(number)])
    }
}
