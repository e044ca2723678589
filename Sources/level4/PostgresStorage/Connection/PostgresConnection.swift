import CPostgres
import Platform
import StoreMetrics
import TableSQL
import Tables

/// A connection to the server, used by one thread at a time. All calls block, until the deadline if there is one.
///
/// Sendable without the compiler's proof: only the caller that took it from the pool uses it, and the pool's lock
/// separates one caller from the next.
@safe final class PostgresConnection: @unchecked Sendable {
    /// When a call gives up, along with the connection: a late answer would be taken for that of the next call.
    var deadline: ContinuousClock.Instant?
    /// The limits of calls that should be short.
    var bound: SmallReadLimit?
    private var isAbandoned = false
    private let handle: OpaquePointer
    let settings: PostgresSettings
    private var prepared = PreparedStatements(capacity: PostgresConnection.statements)
    /// Stops the running statement, from another thread.
    let stop: StatementCancellation

    /// Enough for all operations on some dozen tables. Each takes about ten thousand bytes in a server process.
    private static let statements = 256

    /// How much unwanted data is read before the server is asked to stop, which takes a process there.
    private static let droppedBytes = 16 << 20

    init(_ address: PostgresAddress, _ settings: PostgresSettings) throws(PostgresFailure) {
        guard let handle = unsafe address.connect() else { throw .unreachable(detail: "out of memory") }
        unsafe self.handle = unsafe handle
        stop = unsafe StatementCancellation(of: handle)
        self.settings = settings
        guard unsafe PQstatus(handle) == CONNECTION_OK else { throw .unreachable(detail: message) }
        unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
        guard unsafe PQenterPipelineMode(handle) == 1, unsafe PQsetnonblocking(handle, 1) == 0 else {
            throw .unreachable(detail: message)
        }
        guard settings.keepsSessions else { return }
        deadline = ContinuousClock.now + settings.patience
        let note = try settings.commits.begin(isLocal: false) { column throws(PostgresFailure) in
            try run(sessionSettings(after: column))
        }
        deadline = nil
        if let note { settings.report(note) }
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// Whether the connection can be used for another call.
    var isAlive: Bool {
        unsafe !isAbandoned && PQstatus(handle) == CONNECTION_OK
    }

    /// Whether a kept session still has the settings it started with, as far as the server reports them: another
    /// program's trigger may have changed them beyond its transaction.
    var hasOwnSettings: Bool {
        guard settings.keepsSessions else { return true }
        return SessionSettings.reported.allSatisfy { name, value in
            guard let now = unsafe PQparameterStatus(handle, name) else { return true }
            return unsafe strcmp(now, value) == 0
        }
    }

    /// Makes the pool close the connection when it is given back.
    func giveUp() {
        isAbandoned = true
    }

    /// Aborts any wait for the server, from another thread.
    func cutOff() {
        _ = shutdown(unsafe PQsocket(handle), Int32(SHUT_RDWR))
    }

    /// Whether an idle connection can be used, as far as can be told without asking the server.
    /// - Parameter mayBeBroken: whether it has to be checked.
    func isUsable(mayBeBroken: Bool) -> Bool {
        guard isAlive, mayBeBroken else { return isAlive }
        // No query is pending, so data can only be the end of the connection, or the server's message about it.
        var socket = pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&socket, 1, 0)
        if count != 0 { isAbandoned = true }
        return isAlive
    }

    /// Runs statements in one round trip, each in its own transaction unless one is open, up to the first that fails.
    /// - Parameters:
    ///   - streamed: the index of a statement whose rows are passed on as they arrive, instead of in a result.
    ///   - take: receives some of these rows, and returns whether it wants more. If not, and there are many, the
    ///     statement is stopped, and failures after it don't matter.
    func run(
        _ statements: [SQLText], streamed: Int? = nil, to take: (PostgresResult) -> Bool = { _ in true }
    ) throws(PostgresFailure) -> [PostgresResult] {
        var results: [PostgresResult] = []
        results.reserveCapacity(statements.count)
        try run(statements, streamed: streamed, to: take) { _, result, _ in results.append(result) }
        return results
    }

