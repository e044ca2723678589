import Access
import OData
import Synchronization
import Tables

// Scripts around operations on tables.
extension TableOperations {
    /// How many times one script call may execute its operation.
    static let maximumExecutions = 100

    /// Returns the scripts if one of them stands around an operation; otherwise nil, at the cost of a comparison.
    func scripts<Right>(around operation: Operation, of admitted: AdmittedTable<Right>) -> (any TableScripts)? {
        let passes = admitted.request?.passesScripts ?? false
        guard let scripts, scripts.has(operation, of: admitted.table.name, passing: passes) else { return nil }
        return scripts
    }

    /// Runs an operation through its script.
    /// - Parameters:
    ///   - isAside: whether it is a read that no client asked for.
    ///   - outcome: converts the operation's result for the script.
    ///   - end: where a list ends that the script changes before it is answered.
    ///   - perform: does the operation; it is told whether an earlier execution by the script has succeeded, and
    ///     whether the script learns the result.
    func scripted<Result: Sendable>(
        by scripts: any TableScripts, _ operation: Operation, item: [Property] = [], id: RowID?,
        if precondition: Precondition = .none, in admitted: AdmittedTable<Reading>, isAside: Bool = false,
        outcome: @escaping @Sendable (Result, Int) -> ScriptedOutcome,
        end: (Result) -> ScriptedAnswer.ListEnd? = { _ in nil },
        _ perform:
            @escaping @Sendable (ScriptedChange, _ isRepeat: Bool, _ isTold: Bool) async throws(OperationError) ->
            OperationAnswer<Result>
    ) async throws(OperationError) -> OperationAnswer<Result> {
        let (table, caller, executions) = (admitted.table, admitted.caller, Executions<Result>())
        let version: Version? = if case .version(let version) = precondition { version } else { nil }
        let call = ScriptedCall(
            operation: operation, table: table, id: id, version: version, item: item, caller: caller,
            request: admitted.request, isAside: isAside, tables: ServerTables(withoutHooks, by: caller)
        ) { change in
            guard let number = executions.begin() else {
                let detail = "a script had its operation done more than \(Self.maximumExecutions) times"
                return .failed(ScriptedFailure(kind: .error(.hook(detail: detail)), row: nil, execution: 0))
            }
            do throws(OperationError) {
                let answer = try await perform(change, executions.hasSucceeded, true)
                let told =
                    switch answer {
                    case .result(let result): outcome(result, number)
                    case .script(let answer):
                        ScriptedOutcome.failed(
                            ScriptedFailure(kind: .answered(answer), row: nil, execution: number))
                    }
                var isDone = true
                if case .failed = told { isDone = false }
                executions.end(number, .success(answer), isDone: isDone)
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
            return try await perform(change, executions.hasSucceeded, false)
        case .answered(var answer):
            answer.end = executions.lastIfDone.flatMap(end)
            answer.restore(from: executions.lastIfDone.map { outcome($0, 0) })
            return .script(answer)
        case .refused(let refusal):
            throw .refused(refusal)
        case .busy(let detail):
            throw .scripts(detail: detail)
        case .failed(let detail):
            throw .hook(detail: detail)
        }
    }
}

/// The results of a script's executions of one operation.
private final class Executions<Result: Sendable>: Sendable {
    private struct State {
        var count = 0
        var results: [Int: Swift.Result<OperationAnswer<Result>, OperationError>] = [:]
        var last: Int?
    }

    private let state = Mutex(State())

    /// - Returns: the number of the new execution; nil if there were too many.
    func begin() -> Int? {
        state.withLock { state in
            guard state.count < TableOperations.maximumExecutions else { return nil }
            state.count += 1
            return state.count
        }
    }

    /// - Parameter isDone: whether the operation was done, which a conflict is not.
    func end(_ number: Int, _ result: Swift.Result<OperationAnswer<Result>, OperationError>, isDone: Bool) {
        state.withLock { state in
            state.results[number] = result
            if isDone { state.last = number }
        }
    }

    var hasSucceeded: Bool { state.withLock { $0.last != nil } }

    var lastIfDone: Result? {
        let last = state.withLock { state in state.last.flatMap { state.results[$0] } }
        guard case .success(.result(let result))? = last else { return nil }
        return result
    }

    func last(in table: Table, _ operation: Operation) throws(OperationError) -> OperationAnswer<Result> {
        try result(of: state.withLock { $0.last } ?? 0, in: table, operation)
    }

    func result(
        of number: Int, in table: Table, _ operation: Operation
    ) throws(OperationError) -> OperationAnswer<Result> {
        guard let result = state.withLock({ $0.results[number] }) else {
            throw .hook(detail: "the script of \(operation.rawValue) of \(table.name) answers with what it never did")
        }
        return try result.get()
    }
}

extension ScriptedChange {
    /// Applies the changes of one of a write's scripts.
    func apply(to write: inout TableWrite, in operation: Operation) throws(OperationError) {
        if operation == write.operation, write.setsColumns {
            write.update.properties = applied(to: write.update.properties)
        }
        guard operation != .insert else {
            write.id = try newRow(insteadOf: write.id, in: write.table)
            return
        }
        write.id = write.id.map { row(insteadOf: $0, in: write.table) }
        switch version {
        case nil: break
        case .any: write.precondition = .none
        case .version(let text): write.precondition = Precondition(versionIn: text)
        }
    }

    /// Returns the properties to write instead of the client's. Scripts can't set the server's own columns.
    private func applied(to properties: [Property]) -> [Property] {
        guard !values.isEmpty || !removed.isEmpty else { return properties }
        var record = Record(properties)
        for name in removed { record[name] = nil }
        for value in values where !Self.isSystem(value.name) { record.set(value) }
        return record.properties
    }

    private static func isSystem(_ name: String) -> Bool {
        SystemColumn(named: name.hasPrefix("__") ? name.dropFirst(2) : Substring(name)) != nil
    }

    /// Returns the id of the row to operate on.
    func row(insteadOf given: RowID, in table: Table) -> RowID {
        id.flatMap { RowID($0, in: table) } ?? given
    }

    /// Returns the id of a new row: the script may override the client's or the server's.
    private func newRow(insteadOf given: RowID?, in table: Table) throws(OperationError) -> RowID? {
        guard !table.rules.autoIncrement, let id, !id.isEmpty else { return given }
        if let fault = RowID.fault(inNew: id) {
            throw .hook(detail: "a script gives a new row of \(table.name) an id that can't be one: \(fault)")
        }
        return .text(id)
    }
}

extension ScriptedQuery {
    /// Returns the query with the script's changes.
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
        // A place in a list of another order is meaningless in this one.
        if order != nil || skip != nil { query.after = nil }
        return query
    }

    /// Whether a list continues after its page: one whose script always begins at the same place would never end.
    var goesOn: Bool { skip == nil && (limit == nil || goesOnBehindLimit) }
    /// Whether the place of the page's last row is also a place in the client's query.
    var keepsPlaces: Bool { order == nil && skip == nil }
}
