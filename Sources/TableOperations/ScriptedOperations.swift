import Access
import OData
import Synchronization
import Tables

// What stands around operations on tables that have scripts.
extension TableOperations {
    /// The most times that one call of a script may have its operation done.
    static let maximumExecutions = 100

    /// The scripts, where one of them stands around an operation; nil otherwise, at the cost of a comparison.
    func scripts(around operation: Operation, of table: Table) -> (any TableScripts)? {
        guard let scripts, scripts.has(operation, of: table.name) else { return nil }
        return scripts
    }

    /// Has a script do an operation.
    /// - Parameters:
    ///   - isAside: whether it is a read that no client asked for.
    ///   - outcome: what the script learns of what the operation gave.
    ///   - end: where a list ends that the script changes before it is answered.
    ///   - perform: does the operation; it is told whether the script has had it done before.
    func scripted<Result: Sendable>(
        by scripts: any TableScripts, _ operation: Operation, item: [Property] = [], id: RowID?,
        if precondition: Precondition = .none, in table: Table, for caller: Principal, isAside: Bool = false,
        outcome: @escaping @Sendable (Result, Int) -> ScriptedOutcome,
        end: (Result) -> ScriptedAnswer.ListEnd? = { _ in nil },
        _ perform: @escaping @Sendable (ScriptedChange, _ isRepeat: Bool) async throws(OperationError) -> Result
    ) async throws(OperationError) -> Result {
        let executions = Executions<Result>()
        let version: Version? = if case .version(let version) = precondition { version } else { nil }
        let call = ScriptedCall(
            operation: operation, table: table, id: id, version: version, item: item, caller: caller, isAside: isAside,
            tables: ServerTables(withoutHooks, by: caller)
        ) { change in
            guard let number = executions.begin() else {
                let detail = "a script had its operation done more than \(Self.maximumExecutions) times"
                return .failed(ScriptedFailure(kind: .error(.hook(detail: detail)), row: nil, execution: 0))
            }
            do throws(OperationError) {
                let result = try await perform(change, executions.hasSucceeded)
                let told = outcome(result, number)
                var isDone = true
                if case .failed = told { isDone = false }
                executions.end(number, .success(result), isDone: isDone)
                return told
            } catch {
                executions.end(number, .failure(error), isDone: false)
                return .failed(ScriptedFailure(kind: .error(error), row: nil, execution: number))
            }
        }
        switch await scripts.run(call) {
        case .executed:
            return try executions.last(in: table, operation)
        case .passed(let execution):
            return try executions.result(of: execution, in: table, operation)
        case .execute(let change):
            return try await perform(change, executions.hasSucceeded)
        case .answered(var answer):
            answer.end = executions.lastIfDone.flatMap(end)
            answer.restore(from: executions.lastIfDone.map { outcome($0, 0) })
            throw .answered(answer)
        case .refused(let refusal):
            throw .refused(refusal)
        case .busy:
            throw .table(.busy)
        case .failed(let detail):
            throw .hook(detail: detail)
        }
    }

    /// Writes to a row only if it fulfils what its script asks of it: otherwise there is no such row. The condition is
    /// about the row as it is, not as it will be.
    /// - Parameter write: writes to the row where a precondition holds.
    func guarded<Row: RowVisitor>(
        by condition: Expression?, _ id: RowID, if precondition: Precondition, in admitted: AdmittedTable<Looking>,
        _ call: WriteCall, into row: Row,
        _ write: (Precondition, WriteCall) async throws(OperationError) -> WriteResult<ObservedRow<Row>>
    ) async throws(OperationError) -> WriteResult<ObservedRow<Row>> {
        if call.asksOnly {
            let found = try await findRow(
                id, in: admitted.finding, select: nil, includeDeleted: true, where: condition, into: VisitedRecords())
            guard found != nil else { return WriteResult(.missing, ObservedRow(row, if: false)) }
            return try await answerToQuestion(
                of: id, isOfScript: condition != nil, in: admitted.table, for: admitted.caller,
                into: ObservedRow(row, if: false))
        }
        guard let condition else { return try await write(precondition, call) }
        // A row that another write changes between look and write is looked at again.
        for _ in 1...Self.maximumExecutions {
            let found = try await findRow(
                id, in: admitted.finding, select: nil, includeDeleted: true, where: condition, into: VisitedRecords())
            guard let version = found?.records.last?.version.flatMap({ Version(wireText: $0) }) else {
                return WriteResult(.missing, ObservedRow(row, if: false))
            }
            guard precondition == .none else { return try await write(precondition, call).ofScript() }
            var call = call
            call.appliesConflictPolicy = false
            let result = try await write(.version(version), call)
            if result.outcome != .mismatch { return result.ofScript() }
        }
        throw .table(.busy)
    }

    /// What a script learns of a write.
    static func outcome<Row>(of result: WriteResult<ObservedRow<Row>>, _ execution: Int) -> ScriptedOutcome {
        let row = result.row.seen?.records.last
        let kind: ScriptedFailure.Kind
        switch result.outcome {
        case .written: return .row(row ?? Record())
        case .mismatch: kind = .conflict
        case .duplicate, .taken: kind = .duplicate
        case .tombstone: kind = .tombstone
        case .missing: kind = .missing
        }
        return .failed(ScriptedFailure(kind: kind, row: row, execution: execution))
    }