    /// The same, without collecting the results.
    /// - Parameter each: receives each result as it arrives, with its statement's index and the time it took.
    private func run(
        _ statements: [SQLText], streamed: Int? = nil, to take: (PostgresResult) -> Bool = { _ in true },
        each: (Int, PostgresResult, Duration) -> Void
    ) throws(PostgresFailure) {
        do throws(PostgresFailure) {
            var expected: [String?] = []
            var stream: Int?
            for (number, statement) in statements.enumerated() {
                try send(statement, &expected)
                if number == streamed { stream = expected.count - 1 }
            }
            guard unsafe PQpipelineSync(handle) == 1 else { throw .lost(detail: message) }
            let start = ContinuousClock.now
            var times: [Duration] = []
            times.reserveCapacity(statements.count)
            // Even if one failed: a statement that reached its time limit took long.
            defer { tell(statements, times) }
            try flush()
            try receive(expected, stream, since: start, &times, take, each)
        } catch {
            // Statements that were sent can't be recalled, so the connection can't be used any more.
            if case .lost = error { isAbandoned = true }
            throw error
        }
    }

    /// Runs one statement.
    func run(_ statement: SQLText) throws(PostgresFailure) -> PostgresResult {
        guard let result = try run([statement]).first else { throw .lost(detail: "no answer") }
        return result
    }

    /// Runs one statement.
    func run(_ sql: String, _ bindings: [Value] = []) throws(PostgresFailure) -> PostgresResult {
        try run(SQLText(sql, bindings))
    }

    /// Runs SQL with several statements, all in one transaction.
    func run(script: String) throws(PostgresFailure) {
        // One of the released migrations folds the case of the schema's name.
        let script = script.replacing("current_schema()::regnamespace", with: CurrentSchema.oid)
        guard unsafe PQexitPipelineMode(handle) == 1 else { throw .lost(detail: message) }
        guard let answer = unsafe PQexec(handle, script) else { throw .lost(detail: message) }
        let result = unsafe PostgresResult(answer)
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw .lost(detail: message) }
        if let failure = unsafe failure(of: answer) { throw failure }
        _ = consume result
    }

    /// Runs reading statements in one transaction and one round trip.
    private func readingTransaction(
        _ statements: [SQLText], streamed: Int? = nil, to take: (PostgresResult) -> Bool = { _ in true }
    ) throws(PostgresFailure) -> [PostgresResult] {
        let begin = transactionBegin
        // It is still open if something failed, or if a stream was stopped.
        defer { rollback() }
        let results = try run(
            begin + statements + [.commit], streamed: streamed.map { begin.count + $0 }, to: take)
        return Array(results.dropFirst(begin.count).prefix(streamed ?? statements.count))
    }

    private var transactionBegin: [SQLText] { [.beginReading] + localSettings }

    /// Runs reading statements on one snapshot. A single one gets a transaction only if settings have to be applied.
    func read(_ statements: [SQLText]) throws(PostgresFailure) -> [PostgresResult] {
        if statements.count == 1, settings.keepsSessions { return try run(statements) }
        return try readingTransaction(statements)
    }

    /// Runs reading statements in one round trip, each on a snapshot that is no older than the call.
    /// - Parameter take: receives each result as it arrives, with its statement's index and the time it took.
    func readApart(
        _ statements: [SQLText], _ take: (Int, PostgresResult, Duration) -> Void
    ) throws(PostgresFailure) {
        if settings.keepsSessions { return try run(statements, each: take) }
        let begin = transactionBegin
        defer { rollback() }
        try run(begin + statements + [.commit]) { number, result, time in
            let place = number - begin.count
            if statements.indices.contains(place) { take(place, result, time) }
        }
    }

    /// Runs reading statements on one snapshot. The rows of the last one are passed on as they arrive, so they take no
    /// memory beyond what is made of them.
    /// - Returns: the results of the others.
    func read(
        _ statements: [SQLText], then last: SQLText, _ take: (PostgresResult) -> Bool
    ) throws(PostgresFailure) -> [PostgresResult] {
        if statements.isEmpty, settings.keepsSessions { return try run([last], streamed: 0, to: take) }
        return try readingTransaction(statements + [last], streamed: statements.count, to: take)
    }

    /// Runs writing statements in one transaction and one round trip; if one of them fails, all are rolled back.
    /// - Parameter settings: the statements that the transaction starts with.
    func transaction(_ statements: [SQLText], with settings: [SQLText]) throws(PostgresFailure) -> [PostgresResult] {
        defer { rollback() }
        let results = try run([.begin] + settings + statements + [.commit])
        return Array(results.dropFirst(1 + settings.count).dropLast())
    }

    /// Whether a transaction is open and hasn't failed.
    var isInTransaction: Bool {
        unsafe PQtransactionStatus(handle) == PQTRANS_INTRANS
    }

    /// Rolls back a failed transaction. A failure of this shows at the next use.
    func rollback() {
        if isAlive, unsafe PQtransactionStatus(handle) != PQTRANS_IDLE { _ = try? run("ROLLBACK") }
    }

    /// Discards all prepared statements, so that they are prepared again.
    func forgetStatements() {
        prepared.removeAll()
    }
}

