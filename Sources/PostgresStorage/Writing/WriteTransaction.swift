import OData
import TableSQL
import Tables

/// A transaction that writes rows: it holds the lock of each of its tables until the commit, so that the stamps and
/// versions that it takes become visible in their order.
///
/// Used by one thread at a time, and for one attempt.
///
/// Sendable without the compiler's proof: it goes to another thread only through the schedule, whose lock is between.
final class WriteTransaction: @unchecked Sendable {
    /// Whether the server was asked to commit, so that it may have done so.
    private(set) var mayBeCommitted = false
    /// By which the server can be asked later whether the transaction was committed.
    let mark: TransactionMark?
    /// By which the server's process can be found, should it outlive its connection.
    let process: (transaction: String, start: Int64)
    /// The tables that are locked, as the database spells them.
    let lockedTables: [String]
    private let connection: PostgresConnection
    private let catalog: TableCatalog
    /// The next stamp of each table.
    private var stamps: [Identifier: Instant] = [:]
    /// The versions that are left, the next one last.
    private var versions: [Int64] = []
    /// The tables that the transaction made or widened.
    private(set) var changedTables: [Identifier: Table]
    private var outcomes: [Result<WrittenRow, TableError>?] = []
    /// When the transaction began.
    private let now: Instant
    private var writes: [RowWrite] = []

    /// Locks the tables of the writes and takes stamps and versions, in one round trip.
    ///
    /// - Parameters:
    ///   - mark: what the transaction leaves behind when it is committed; nil where it has begun already.
    ///   - made: tables that the transaction made before.
    init(
        _ writes: [RowWrite], on connection: PostgresConnection, catalog: TableCatalog, reader: CatalogReader,
        now: Instant, mark: TransactionMark?, made: [Identifier: Table] = [:]
    ) throws(PostgresFailure) {
        self.connection = connection
        self.catalog = catalog
        self.writes = writes
        self.mark = mark
        self.now = now
        changedTables = made
        outcomes = Array(repeating: nil, count: writes.count)
        var counts: [String: (name: Identifier, count: Int64)] = [:]
        for write in writes {
            let name = (made[write.table] ?? catalog.known(write.table))?.name ?? write.table
            counts[name.text, default: (name, 0)].count += 1
        }
        // Everybody locks in this order, so that nobody waits in a circle.
        let tables = counts.values.sorted { $0.name.text < $1.name.text }
        lockedTables = tables.map(\.name.text)
        var statements: [SQLText] = []
        if let mark {
            statements.append(SQLText(text: "BEGIN ISOLATION LEVEL READ COMMITTED", bindings: []))
            statements += connection.writeSettings
            statements.append(mark.leave)
        }
        let first = statements.count
        for (name, count) in tables { statements.append(Self.takeStamps(of: name, count, now: now)) }
        statements.append(SQLText(text: Self.takeVersions, bindings: [.integer(Int64(max(writes.count, 1)))]))
        // The locks are held by now, so nobody does one of these writes at the same time.
        let once = writes.indices.filter { writes[$0].receipt?.isOnce == true }
        statements += once.compactMap { writes[$0].receipt?.find(now: now) }
        let results = try connection.run(statements)
        for (result, table) in zip(results[first...], tables) where result.rowCount > 0 {
            stamps[table.name] = Instant(milliseconds: result.integer(0, 0) - table.count + 1)
        }
        let numbers = results[first + tables.count]
        versions = (0..<numbers.rowCount).reversed().map { numbers.integer($0, 0) }
        process = (numbers.string(0, 2), numbers.integer(0, 3))
        if mark != nil, numbers.integer(0, 1) != catalog.epoch { try reader.load(into: catalog, on: connection) }
        for (index, kept) in zip(once, results[(first + tables.count + 1)...]) {
            guard let answer = KeptReceipt(kept)?.once, let table = catalog.known(writes[index].table) else { continue }
            outcomes[index] = WrittenRow(answer, found: nil, of: table).map { .success($0) }
        }
    }