    /// The answer to a write that its receipt answers, so that no script runs for it.
    func known<Row: RowVisitor>(
        _ kind: RepeatableWrite.Kind, of id: RowID?, isChange: Bool = false, if precondition: Precondition = .none,
        in table: Table, for caller: Principal, _ call: WriteCall, into row: Row
    ) async throws(OperationError) -> WriteResult<Row>? {
        guard let receipt = call.receipt else { return nil }
        let write = RepeatableWrite(
            kind, of: id, if: behaviour(of: table).policy(for: call).applied(to: precondition),
            scope: scope(of: table, for: caller), receipt: receipt)
        let known = try await storing { () async throws(TableError) in
            try await store.recall(write, in: table, into: row)
        }
        guard let known, isChange, let given = GivenAnswer(call, givenAnswers) else { return known }
        given.begin()
        return await given.end(known)
    }
}

extension WriteResult {
    /// The same of a row that fulfils what its script asks.
    fileprivate func ofScript<Seen: RowVisitor>() -> WriteResult where Row == ObservedRow<Seen> {
        WriteResult(outcome, row.ofScript, isRepeat: isRepeat)
    }
}

/// What the executions of one operation by its script gave.
private final class Executions<Result: Sendable>: Sendable {
    private struct State {
        var count = 0
        var results: [Int: Swift.Result<Result, OperationError>] = [:]
        var last: Int?
    }

    private let state = Mutex(State())

    /// - Returns: the number of the execution that begins; nil where there were too many.
    func begin() -> Int? {
        state.withLock { state in
            guard state.count < TableOperations.maximumExecutions else { return nil }
            state.count += 1
            return state.count
        }
    }

    /// - Parameter isDone: whether the operation was done, which a conflict is not.
    func end(_ number: Int, _ result: Swift.Result<Result, OperationError>, isDone: Bool) {
        state.withLock { state in
            state.results[number] = result
            if isDone { state.last = number }
        }
    }

    var hasSucceeded: Bool { state.withLock { $0.last != nil } }

    var lastIfDone: Result? {
        state.withLock { state in state.last.flatMap { state.results[$0] } }.flatMap { try? $0.get() }
    }

    func last(in table: Table, _ operation: Operation) throws(OperationError) -> Result {
        try result(of: state.withLock { $0.last } ?? 0, in: table, operation)
    }

    func result(of number: Int, in table: Table, _ operation: Operation) throws(OperationError) -> Result {
        guard let result = state.withLock({ $0.results[number] }) else {
            throw .hook(detail: "the script of \(operation.rawValue) of \(table.name) answers with what it never did")
        }
        return try result.get()
    }
}

extension ScriptedChange {
    /// What is written in the place of what the client sent. The server's own columns are none of a script's business.
    func applied(to properties: [Property]) -> [Property] {
        guard !values.isEmpty || !removed.isEmpty else { return properties }
        var record = Record(properties)
        for name in removed { record[name] = nil }
        for value in values where !Self.isSystem(value.name) { record[value.name] = value.value }
        return record.properties
    }

    private static func isSystem(_ name: String) -> Bool {
        SystemColumn(named: name.hasPrefix("__") ? name.dropFirst(2) : Substring(name)) != nil
    }

    /// The row that is meant.
    func row(insteadOf given: RowID, in table: Table) -> RowID {
        id.flatMap { RowID($0, in: table) } ?? given
    }

    /// The id of a new row: the script may choose another than the client or the server.
    func newRow(insteadOf given: RowID?, in table: Table) throws(OperationError) -> RowID? {
        guard !table.rules.autoIncrement, let id, !id.isEmpty else { return given }
        if let fault = RowID.fault(inNew: id) {
            throw .hook(detail: "a script gives a new row of \(table.name) an id that can't be one: \(fault)")
        }
        return .text(id)
    }

    /// What the row has to be.
    func precondition(insteadOf given: Precondition) -> Precondition {
        switch version {
        case nil: given
        case .any: .none
        case .version(let text): Precondition(versionIn: text)
        }
    }
}

extension ScriptedQuery {
    /// The query as the script has it.
    func applied(to query: TableQuery) -> TableQuery {
        var query = query
        if dropsFilter { query.filter = nil }
        if let condition {
            query.filter = query.filter.map { .binary(.and, $0, condition, at: 0) } ?? condition
        }
        if let order { query.order = order }
        if let skip {
            query.skip = skip
            query.seenStamp = nil
        }
        if let limit { query.limit = limit }
        if let select { query.select = select.isEmpty ? nil : select }
        if let wantsCount { query.wantsCount = wantsCount }
        if let includesDeleted { query.includeDeleted = includesDeleted }
        // A place in a list of another order is none of this one.
        if order != nil || skip != nil { query.after = nil }
        return query
    }

    /// Whether a list goes on behind its page: one whose script always begins at the same place would do so without end.
    var goesOn: Bool { skip == nil && (limit == nil || goesOnBehindLimit) }
    /// Whether the last row's place in the page is a place of the client's query too.
    var keepsPlaces: Bool { order == nil && skip == nil }
}
