import Foundation
import StoreMetrics
import TableSQL
import Tables

/// What a writing thread does: it performs writes in transactions, again if one was aborted, and individually if one
/// write makes all of them fail.
final class Writer {
    private let connections: ConnectionPool
    private let settings: PostgresSettings
    private let catalog: PostgresTableCatalog
    private let reader: CatalogReader
    private let marks: TransactionMarks
    private let clock: Clock

    init(
        _ connections: ConnectionPool, _ settings: PostgresSettings, catalog: PostgresTableCatalog,
        reader: CatalogReader,
        _ marks: TransactionMarks, clock: @escaping Clock
    ) {
        self.connections = connections
        self.settings = settings
        self.catalog = catalog
        self.reader = reader
        self.marks = marks
        self.clock = clock
    }

    private static let pause = 0.05

    private enum Attempt {
        case done
        case again(PostgresFailure)
        case locked(reason: String)
        /// It isn't known yet whether it was committed. Its callers have been answered.
        case doubt(WriteTransaction)
        /// One of the writes makes the others fail.
        case apart
        case refused(TableError)
    }

    /// Does a table's work.
    /// - Returns: the rest of it.
    func run(_ work: WriteQueue.Schedule.Work) -> WriteQueue.Schedule.Rest {
        assert(work.doubt == nil || work.writes.isEmpty, "nothing is written to a table while it is in doubt")
        let deadline = ContinuousClock.now + settings.patience
        if let doubt = work.doubt {
            assert(doubt.mayBeCommitted && doubt.mark != nil, "only a commit that was asked for is in doubt")
            let settlement = settle(doubt, until: min(deadline, ContinuousClock.now + .seconds(2)))
            if case .unknown = settlement { return .doubt(doubt, 0) }
            catalog.publish(settlement.isCommitted ? doubt.changedTables : [:])
            return .nothing
        }
        return run(work.writes.map(\.write), until: deadline)
    }

    private func run(
        _ pending: [PostgresPendingWrite], until deadline: ContinuousClock.Instant
    ) -> WriteQueue.Schedule.Rest {
        var attempts = 0
        while true {
            attempts += 1
            switch attempt(pending, number: attempts, until: deadline) {
            case .done:
                return .nothing
            case .again(let failure):
                guard ContinuousClock.now < deadline else {
                    refuse(pending, failure.tableError)
                    return .nothing
                }
                if attempts > 1 { Thread.sleep(forTimeInterval: Self.pause * Double.random(in: 0.5...1)) }
            case .locked(let reason):
                return .locked(pending.count, reason: reason)
            case .doubt(let transaction):
                return .doubt(transaction, 0)
            case .apart:
                return runApart(pending, until: deadline)
            case .refused(let error):
                refuse(pending, error)
                return .nothing
            }
        }
    }

    private func runApart(
        _ pending: [PostgresPendingWrite], until deadline: ContinuousClock.Instant
    ) -> WriteQueue.Schedule.Rest {
        assert(pending.count > 1, "a write that fails alone is refused")
        for (index, write) in pending.enumerated() {
            let others = pending.count - index - 1
            switch run([write], until: deadline) {
            case .nothing: continue
            case .locked(let count, let reason): return .locked(count + others, reason: reason)
            case .doubt(let transaction, let count): return .doubt(transaction, count + others)
            }
        }
        return .nothing
    }

    private func refuse(_ pending: [PostgresPendingWrite], _ error: TableError) {
        for write in pending { write.refuse(error) }
    }

    private func attempt(
        _ pending: [PostgresPendingWrite], number: Int, until deadline: ContinuousClock.Instant
    ) -> Attempt {
        assert(!pending.isEmpty, "a transaction has a write")
        let connection: PostgresConnection
        do throws(PostgresFailure) {
            connection = try connections.take(.writing, until: deadline)
        } catch {
            return number == 1 ? .refused(error.tableError) : .again(error)
        }
        connection.deadline = deadline
        var transaction: WriteTransaction?
        let failure: PostgresFailure
        do throws(PostgresFailure) {
            let begun = try WriteTransaction(
                pending.map(\.write), on: connection, catalog: catalog, reader: reader, now: clock(),
                mark: marks.next(of: pending[0].write.table))
            transaction = begun
            try begun.execute()
            let outcomes = try begun.commit()
            connections.giveBack(connection, from: .writing)
            settings.watch.committed(writes: pending.count)
            deliver(outcomes, of: begun, to: pending)
            return .done
        } catch {
            defer { connections.giveBack(connection, from: .writing) }
            settings.watch.failedToCommit()
            guard case .lost = error else {
                connection.rollback()
                return next(after: error, on: connection, pending, isRepeated: number > 2)
            }
            failure = error
        }
        guard let transaction else { return .again(failure) }
        return settle(transaction, pending, after: failure, until: deadline)
    }

    private func deliver(
        _ outcomes: [Result<PostgresRowWriteResult, TableError>], of transaction: WriteTransaction,
        to pending: [PostgresPendingWrite]
    ) {
        assert(transaction.mayBeCommitted, "nothing is published before the commit")
        assert(outcomes.count == pending.count, "each write has an outcome")
        catalog.publish(transaction.changedTables)
        for (write, outcome) in zip(pending, outcomes) { write.deliver(outcome) }
    }

