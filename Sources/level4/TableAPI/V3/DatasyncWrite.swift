import HTTPModel
import TableOperations
import Tables

/// A write of v3 to an existing row, with its conditions.
///
/// The store itself can compare a version. For anything more, the row is read, checked and written if it still has that
/// version; if another write came between, this is repeated, so that the conditions hold for the row that is written.
struct DatasyncWrite {
    let look: DatasyncPreread
    /// Whether the write may apply to a tombstone.
    let includesTombstones: Bool
    /// Whether a successful write answers with the row, or only with 204.
    var answersRow = true

    /// Returns the write for a row, which is nil if it wasn't read. If the question is only whether it exists, any
    /// write of it will do.
    typealias Change = (_ row: DatasyncRow?, _ isOnlyAsked: Bool) throws(RequestError) -> TableWrite

    /// How often a row is read again because another write came between.
    private static let attempts = 100

    /// Performs the write, answering in the order of Datasync servers: 404, 410, 412, then what `change` throws.
    /// - Parameter readsRow: whether `change` needs the row.
    func perform(readsRow: Bool, _ change: Change) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let request = look.request
        let conditions = Conditions(request.http.fields, ofWrite: true, clock: request.settings.clock)
        if !readsRow, let precondition = conditions.precondition {
            var write = try change(nil, false)
            write.precondition = precondition
            return try await request.perform(write, into: look.visitor).map(response)
        }
        guard var row = try await look.row() else {
            // A script that hides a row answers in the same way as for one that doesn't exist.
            guard hasScript else { throw .rowMissing }
            return try await made(change, of: nil, if: .unmatchable).map(response)
        }
        // A change computed from the row's values reveals them. If scripts hide the row from the caller, the outcome
        // must be the one that a missing row would have.
        if hasScript, look.keepsValues, try await !look.isForCaller(),
            let refused = try await withoutRow(change, of: nil)
        {
            return try refused.map(response)
        }
        for attempt in 1...Self.attempts {
            let isGone = row.isDeleted && !includesTombstones
            if isGone || conditions.verdict(on: row) != .holds {
                // A script may hide the row from its caller. It is asked by means of a write that can't succeed.
                if hasScript { return try await made(change, of: row, if: .unmatchable, attempt).map(response) }
                if isGone { throw .rowDeleted }
                return .result(DatasyncResponse.row(.preconditionFailed, row))
            }
            let version = row.version.map(Precondition.version) ?? .unmatchable
            let answer = try await made(change, of: row, if: version, attempt)
            guard case .result(let result) = answer, result.outcome == .mismatch else {
                return try answer.map(response)
            }
            row = result.row
        }
        // Other writes came between every time.
        return .result(DatasyncResponse.row(.conflict, row))
    }

    /// Performs a change only to find out whether there is a row that the caller could apply it to.
    /// - Returns: nil if there is one.
    private func withoutRow(
        _ change: Change, of row: DatasyncRow?
    ) async throws(RequestError) -> OperationAnswer<WriteResult<DatasyncRow>>? {
        var write = try change(row, true)
        write.precondition = .unmatchable
        write.appliesConflictPolicy = false
        write.asksOnly = true
        let answer = try await look.request.perform(write, into: look.visitor)
        if case .result(let result) = answer, result.outcome == .written, !result.isRepeat { return nil }
        return answer
    }

    /// Applies a change to a row that was read. If the row can't be changed in that way, the reason is kept from
    /// callers from whom a script hides the row.
    private func made(
        _ change: Change, of row: DatasyncRow?, if precondition: Precondition, _ attempt: Int = 1
    ) async throws(RequestError) -> OperationAnswer<WriteResult<DatasyncRow>> {
        var write: TableWrite
        do throws(RequestError) {
            write = try change(row, false)
        } catch {
            if case .operation = error { throw error }
            guard hasScript, let refused = try await withoutRow(change, of: row) else { throw error }
            return refused
        }
        write.precondition = precondition
        // A row that was written in between is read again, and isn't a conflict.
        write.appliesConflictPolicy = false
        write.attempt = attempt
        return try await look.request.perform(write, into: look.visitor)
    }

    /// Whether a script decides who may access which rows: one for reads, or one for writes to existing rows.
    private var hasScript: Bool {
        guard let scripts = look.request.settings.scripts else { return false }
        let (name, passes) = (look.request.table.name, look.request.currentRequest?.passesScripts ?? false)
        return Operation.allCases.contains { $0 != .insert && scripts.has($0, of: name, passing: passes) }
    }

    private func response(to result: WriteResult<DatasyncRow>) throws(RequestError) -> HTTPResponse {
        switch result.outcome {
        case .written: return answersRow ? DatasyncResponse.row(.ok, result.row) : HTTPResponse(.noContent)
        case .mismatch: return DatasyncResponse.row(.preconditionFailed, result.row)
        case .tombstone: throw .rowDeleted
        case .missing, .duplicate, .taken: throw .rowMissing
        }
    }
}

/// Reads the row that a v3 write is about, before it is written.
struct DatasyncPreread {
    let request: TableRequest
    let admitted: AdmittedTable<Looking>
    let id: RowID
    /// Whether the row's values are needed.
    var keepsValues = false

    /// Receives the row.
    var visitor: DatasyncRow { DatasyncRow(keepsValues: keepsValues) }

    /// Whether the caller could read the row.
    func isForCaller() async throws(RequestError) -> Bool {
        try await request.operating(await request.operations.maySee(id, in: admitted))
    }

    /// Returns the current row or tombstone; nil if there is none that the caller can see.
    func row() async throws(RequestError) -> DatasyncRow? {
        try await request.operating(await request.operations.look(at: id, in: admitted, into: visitor))
    }
}
