import OData
import Scalars
import TableSQL
import Tables

/// A transaction that writes rows and holds the lock of each of its tables until the commit.
///
/// Used by one thread at a time, and for one attempt.
///
/// Sendable without the compiler's proof: it reaches another thread only through the schedule, under its lock.
final class WriteTransaction: @unchecked Sendable {
    /// Whether the server was asked to commit, and so may have done so.
    var mayBeCommitted = false
    /// For asking the server later whether the transaction was committed.
    let mark: TransactionMark?
    /// The locked tables, as the database spells them.
    let lockedTables: [String]
    let connection: PostgresConnection
    let catalog: PostgresTableCatalog
    /// The tables that the transaction has created or extended.
    var changedTables: [Identifier: Table]
    /// The relations of tables that the transaction has extended. Those of tables that it created aren't known.
    var changedRelations: [Identifier: Int64] = [:]
    /// The outcome of each write, as far as it is known.
    var outcomes: [Result<PostgresRowWriteResult, TableError>?]
    let writes: [RowWrite]
    /// When the transaction began.
    let now: Instant
    private var turn: WriteTurn

    /// Locks the tables of the writes and takes stamps and versions, in one round trip.
    ///
    /// - Parameters:
    ///   - mark: left in the database if the transaction is committed; nil if the transaction has already begun.
    ///   - made: tables that the transaction has already created.
    init(
        _ writes: [RowWrite], on connection: PostgresConnection, catalog: PostgresTableCatalog, reader: CatalogReader,
        now: Instant, mark: TransactionMark?, made: [Identifier: Table] = [:]
    ) throws(PostgresFailure) {
        self.connection = connection
        self.catalog = catalog
        self.writes = writes
        self.mark = mark
        self.now = now
        changedTables = made
        var outcomes = [Result<PostgresRowWriteResult, TableError>?](repeating: nil, count: writes.count)
        var batch = StatementBatch()
        if let mark {
            batch.add(.begin)
            batch.add(connection.writeSettings)
            batch.add(mark.leave)
        }
        let names = writes.map { (made[$0.table] ?? catalog.known($0.table))?.name ?? $0.table }
        let request = WriteTurn.Request(names, now: now, in: &batch)
        // The locks are held now, so no other transaction can do one of these writes at the same time.
        var once: [(index: Int, kept: StatementBatch.Place<IdempotencyRecord?>)] = []
        for (index, write) in writes.enumerated() {
            guard let receipt = write.receipt, receipt.isOnce else { continue }
            once.append((index, batch.add(receipt.find(now: now)) { IdempotencyRecord($0) }))
        }
        let answers = try batch.run(on: connection)
        turn = request.turn(by: answers)
        lockedTables = request.tables
        if mark != nil, turn.epoch != catalog.epoch { try reader.load(into: catalog, on: connection) }
        for (index, kept) in once {
            guard let answer = answers[kept]?.once, let table = catalog.known(writes[index].table) else { continue }
            outcomes[index] = PostgresRowWriteResult(answer, found: nil, of: table).map { .success($0) }
        }
        self.outcomes = outcomes
    }

    /// For finding the server's process if it outlives its connection.
    var process: (transaction: String, start: Int64) { turn.process }

    /// Performs the writes. A write that fails on its own has its error among the outcomes; a failing statement ends
    /// all of them.
    func execute() throws(PostgresFailure) {
        var steps = WriteSteps()
        let repeated = Self.rowsNamedTwice(in: writes)
        var firstTimes: [[UInt8]: Int] = [:]
        for (index, write) in writes.enumerated() where outcomes[index] == nil {
            if let receipt = write.receipt, receipt.isOnce,
                let first = firstTimes.updateValue(index, forKey: receipt.key)
            {
                try run(&steps)
                if case .success(let written)? = outcomes[first], written.outcome == .written {
                    outcomes[index] = .success(PostgresRowWriteResult(repeating: written.source, of: written.table))
                    continue
                }
            }
            guard let (table, relation) = table(of: write), let renewal = turn.nextRenewal(of: table.name) else {
                outcomes[index] = .failure(.failed(detail: "no table \(write.table)"))
                continue
            }
            if table.isAway {
                outcomes[index] = .failure(.away(table.name))
                continue
            }
            let changes: RowChanges?
            do throws(TableError) {
                changes = try write.changes(by: table)
            } catch {
                outcomes[index] = .failure(error)
                continue
            }
            if let changes, !changes.newColumns.isEmpty {
                try run(&steps)
                try executeWidening(index, changes, renewal, in: table, relation)
                continue
            }
            // Others of the batch may change the row later, so it is read immediately.
            let findsNow = write.id.map { repeated.contains(RowKey(table: table.name, id: $0)) } ?? false
            add(index, to: &steps, changes, renewal, in: table, relation, findsNow: findsNow)
        }
        try run(&steps)
    }

    /// Returns the table of a write as the transaction sees it, with its relation if that is known.
    func table(of write: RowWrite) -> (table: Table, relation: Int64?)? {
        if let table = changedTables[write.table] { return (table, changedRelations[write.table]) }
        return catalog.knownRelation(write.table)
    }

    /// Adds a write to the next round trip.
    func add(
        _ index: Int, to steps: inout WriteSteps, _ changes: RowChanges?, _ renewal: VersionBump, in table: Table,
        _ relation: Int64?, findsNow: Bool
    ) {
        do throws(QueryError) {
            try steps.add(
                writes[index], at: index, changes, renewal, in: table, relation: relation, findsRow: findsNow, now: now)
        } catch {
            outcomes[index] = .failure(TableError(error))
        }
    }

    /// Runs the added writes in one round trip.
    func run(_ steps: inout WriteSteps) throws(PostgresFailure) {
        try steps.run(writes, on: connection) { outcomes[$0] = $1 }
    }

    private struct RowKey: Hashable {
        let table: Identifier
        let id: RowID
    }

    private static func rowsNamedTwice(in writes: [RowWrite]) -> Set<RowKey> {
        var once: Set<RowKey> = []
        var twice: Set<RowKey> = []
        for write in writes {
            guard let id = write.id else { continue }
            let key = RowKey(table: write.table, id: id)
            if !once.insert(key).inserted { twice.insert(key) }
        }
        return twice
    }
}