    /// Does the writes. A write that fails by itself has its error among the outcomes; a statement that fails ends all.
    func execute() throws(PostgresFailure) {
        var steps: [Step] = []
        let repeated = Self.rowsNamedTwice(in: writes)
        var firstTimes: [[UInt8]: Int] = [:]
        for (index, write) in writes.enumerated() where outcomes[index] == nil {
            if let receipt = write.receipt, receipt.isOnce,
                let first = firstTimes.updateValue(index, forKey: receipt.key)
            {
                try run(&steps)
                if case .success(let written)? = outcomes[first], written.outcome == .written {
                    outcomes[index] = .success(WrittenRow(repeating: written.source, of: written.table))
                    continue
                }
            }
            guard let table = changedTables[write.table] ?? catalog.known(write.table),
                let renewal = nextRenewal(of: table.name)
            else {
                outcomes[index] = .failure(.failed(detail: "no table \(write.table)"))
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
                try executeWidening(index, changes, renewal, in: table)
                continue
            }
            // Others of the batch may change the row afterwards, so it is looked at right now.
            let findsNow = write.id.map { repeated.contains(RowKey(table: table.name, id: $0)) } ?? false
            addStep(to: &steps, index, changes, renewal, in: table, findsNow: findsNow)
        }
        try run(&steps)
    }

    /// Commits, after finding the rows of which it is still open why they were not written.
    /// - Returns: what became of each write.
    func commit() throws(PostgresFailure) -> [Result<WrittenRow, TableError>] {
        try finish(on: connection, with: [SQLText(text: "COMMIT", bindings: [])])
    }

    /// What became of each write, where the transaction was committed but the answer got lost.
    func outcomes(by connection: PostgresConnection) throws(PostgresFailure) -> [Result<WrittenRow, TableError>] {
        try finish(on: connection, with: [])
    }

    private func finish(
        on connection: PostgresConnection, with end: [SQLText]
    ) throws(PostgresFailure) -> [Result<WrittenRow, TableError>] {
        let receipts = end.isEmpty ? [] : keepReceipts()
        var statements = receipts
        var asked: [(index: Int, table: Table, isOpen: Bool)] = []
        for index in writes.indices {
            guard let table = changedTables[writes[index].table] ?? catalog.known(writes[index].table) else {
                continue
            }
            let isOpen = outcomes[index] == nil
            do throws(QueryError) {
                if isOpen {
                    guard let find = try writes[index].findStatement(in: table, now: now) else {
                        outcomes[index] = writes[index].outcome(found: nil, in: table)
                        continue
                    }
                    statements.append(find)
                }
            } catch {
                outcomes[index] = .failure(TableError(error))
                continue
            }
            let receipt = isOpen || isRefused(index) ? writes[index].receipt : nil
            if let receipt { statements.append(receipt.find(now: now)) }
            if isOpen || receipt != nil { asked.append((index, table, isOpen)) }
        }
        if !end.isEmpty { mayBeCommitted = true }
        let results = statements.isEmpty && end.isEmpty ? [] : try connection.run(statements + end)
        if let last = results.last, !end.isEmpty, last.command != "COMMIT" {
            throw .lost(detail: "the commit was answered with \(last.command)")
        }
        var answers = results.dropFirst(receipts.count)
        for (index, table, isOpen) in asked {
            if isOpen { outcomes[index] = writes[index].outcome(found: answers.popFirst(), in: table) }
            guard writes[index].receipt != nil, let answer = answers.popFirst(), let kept = KeptReceipt(answer) else {
                continue
            }
            outcomes[index] = outcomes[index]?.map { $0.repeated(by: kept) ?? $0 }
        }
        return outcomes.map { $0 ?? .failure(.failed(detail: "a write without an outcome")) }
    }

    private func isRefused(_ index: Int) -> Bool {
        if case .success(let written)? = outcomes[index] { written.outcome != .written } else { false }
    }

    /// The statements that keep the receipts of what was written, and remove a few more than these of the past.
    private func keepReceipts() -> [SQLText] {
        var statements: [SQLText] = []
        var window: WriteReceipt?
        for index in writes.indices {
            guard case .success(let written)? = outcomes[index],
                let keep = writes[index].keepReceipt(of: written, now: now)
            else { continue }
            statements.append(keep)
            window = writes[index].receipt
        }
        if let window { statements.append(window.sweep(2 * statements.count + 8, now: now)) }
        return statements
    }
}

extension WriteTransaction {
    /// What one write sends.
    private struct Step {
        let index: Int
        let table: Table
        let statement: SQLText?
        var find: SQLText?
        var after: SQLText?
    }

    private struct RowKey: Hashable {
        let table: Identifier
        let id: RowID
    }

    /// Runs what has gathered, in one round trip.
    private func run(_ steps: inout [Step]) throws(PostgresFailure) {
        let statements = steps.flatMap { [$0.statement, $0.after, $0.find].compactMap(\.self) }
        guard !statements.isEmpty else {
            steps = []
            return
        }
        var results = try connection.run(statements)[...]
        for step in steps {
            let written = step.statement == nil ? nil : results.popFirst()
            if step.after != nil { _ = results.popFirst() }
            let found = step.find == nil ? nil : results.popFirst()
            if let written, written.rowCount > 0 {
                outcomes[step.index] = .success(WrittenRow(.written, of: step.table, written))
            } else if let found {
                outcomes[step.index] = writes[step.index].outcome(found: found, in: step.table)
            }
        }
        steps = []
    }