    /// Returns what to do after an error of the server, which has rolled the transaction back.
    private func next(
        after failure: PostgresFailure, on connection: PostgresConnection, _ pending: [PostgresPendingWrite],
        isRepeated: Bool
    ) -> Attempt {
        guard case .refused(let state, _) = failure else { return .refused(failure.tableError) }
        let isSingle = pending.count == 1
        switch state.meaning {
        case .collision, .lost:
            return .again(failure)
        case .locked:
            return .locked(reason: look(atLocksOf: pending.first?.write.table, on: connection))
        case .stalePlan:
            connection.forgetStatements()
        case .staleCatalog:
            // If this fails, so does the next attempt.
            try? reader.load(into: catalog, on: connection)
        case .unavailable, .full:
            return .refused(failure.tableError)
        case .failed:
            return isSingle ? .refused(failure.tableError) : .apart
        }
        // A second attempt either repairs it or doesn't.
        if isRepeated { return isSingle ? .refused(failure.tableError) : .apart }
        return .again(failure)
    }

    private func endSilent(on connection: PostgresConnection) throws(PostgresFailure) {
        let ended = try connection.run(ServerNumber.endSilent)
        for row in 0..<ended.rowCount {
            settings.report(
                .warning(
                    """
                    the session \(ended.integer(row, 0)) of another server was ended: it held locks, and its \
                    server has said nothing for \(ended.integer(row, 2)) s
                    """))
        }
    }

    /// Ends the transactions of servers that have gone silent, and finds out who else holds a table's turn.
    private func look(atLocksOf table: Identifier?, on connection: PostgresConnection) -> String {
        do throws(PostgresFailure) {
            settings.databaseClock.look(try connection.run("SELECT \(DatabaseClock.reading)").integer(0, 0))
            if settings.databaseClock.isSteady() { try endSilent(on: connection) }
            guard let table else { return "a lock is held" }
            for question in [LockHolder.ofRelation, LockHolder.ofTurn, LockHolder.ofRow] {
                let holder = try connection.run(question(table, settings.lockPatience))
                guard holder.rowCount > 0 else { continue }
                return "a lock that writing to \(table) needs is held by \(holder.string(0, 0))"
            }
            return "a lock that writing to \(table) needs is held by another session"
        } catch {
            connection.rollback()
            return "a lock is held by another session"
        }
    }
}

extension Writer {
    private enum Settlement {
        case committed([Result<PostgresRowWriteResult, TableError>])
        case notCommitted
        case unknown

        var isCommitted: Bool {
            if case .committed = self { true } else { false }
        }
    }

    /// Finds out the outcome of a transaction whose connection broke, while its callers wait.
    private func settle(
        _ transaction: WriteTransaction, _ pending: [PostgresPendingWrite], after failure: PostgresFailure,
        until deadline: ContinuousClock.Instant
    ) -> Attempt {
        while ContinuousClock.now < deadline {
            switch settle(transaction, until: deadline) {
            case .committed(let outcomes):
                deliver(outcomes, of: transaction, to: pending)
                return .done
            case .notCommitted:
                return .again(failure)
            case .unknown:
                Thread.sleep(forTimeInterval: Self.pause)
            }
        }
        // Without a commit request, it will never be committed.
        guard transaction.mayBeCommitted else { return .refused(failure.tableError) }
        refuse(pending, .doubtful(detail: "whether the write was done is not known: \(failure.words)"))
        return .doubt(transaction)
    }

    /// Looks once for the mark that the transaction leaves when it is committed.
    private func settle(_ transaction: WriteTransaction, until deadline: ContinuousClock.Instant) -> Settlement {
        do throws(PostgresFailure) {
            let connection = try connections.take(.writing, until: deadline)
            defer { connections.giveBack(connection, from: .writing) }
            connection.deadline = deadline
            do throws(PostgresFailure) {
                guard try Self.wasCommitted(transaction, on: connection) else { return .notCommitted }
                return .committed(try transaction.outcomes(by: connection))
            } catch {
                connection.rollback()
                return .unknown
            }
        } catch {
            return .unknown
        }
    }

    private static func wasCommitted(
        _ transaction: WriteTransaction, on connection: PostgresConnection
    ) throws(PostgresFailure) -> Bool {
        guard let mark = transaction.mark else { return false }
        // The server's process may not have noticed that its connection broke.
        _ = try connection.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_xid = xid($1::text::xid8)
                AND (extract(epoch FROM xact_start) * 1000000)::int8 = $2::int8
            """, [.text(transaction.process.transaction), .integer(transaction.process.start)])
        // Once these locks can be taken, the transaction is over, one way or the other.
        let lock = SQLText(
            "SELECT 1 FROM zumod_tables WHERE name = ANY (string_to_array($1::text, ',')) ORDER BY name FOR UPDATE",
            [.text(transaction.lockedTables.joined(separator: ","))])
        let results = try connection.run(
            [.begin] + connection.writeSettings + [lock, mark.find, .commit])
        return results[results.count - 2].rowCount > 0
    }
}
