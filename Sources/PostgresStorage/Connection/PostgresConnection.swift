import CPostgres
import TableSQL
import Tables

/// One connection to the server, used by one thread at a time. All calls block.
@safe final class PostgresConnection {
    private let handle: OpaquePointer
    private let settings: PostgresSettings
    private var prepared = PreparedStatements(capacity: PostgresConnection.statements)
    private var preparations = 0

    /// Enough for all operations of some dozen tables; a server process keeps each at some ten thousand bytes.
    private static let statements = 256

    init(_ address: PostgresAddress, _ settings: PostgresSettings) throws(PostgresFailure) {
        guard let handle = unsafe address.connect() else { throw .unreachable(detail: "out of memory") }
        unsafe self.handle = unsafe handle
        self.settings = settings
        guard unsafe PQstatus(handle) == CONNECTION_OK else { throw .unreachable(detail: message) }
        unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw .unreachable(detail: message) }
        if settings.keepsSessions { _ = try run([timeout(isLocal: false)]) }
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// Whether the connection can be used for another call.
    var isAlive: Bool {
        unsafe PQstatus(handle) == CONNECTION_OK
    }

    /// Runs statements in one round trip, each in a transaction of its own unless one is open, up to the first that
    /// fails.
    func run(_ statements: [SQLText]) throws(PostgresFailure) -> [PostgresResult] {
        var expected: [String?] = []
        do throws(PostgresFailure) {
            for statement in statements { try send(statement, &expected) }
            guard unsafe PQpipelineSync(handle) == 1 else { throw .lost(detail: message) }
        } catch {
            // What was sent can't be taken back, so the connection is of no more use.
            throw isAlive ? .lost(detail: "a request could not be sent: \(error)") : error
        }
        return try receive(expected)
    }

    /// Runs one statement.
    func run(_ statement: SQLText) throws(PostgresFailure) -> PostgresResult {
        guard let result = try run([statement]).first else { throw .lost(detail: "no answer") }
        return result
    }

    /// Runs one statement without values.
    func run(_ sql: String) throws(PostgresFailure) -> PostgresResult {
        try run(SQLText(text: sql, bindings: []))
    }

    /// Runs SQL of several statements, all in one transaction.
    func run(script: String) throws(PostgresFailure) {
        guard unsafe PQexitPipelineMode(handle) == 1 else { throw .lost(detail: message) }
        guard let answer = unsafe PQexec(handle, script) else { throw .lost(detail: message) }
        let result = unsafe PostgresResult(answer)
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw .lost(detail: message) }
        if let failure = unsafe failure(of: answer) { throw failure }
        _ = consume result
    }

    /// Runs statements in one transaction and one round trip.
    private func transaction(_ mode: String, _ statements: [SQLText]) throws(PostgresFailure) -> [PostgresResult] {
        let begin = [SQLText(text: "BEGIN \(mode)", bindings: [])] + localSettings
        do throws(PostgresFailure) {
            let results = try run(begin + statements + [SQLText(text: "COMMIT", bindings: [])])
            return Array(results[begin.count..<begin.count + statements.count])
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs reading statements on one snapshot. A single one gets a transaction only where settings have to be made.
    func read(_ statements: [SQLText]) throws(PostgresFailure) -> [PostgresResult] {
        if statements.count == 1, settings.keepsSessions { return try run(statements) }
        return try transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY", statements)
    }

    /// What a transaction has to begin with where sessions are not kept.
    var localSettings: [SQLText] {
        settings.keepsSessions ? [] : [timeout(isLocal: true)]
    }

    /// Whether a transaction is open that has not failed.
    var isInTransaction: Bool {
        unsafe PQtransactionStatus(handle) == PQTRANS_INTRANS
    }

    /// Ends a transaction that failed. A failure here shows at the next use.
    func rollback() {
        if isAlive, unsafe PQtransactionStatus(handle) != PQTRANS_IDLE { _ = try? run("ROLLBACK") }
    }

    /// Prepares everything anew from now on.
    func forgetStatements() {
        prepared.removeAll()
    }

    private func timeout(isLocal: Bool) -> SQLText {
        SQLText(
            text: "SET \(isLocal ? "LOCAL" : "SESSION") statement_timeout = \(settings.statementTimeout.milliseconds)",
            bindings: [])
    }
}

extension PostgresConnection {
    /// Sends a statement, prepared where sessions are kept.
    /// - Parameter expected: the answers to come: the text of a statement for its preparation, nil for rows.
    private func send(_ statement: SQLText, _ expected: inout [String?]) throws(PostgresFailure) {
        let parameters = ParameterBytes(statement.bindings)
        guard settings.keepsSessions else {
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

    /// Takes the answers up to the end of the pipeline, whatever happens before it.
    private func receive(_ expected: [String?]) throws(PostgresFailure) -> [PostgresResult] {
        var results: [PostgresResult] = []
        results.reserveCapacity(expected.count)
        var firstFailure: PostgresFailure?
        for preparation in expected {
            var isDone = false
            while let answer = unsafe PQgetResult(handle) {
                let result = unsafe PostgresResult(answer)
                if let failure = unsafe failure(of: answer) {
                    if let preparation { prepared.remove(preparation) }
                    if firstFailure == nil { firstFailure = failure }
                } else if preparation == nil, !isDone {
                    results.append(result)
                }
                isDone = true
            }
            if !isDone, !isAlive { break }
        }
        if isAlive, let end = unsafe PQgetResult(handle) {
            let isEnd = unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC
            unsafe PQclear(end)
            if !isEnd, firstFailure == nil { firstFailure = .lost(detail: "answers out of order") }
        } else if isAlive == false, firstFailure == nil || firstFailure?.isLost == false {
            firstFailure = .lost(detail: message)
        }
        if let firstFailure {
            guard isAlive else { throw .lost(detail: firstFailure.tableError.detail) }
            throw firstFailure
        }
        return results
    }

    private func failure(of result: OpaquePointer) -> PostgresFailure? {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC:
            return nil
        case PGRES_PIPELINE_ABORTED:
            return .lost(detail: "left out after a failure")
        default:
            guard let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
                return .lost(detail: message)
            }
            let state = SQLState(code: unsafe String(cString: code))
            let detail = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { unsafe String(cString: $0) }
            return state.meaning == .lost ? .lost(detail: detail ?? "") : .refused(state, detail: detail ?? "")
        }
    }

    /// libpq's own words about the last failure.
    private var message: String {
        (unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? "").trimmedLine
    }
}

extension PostgresFailure {
    fileprivate var isLost: Bool {
        if case .lost = self { true } else { false }
    }
}

extension TableError {
    /// The detail for the log.
    fileprivate var detail: String {
        switch self {
        case .unavailable(let detail), .failed(let detail), .definition(let detail): detail
        default: "\(self)"
        }
    }
}

extension ParameterBytes {
    /// Hands out the arrays that libpq takes: count, addresses, lengths and formats.
    fileprivate func withPointers<Result>(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        guard !places.isEmpty else { return body(0, nil, nil, nil) }
        let lengths = places.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: places.count)
        return unsafe bytes.withUnsafeBytes { buffer in
            // The bytes end with a NUL, so there is an address.
            let start = unsafe buffer.bindMemory(to: CChar.self).baseAddress.unsafelyUnwrapped
            var values: [UnsafePointer<CChar>?] = unsafe []
            for place in places {
                if let place { unsafe values.append(unsafe start + place.start) } else { unsafe values.append(nil) }
            }
            return unsafe body(Int32(places.count), values, lengths, formats)
        }
    }
}