    /// Adds a write to those that go in the next round trip.
    private func addStep(
        to steps: inout [Step], _ index: Int, _ changes: RowChanges?, _ renewal: Renewal, in table: Table,
        findsNow: Bool
    ) {
        let write = writes[index]
        do throws(QueryError) {
            var step = Step(index: index, table: table, statement: try write.statement(changes, renewal, in: table))
            if findsNow { step.find = try write.findStatement(in: table, now: now) }
            if let number = write.explicitNumber { step.after = Self.skipNumbers(to: number, of: table.name) }
            steps.append(step)
        } catch {
            outcomes[index] = .failure(TableError(error))
        }
    }

    /// Does a write that adds columns, and adds none where it changes no row.
    private func executeWidening(
        _ index: Int, _ changes: RowChanges, _ renewal: Renewal, in table: Table
    ) throws(PostgresFailure) {
        let write = writes[index]
        let find: SQLText?
        do throws(QueryError) {
            find = try write.findStatement(in: table, now: now)
        } catch {
            outcomes[index] = .failure(TableError(error))
            return
        }
        if let find, let refusal = write.refusal(found: try connection.run(find), in: table) {
            outcomes[index] = refusal
            return
        }
        let before = changedTables
        if write.scope != nil { _ = try connection.run("SAVEPOINT widening") }
        guard let wider = try widen(table, by: changes.newColumns) else {
            outcomes[index] = .failure(.tooManyClientColumns(limit: catalog.limits.columns))
            return
        }
        var steps: [Step] = []
        addStep(to: &steps, index, changes, renewal, in: wider, findsNow: false)
        try run(&steps)
        if case .success = outcomes[index] { return }
        outcomes[index] = outcomes[index] ?? write.outcome(found: nil, in: table)
        guard write.scope != nil else { return }
        _ = try connection.run("ROLLBACK TO widening")
        changedTables = before
    }

    /// Adds columns that a client asks for, for this transaction at once and for everybody after its commit.
    /// - Returns: nil where they would be more than clients may add.
    private func widen(_ table: Table, by columns: [Column]) throws(PostgresFailure) -> Table? {
        let take = ClientColumnsStatement.take(
            columns.count, of: table.name, limit: catalog.limits.columns, dialect: PostgresDialect())
        guard try connection.run(take).rowCount > 0 else { return nil }
        var statements = AddedColumns.statements(columns, to: table.name)
        statements.append(SQLText(text: "UPDATE zumod_schema SET epoch = epoch + 1", bindings: []))
        _ = try connection.run(statements)
        let wider = table.adding(columns)
        changedTables[table.name] = wider
        return wider
    }

    private func nextRenewal(of table: Identifier) -> Renewal? {
        guard let stamp = stamps[table], let version = versions.popLast() else { return nil }
        stamps[table] = Instant(milliseconds: stamp.milliseconds + 1)
        return Renewal(version: Version(counter: version), stamp: stamp)
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

    /// `Stamp.next` for a number of writes, in the statement that locks the table: answers the last of the stamps.
    private static func takeStamps(of table: Identifier, _ count: Int64, now: Instant) -> SQLText {
        SQLText(
            text: """
                UPDATE zumod_tables SET last_stamp = greatest(last_stamp + 1, $1::int8) + $2::int8 - 1
                WHERE name = $3::text RETURNING last_stamp
                """, bindings: [.integer(now.milliseconds), .integer(count), .text(table.text)])
    }

    /// Runs after the tables are locked. The setting tells the triggers that the transaction has its turn.
    private static let takeVersions = """
        SELECT nextval('zumod_version'), (SELECT epoch FROM zumod_schema), (SELECT pg_current_xact_id()::text),
            (SELECT (extract(epoch FROM now()) * 1000000)::int8), (SELECT set_config('zumod.writes', 'on', true))
        FROM generate_series(1, $1::int8)
        """

    static func skipNumbers(to number: Int64, of table: Identifier) -> SQLText {
        let relation = "\"\(PostgresName.physical(table.text))\""
        return SQLText(
            text: """
                SELECT setval(numbers::regclass, $1::int8) FROM pg_get_serial_sequence($2::text, 'id') AS numbers
                WHERE $1::int8 > coalesce(pg_sequence_last_value(numbers::regclass), 0)
                """, bindings: [.integer(number), .text(relation)])
    }
}
