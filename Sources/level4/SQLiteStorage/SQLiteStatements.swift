import TableSQL
public import Tables
import TransactSQL
import WorkThreads

extension SQLiteTableStore: StatementStore {
    /// Reads on a thread of the pool as lists do; writes on the writer's thread, in a commit of its own. Both end at
    /// the time limit of lists; one that writes ends sooner where others wait to write, and has turns with other
    /// scripts.
    public func run(_ script: StatementScript) async throws(StatementError) -> [StatementResult] {
        let run = try ScriptRun(script, now: clock())
        do throws(TableError) {
            return run.isReading ? try await read(run, of: script) : try await write(run, of: script)
        } catch {
            if let fault = run.fault { throw .refused(fault) }
            // The latter are SQLite's words of a sum.
            if case .failed(let detail) = error,
                detail.hasSuffix(SQLiteFunctions.noResult) || detail.hasSuffix("integer overflow")
            {
                throw .refused(StatementFault("The database refuses the values: \(SQLiteFunctions.noResult)."))
            }
            if case .refused(.taken, let detail) = error { throw .duplicate(detail: detail) }
            throw .store(error)
        }
    }

    private func read(
        _ run: ScriptRun, of script: StatementScript
    ) async throws(TableError) -> [StatementResult] {
        for _ in 1...20 {
            if let results = try await readOnce(run, by: script.asker) { return results }
            try await writer.look()
        }
        throw .unavailable(detail: "the tables change faster than they can be read")
    }

    /// - Returns: nil where another program has changed tables since they were looked at.
    private func readOnce(_ run: ScriptRun, by asker: String) async throws(TableError) -> [StatementResult]? {
        try await readInPool(by: asker, limit: queryTimeLimit) { [catalog] connection throws(TableError) in
            // One transaction, so that all statements see one snapshot.
            try connection.run("BEGIN")
            defer { if connection.isInTransaction { try? connection.run("ROLLBACK") } }
            guard catalog.isOf(try connection.schemaVersion()) else { return nil }
            return try run.run(on: connection) { catalog.table(named: $0) }
        }
    }

    private func write(
        _ run: ScriptRun, of script: StatementScript
    ) async throws(TableError) -> [StatementResult] {
        let (limit, isOperators) = (queryTimeLimit * script.patience, script.isOperators)
        let results = try await scriptTurns.run(of: true, patience: scriptPatience) { [writer] () throws(TableError) in
            // SQLite undoes the whole transaction where a statement is stopped.
            try await writer.write(.alone) { [weak writer] session throws(TableError) in
                let ticket = QueueTicket(of: "", limit: limit, disconnect: nil)
                let isAwaited = { writer?.isAwaited ?? true }
                return try session.withNumbers { () throws(TableError) in
                    try session.connection.withScriptLimit(
                        of: ticket, isOperators: isOperators, isAwaited: isAwaited
                    ) { () throws(TableError) in
                        try session.connection.asOtherProgram { () throws(TableError) in
                            try run.run(on: session.connection) { session.servedTable(named: $0) }
                        }
                    }
                }
            }
        }
        guard let results else { throw .busy }
        return results
    }
}

extension ScriptRun {
    fileprivate func run(
        on connection: SQLiteConnection, table: @escaping (Identifier) -> Table?
    ) throws(TableError) -> [StatementResult] {
        do throws(TableError) {
            return try run(on: SQLiteScriptConnection(connection: connection), dialect: SQLiteDialect(), table)
        } catch {
            throw fault == nil ? awayTable.map { .away($0) } ?? error : error
        }
    }
}

/// What a script sees of the connection.
private struct SQLiteScriptConnection: TransactConnection {
    let connection: SQLiteConnection

    func rows(
        of statement: SQLText, _ columns: [TransactColumn], _ take: ([Value]) -> Bool
    ) throws(TableError) {
        try with(statement) { cursor throws(TableError) in
            while try cursor.step(),
                take(columns.indices.map { cursor.value(of: Int32($0)).typed(columns[$0].type) })
            {}
        }
    }

    /// Lends a bound statement. A long one, such as an INSERT of many rows, is hardly met again and not kept.
    private func with(
        _ statement: SQLText, _ body: (SQLiteStatement) throws(TableError) -> Void
    ) throws(TableError) {
        guard statement.text.utf8.count > Self.longestKept else {
            return try connection.withStatement(statement, body)
        }
        let made = try connection.prepared(statement.text)
        defer { made.reset() }
        try made.bind(statement.bindings)
        try body(made)
    }

    private static let longestKept = 8 << 10

    func write(_ statement: SQLText) throws(TableError) -> Int {
        try with(statement) { cursor throws(TableError) in while try cursor.step() {} }
        var count = 0
        // Without what the triggers changed.
        try connection.query("SELECT changes()") { count = Int($0.integer(at: 0)) }
        return count
    }
}

extension SQLiteStatement {
    /// A cell as it is kept. Infinities are no values.
    fileprivate func value(of column: Int32) -> Value {
        switch kind(at: column) {
        case .null: .null
        case .integer: .integer(integer(at: column))
        case .number: number(at: column).isFinite ? .number(number(at: column)) : .null
        case .text, .blob: .text(string(at: column))
        }
    }
}