extension PostgresConnection {
    /// Sends a statement, which is prepared if sessions are kept.
    /// - Parameter expected: the answers to come: the text of a statement for its preparation, nil for rows.
    private func send(_ statement: SQLText, _ expected: inout [String?]) throws(PostgresFailure) {
        let parameters = ParameterBytes(statement.bindings)
        guard settings.keepsSessions, PreparedStatements.takes(statement.text) else {
            let sent = unsafe parameters.withPointers { count, values, lengths, formats in
                unsafe PQsendQueryParams(handle, statement.text, count, nil, values, lengths, formats, 1)
            }
            guard sent == 1 else { throw .lost(detail: message) }
            expected.append(nil)
            return
        }
        let name = try name(of: statement.text, &expected)
        let sent = unsafe parameters.withPointers { count, values, lengths, formats in
            unsafe PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
        }
        guard sent == 1 else { throw .lost(detail: message) }
        expected.append(nil)
    }

    private func name(of text: String, _ expected: inout [String?]) throws(PostgresFailure) -> String {
        if let name = prepared.name(of: text) { return name }
        let (name, evicted) = prepared.add(text)
        if let evicted {
            guard unsafe PQsendQueryParams(handle, "DEALLOCATE \(evicted)", 0, nil, nil, nil, nil, 1) == 1 else {
                throw .lost(detail: message)
            }
            expected.append("")
        }
        guard unsafe PQsendPrepare(handle, name, text, 0, nil) == 1 else { throw .lost(detail: message) }
        expected.append(text)
        return name
    }

    /// Receives all answers up to the end of the pipeline, even after a failure.
    /// - Parameter times: receives how long each statement took, from the answer before it to the end of its own.
    private func receive(
        _ expected: [String?], _ stream: Int?, since start: ContinuousClock.Instant, _ times: inout [Duration],
        _ take: (PostgresResult) -> Bool, _ each: (Int, PostgresResult, Duration) -> Void
    ) throws(PostgresFailure) {
        var last = start
        var firstFailure: PostgresFailure?
        var (isWanted, dropped, isStopped) = (true, 0, false)
        for (number, preparation) in expected.enumerated() {
            var isDone = false
            // If this mode isn't available, all rows come at once.
            if number == stream { _ = unsafe PQsetSingleRowMode(handle) }
            while let answer = unsafe try nextAnswer() {
                let result = unsafe PostgresResult(answer)
                if let failure = unsafe failure(of: answer) {
                    if let preparation { prepared.remove(preparation) }
                    if firstFailure == nil, !isStopped { firstFailure = failure }
                } else if number == stream {
                    if isWanted {
                        isWanted = take(result)
                    } else if !isStopped {
                        dropped += result.byteCount
                        isStopped = dropped > Self.droppedBytes
                        if isStopped { stop.ask() }
                    }
                } else if preparation == nil, !isDone {
                    each(times.count, result, last.duration(to: .now))
                }
                isDone = true
            }
            if !isDone, !isAlive { break }
            if preparation == nil {
                let now = ContinuousClock.now
                times.append(last.duration(to: now))
                last = now
            }
        }
        if isAlive, let end = unsafe try nextAnswer() {
            let isEnd = unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC
            unsafe PQclear(end)
            if !isEnd, firstFailure == nil { firstFailure = .lost(detail: "answers out of order") }
        } else if isAlive == false, firstFailure == nil || firstFailure?.isLost == false {
            firstFailure = .lost(detail: message)
        }
        // The cancellation must not hit the next statement.
        if isStopped, !stop.settle(until: deadline) { giveUp() }
        if let firstFailure {
            guard isAlive else { throw .lost(detail: firstFailure.tableError.detail) }
            throw firstFailure
        }
    }

