import Foundation
import TableSQL
import Tables

/// What a writing thread does: its writes in transactions, again where one was given up, and one by one where one of
/// them fails all.
struct Writer {
    let holder: ConnectionHolder
    let catalog: TableCatalog
    let reader: CatalogReader
    let clock: Clock
    let patience: Duration

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
            let begun = try WriteTransaction(
                pending.map(\.write), on: connection, catalog: catalog, reader: reader, now: clock())
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

    /// Finds out what became of a transaction whose connection broke: its number tells, whatever was written since.
    private func settle(
        _ transaction: WriteTransaction, _ pending: [PendingWrite], after failure: PostgresFailure
    ) -> Attempt {
        let deadline = ContinuousClock.now + Self.longestDoubt
        while ContinuousClock.now < deadline {
            do throws(PostgresFailure) {
                let connection = try holder.get()
                switch try Self.fate(of: transaction.transactionID, on: connection) {
                case .committed:
                    deliver(try transaction.outcomes(by: connection), of: transaction, to: pending)
                    return .done
                case .undone:
                    return .again(failure)
                case .open:
                    // The broken connection's process has not noticed yet. Without it the answer is final.
                    _ = try connection.run(
                        SQLText(
                            text: """
                                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                                WHERE backend_xid = xid($1::text::xid8)
                                """, bindings: [.text(transaction.transactionID)]))
                }
            } catch {
                if case .lost = error { holder.drop() }
            }
            Thread.sleep(forTimeInterval: Self.pause)
        }
        return .refused(.unavailable(detail: "whether the write was done is not known: \(failure)"))
    }

    private enum Fate {
        case committed, undone, open
    }

    private static func fate(of transaction: String, on connection: PostgresConnection) throws(PostgresFailure) -> Fate
    {
        do throws(PostgresFailure) {
            let result = try connection.run(
                SQLText(text: "SELECT pg_xact_status($1::text::xid8)", bindings: [.text(transaction)]))
            switch result.string(0, 0) {
            case "committed": return .committed
            case "in progress": return .open
            default: return .undone
            }
        } catch .refused(let state, let detail) {
            // A number that the server has yet to give: it took over before it heard of the transaction.
            if state.code == "22023" { return .undone }
            throw .refused(state, detail: detail)
        }
    }
}
