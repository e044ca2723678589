import TableSQL
public import Tables
import TransactSQL
import WorkThreads

extension PostgresTableStore: StatementStore {
    /// Runs on a thread of the pool, as lists do, and ends at their time limit. A script that writes takes the turns of
    /// its tables first, so that nobody writes between its statements, and is to the triggers another program.
    public func run(_ script: StatementScript) async throws(StatementError) -> [StatementResult] {
        let run = PostgresScriptRun(
            script: try ScriptRun(script, now: clock()), limit: pool.listLimit * script.patience)
        do throws(TableError) {
            try watch.check()
            guard !run.script.isReading else { return try await perform(run, by: script.asker) }
            // Scripts that write to a table take turns in any case, with whoever else writes to it behind them.
            let first = run.script.writtenTables(catalog.table(named:)).first
            let results = try await scriptTurns.run(of: first, patience: scriptPatience) { () throws(TableError) in
                try await perform(run, by: script.asker)
            }
            guard let results else { throw .busy }
            return results
        } catch {
            if let fault = run.script.fault { throw .refused(fault) }
            throw StatementError(error)
        }
    }

    private func perform(
        _ run: PostgresScriptRun, by asker: String
    ) async throws(TableError) -> [StatementResult] {
        try await pool.runList(by: asker) { [catalog, reader] connection throws(PostgresFailure) in
            // An answer must not lack a column that another server or program has added.
            try reader.refresh(catalog, on: connection)
            do throws(PostgresFailure) {
                return try run.run(on: connection, catalog)
            } catch {
                guard error.mayBeStale else { throw error }
                // Renamed or dropped, perhaps a moment ago. Nothing was committed.
                try reader.load(into: catalog, on: connection)
                return try run.run(on: connection, catalog)
            }
        }
    }
}

/// A script in a transaction of its own.
private struct PostgresScriptRun {
    let script: ScriptRun
    let limit: Duration

    /// The longest that one may keep others from writing to its tables, whatever its limit is.
    private static let longestWriting = Duration.seconds(10)

    /// May run again as a whole, where nothing was committed.
    func run(
        on connection: PostgresConnection, _ catalog: PostgresTableCatalog
    ) throws(PostgresFailure) -> [StatementResult] {
        let end = ContinuousClock.now + limit
        // A transaction is open still where something failed.
        defer { connection.rollback() }
        do throws(PostgresFailure) {
            try begin(on: connection, catalog)
            // From here on it may keep others waiting.
            let end = ContinuousClock.now + (script.isReading ? limit : min(limit, Self.longestWriting))
            let results = try script.run(
                on: PostgresScriptConnection(connection: connection, end: end), dialect: PostgresDialect(),
                catalog.table(named:))
            try commit(on: connection)
            return results
        } catch {
            if error.isTimeout { throw .table(.timeout) }
            if let away = script.awayTable { throw .table(.away(away)) }
            if case .lost = error, ContinuousClock.now >= end { throw .table(.timeout) }
            throw error
        }
    }

    private func begin(on connection: PostgresConnection, _ catalog: PostgresTableCatalog) throws(PostgresFailure) {
        guard !script.isReading else {
            _ = try connection.run([.beginReading] + connection.localSettings)
            return
        }
        // All in one order, so that no two scripts wait for each other.
        let turns = script.writtenTables(catalog.table(named:)).map {
            SQLText("SELECT 1 FROM zumod_tables WHERE name = $1::text FOR UPDATE", [.text($0.text)])
        }
        _ = try connection.run([.begin] + connection.writeSettings + turns)
    }

    private func commit(on connection: PostgresConnection) throws(PostgresFailure) {
        let result: PostgresResult
        do throws(PostgresFailure) {
            result = try connection.run("COMMIT")
        } catch {
            if case .lost(let detail) = error, !script.isReading { throw .table(.doubtful(detail: detail)) }
            throw error
        }
        guard result.command == "COMMIT" else { throw .table(.failed(detail: "the transaction was undone")) }
    }
}

/// What a script sees of the connection.
private struct PostgresScriptConnection: TransactConnection {
    let connection: PostgresConnection
    /// When the script has to be done.
    let end: ContinuousClock.Instant

    func rows(
        of statement: SQLText, _ columns: [TransactColumn], _ take: ([Value]) -> Bool
    ) throws(PostgresFailure) {
        _ = try connection.run([try rest(), statement], streamed: 1) { result in
            (0..<result.rowCount).allSatisfy { row in
                take(columns.indices.map { result.value(row, $0).typed(columns[$0].type) })
            }
        }
    }

    func write(_ statement: SQLText) throws(PostgresFailure) -> Int {
        // `UPDATE 5`, `INSERT 0 5`
        let result = try connection.run([try rest(), statement]).last
        return result?.command.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }

    /// What bounds the next statement by the time that is left.
    private func rest() throws(PostgresFailure) -> SQLText {
        let rest = (end - ContinuousClock.now).milliseconds
        guard rest > 0 else { throw .table(.timeout) }
        return SQLText("SELECT set_config('statement_timeout', $1::text, true)", [.text(String(rest))])
    }
}

extension StatementError {
    /// What PostgreSQL says of values is said of the script.
    fileprivate init(_ error: TableError) {
        if case .refused(.taken, let detail) = error {
            self = .duplicate(detail: detail)
            return
        }
        guard error.isOfTheStatement, let state = error.detail.wholeMatch(of: /PostgreSQL (.....): (.*)/) else {
            self = .store(error)
            return
        }
        switch state.1 {
        // Values out of range, and more rows of a subquery than one.
        case _ where state.1.hasPrefix("22") || state.1 == "21000":
            self = .refused(StatementFault("The database refuses the values: \(state.2)."))
        default: self = .store(error)
        }
    }
}
