import Foundation
import TableSQL
import Tables

/// What a writing thread does: its writes in transactions, again where one was given up, and one by one where one of
/// them fails all.
final class Writer {
    private let holder: ConnectionHolder
    private let catalog: TableCatalog
    private let reader: CatalogReader
    private let clock: Clock
    private let patience: Duration
    private let name = RandomID.make()
    private var transactions: Int64 = 0

    init(
        _ holder: ConnectionHolder, catalog: TableCatalog, reader: CatalogReader, clock: @escaping Clock,
        patience: Duration
    ) {
        self.holder = holder
        self.catalog = catalog
        self.reader = reader
        self.clock = clock
        self.patience = patience
    }

    /// How long the server is asked what became of a transaction whose commit was not answered.
    private static let longestDoubt = Duration.seconds(60)
    private static let pause = 0.05

    private enum Attempt {
        case done
        case again(PostgresFailure)
        /// One of the writes fails the others.
        case apart
        case refused(TableError)
    }

    func run(_ pending: [PendingWrite]) {
        let deadline = ContinuousClock.now + patience
        var attempts = 0
        while true {
            attempts += 1
            switch attempt(pending, number: attempts) {
            case .done:
                return
            case .again(let failure):
                guard ContinuousClock.now < deadline else { return refuse(pending, failure.tableError) }
                if attempts > 1 { Thread.sleep(forTimeInterval: Self.pause * Double.random(in: 0.5...1)) }
            case .apart:
                for write in pending { run([write]) }
                return
            case .refused(let error):
                return refuse(pending, error)
            }
        }
    }

    private func refuse(_ pending: [PendingWrite], _ error: TableError) {
        for write in pending { write.refuse(error) }
    }

    private func attempt(_ pending: [PendingWrite], number: Int) -> Attempt {
        let connection: PostgresConnection
        do throws(PostgresFailure) {
            connection = try holder.get()
        } catch {
            return number == 1 ? .refused(error.tableError) : .again(error)
        }
        var transaction: WriteTransaction?
        do throws(PostgresFailure) {
            transactions += 1
            let begun = try WriteTransaction(
                pending.map(\.write), on: connection, catalog: catalog, reader: reader, now: clock(),
                mark: TransactionMark(writer: name, number: transactions))
            transaction = begun
            try begun.execute()
            let outcomes = try begun.commit()
            deliver(outcomes, of: begun, to: pending)
            return .done
        } catch {
            guard case .lost = error else {
                connection.rollback()
                return next(after: error, on: connection, isSingle: pending.count == 1, isRepeated: number > 2)
            }
            holder.drop()
            guard let transaction else { return .again(error) }
            return settle(transaction, pending, after: error)
        }
    }

    private func deliver(
        _ outcomes: [Result<WrittenRow, TableError>], of transaction: WriteTransaction, to pending: [PendingWrite]
    ) {
        catalog.publish(transaction.changedTables)
        for (write, outcome) in zip(pending, outcomes) { write.deliver(outcome) }
    }

    /// What to do after an error of the server, which has undone the transaction.
    private func next(
        after failure: PostgresFailure, on connection: PostgresConnection, isSingle: Bool, isRepeated: Bool
    ) -> Attempt {
        guard case .refused(let state, _) = failure else { return .refused(failure.tableError) }
        switch state.meaning {
        case .collision, .lost:
            return .again(failure)
        case .stalePlan:
            connection.forgetStatements()
        case .staleCatalog:
            // Where this fails, so does the next attempt.
            try? reader.load(into: catalog, on: connection)
        case .unavailable, .full:
            return .refused(failure.tableError)
        case .failed:
            return isSingle ? .refused(failure.tableError) : .apart
        }
        // A second look repairs it or doesn't.
        if isRepeated { return isSingle ? .refused(failure.tableError) : .apart }
        return .again(failure)
    }

    /// Finds out what became of a transaction whose connection broke, by the mark that it leaves.
    private func settle(
        _ transaction: WriteTransaction, _ pending: [PendingWrite], after failure: PostgresFailure
    ) -> Attempt {
        let deadline = ContinuousClock.now + Self.longestDoubt
        while ContinuousClock.now < deadline {
            do throws(PostgresFailure) {
                let connection = try holder.get()
                guard try Self.wasCommitted(transaction, on: connection) else { return .again(failure) }
                deliver(try transaction.outcomes(by: connection), of: transaction, to: pending)
                return .done
            } catch {
                if case .lost = error { holder.drop() } else { holder.rollback() }
            }
            Thread.sleep(forTimeInterval: Self.pause)
        }
        return .refused(.unavailable(detail: "whether the write was done is not known: \(failure)"))
    }

    private static func wasCommitted(
        _ transaction: WriteTransaction, on connection: PostgresConnection
    ) throws(PostgresFailure) -> Bool {
        guard let mark = transaction.mark else { return false }
        // The server's process may not have noticed that its connection broke.
        _ = try connection.run(
            SQLText(
                text: """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_xid = xid($1::text::xid8)
                        AND (extract(epoch FROM xact_start) * 1000000)::int8 = $2::int8
                    """, bindings: [.text(transaction.process.transaction), .integer(transaction.process.start)]))
        // Whoever has the locks knows that the transaction is over, in one way or the other.
        let lock = SQLText(
            text:
                "SELECT 1 FROM zumod_tables WHERE name = ANY (string_to_array($1::text, ',')) ORDER BY name FOR UPDATE",
            bindings: [.text(transaction.lockedTables.joined(separator: ","))])
        let results = try connection.run(
            [SQLText(text: "BEGIN ISOLATION LEVEL READ COMMITTED", bindings: [])] + connection.localSettings
                + [lock, mark.find, SQLText(text: "COMMIT", bindings: [])])
        return results[results.count - 2].rowCount > 0
    }
}
