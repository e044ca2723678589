import Synchronization
import TableSQL
import Tables

/// The marks of the tables' transactions. A table's next transaction begins only when the outcome of its last is known.
final class TransactionMarks: Sendable {
    private let marks = Mutex<[Identifier: TransactionMark]>([:])

    func next(of table: Identifier) -> TransactionMark {
        marks.withLock { $0[table, default: TransactionMark()].next() }
    }
}

/// What a writer's transaction leaves in the database if it is committed: the writer's name, and the transaction's
/// number within the writer.
struct TransactionMark {
    // Never from a test's seeded numbers: a copy of a database still has the marks of earlier writers.
    private let writer = RandomID.make(.random(in: .min ... .max), .random(in: .min ... .max))
    private var number: Int64 = 0

    fileprivate mutating func next() -> TransactionMark {
        number += 1
        return self
    }

    /// The statement that leaves the mark.
    var leave: SQLText {
        SQLText(
            """
            INSERT INTO zumod_writers (id, last_transaction) VALUES ($1::text, $2::int8)
            ON CONFLICT (id) DO UPDATE SET last_transaction = excluded.last_transaction, written_at = now()
            """, [.text(writer), .integer(number)])
    }

    /// The statement that returns a row if the mark exists.
    var find: SQLText {
        SQLText(
            "SELECT 1 FROM zumod_writers WHERE id = $1::text AND last_transaction = $2::int8",
            [.text(writer), .integer(number)])
    }
}