    /// Reports how long statements took.
    private func tell(_ statements: [SQLText], _ times: [Duration]) {
        for (statement, time) in zip(statements, times) {
            let kind = StatementKind(statement.text)
            settings.watch.ran(kind, took: time.wholeNanoseconds, statement.text) {
                kind.hasPlan ? plan(of: statement.text) : nil
            }
        }
    }

    /// Returns the server's plan for a statement with any values; nil if the server is too old, or in a transaction,
    /// which a failure would abort.
    private func plan(of text: String) -> String? {
        guard isAlive, unsafe PQserverVersion(handle) >= 160_000, unsafe PQtransactionStatus(handle) == PQTRANS_IDLE,
            let rows = try? run("EXPLAIN (GENERIC_PLAN, COSTS OFF) \(text)")
        else { return nil }
        return (0..<rows.rowCount).map { rows.string($0, 0) }.joined(separator: "; ")
    }

    /// Waits for the next answer and returns it; nil at the end of a statement's answers.
    private func nextAnswer() throws(PostgresFailure) -> OpaquePointer? {
        while unsafe PQisBusy(handle) == 1 {
            try wait(for: POLLIN)
            try bound?.take(Sockets.receivedBytes(of: unsafe PQsocket(handle)))
            guard unsafe PQconsumeInput(handle) == 1 else { break }
        }
        return unsafe PQgetResult(handle)
    }

    /// Sends what libpq has buffered, and reads in between: the server may have to send answers before it reads on.
    private func flush() throws(PostgresFailure) {
        while true {
            switch unsafe PQflush(handle) {
            case 0: return
            case 1: try wait(for: POLLIN | POLLOUT)
            default: throw .lost(detail: message)
            }
            guard unsafe PQconsumeInput(handle) == 1 else { throw .lost(detail: message) }
        }
    }

    /// Waits until the socket is readable or writable. At the deadline the connection is cut off.
    private func wait(for events: Int32) throws(PostgresFailure) {
        var socket = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
        while true {
            if bound?.takeEnd() == true { stop.ask() }
            let end = bound?.end ?? deadline
            let rest = end.map { ($0 - ContinuousClock.now).milliseconds + 1 }
            if let rest, rest <= 0, bound?.end == nil { break }
            let count = unsafe poll(&socket, 1, Int32(clamping: rest ?? -1))
            if count > 0 { return }
            if count < 0, errno != EINTR { break }
        }
        isAbandoned = true
        _ = shutdown(socket.fd, Int32(SHUT_RDWR))
        throw .lost(detail: "the database did not answer in time")
    }

    private func failure(of result: OpaquePointer) -> PostgresFailure? {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_PIPELINE_SYNC:
            return nil
        case PGRES_PIPELINE_ABORTED:
            return .lost(detail: "left out after a failure")
        default:
            guard let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
                return .lost(detail: message)
            }
            let state = SQLState(code: unsafe String(cString: code))
            let detail = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { unsafe String(cString: $0) }
            // If zumod's own tables aren't found, something has changed the session's search path for good.
            let isAstray = settings.keepsSessions && state.code == "42P01" && detail?.contains("zumod_") == true
            return state.meaning == .lost || isAstray
                ? .lost(detail: detail ?? "") : .refused(state, detail: detail ?? "")
        }
    }

    /// libpq's message about the last failure.
    private var message: String {
        (unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? "").trimmedLine
    }
}

extension PostgresFailure {
    fileprivate var isLost: Bool {
        if case .lost = self { true } else { false }
    }
}
