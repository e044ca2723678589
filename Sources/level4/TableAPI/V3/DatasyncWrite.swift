import HTTPModel
import TableOperations
import Tables

/// A write of v3 to a row that exists, with its conditions.
///
/// The store itself compares a version. Where more has to be known, the row is read, looked at, and written as that
/// version; if another write came between, it is looked at again, so that conditions hold of the very row written.
struct DatasyncWrite {
    let look: DatasyncPreread
    /// Whether the write may touch a tombstone.
    let includesTombstones: Bool
    /// Whether a write that is done is answered with the row, or with 204 alone.
    var answersRow = true

    /// Makes the write of the row, which is nil where it wasn't read; where it is only asked whether there is one, any write of
    /// it will do.
    typealias Change = (_ row: DatasyncRow?, _ isOnlyAsked: Bool) throws(RequestError) -> TableWrite

    /// How often a row is looked at again because another write came between.
    private static let attempts = 100

    /// Does the write, answering in the order of the Datasync servers: 404, 410, 412, then what `change` throws.
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
            // What a script says of a row that it hides it says of one that isn't there.
            guard hasScript else { throw .rowMissing }
            return try await made(change, of: nil, if: .unmatchable).map(response)
        }
        // A change that is made of what the row holds tells of it: where scripts hide the row from the caller, what becomes of
        // the change is what would become of it if there were none.
        if hasScript, look.keepsValues, try await !look.isForCaller(),
            let refused = try await withoutRow(change, of: nil)
        {
            return try refused.map(response)
        }
        for attempt in 1...Self.attempts {
            let isGone = row.isDeleted && !includesTombstones
            if isGone || conditions.verdict(on: row) != .holds {
                // A script may hide the row from its caller. It is asked by a write that nothing can come of.
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
        // Other writes came between again and again.
        return .result(DatasyncResponse.row(.conflict, row))
    }

    /// The result of a change that is only used to ask whether there is a row the caller could apply it to.
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

    /// Makes a change to a row that was read. The reason why it can't be applied to the current row is not told to
    /// anyone from whom a script hides the row.
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
        // A row that was written in between is looked at again, and is no conflict.
        write.appliesConflictPolicy = false
        write.attempt = attempt
        return try await look.request.perform(write, into: look.visitor)
    }

    /// Whether a script decides whose rows they are: one around reads, or around writes of the table.
    private var hasScript: Bool {
        guard let scripts = look.request.settings.scripts else { return false }
        let (name, passes) = (look.request.table.name, look.request.inHand?.passesScripts ?? false)
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

/// The row that a write of v3 is about, looked at before it is written.
struct DatasyncPreread {
    let request: TableRequest
    let admitted: AdmittedTable<Looking>
    let id: RowID
    /// Whether the row's values are needed.
    var keepsValues = false

    /// Takes the row in.
    var visitor: DatasyncRow { DatasyncRow(keepsValues: keepsValues) }

    /// Whether the caller's own reads would show the row.
    func isForCaller() async throws(RequestError) -> Bool {
        try await request.operating(await request.operations.maySee(id, in: admitted))
    }

    /// The current row, or tombstone; nil if the caller can see none.
    func row() async throws(RequestError) -> DatasyncRow? {
        try await request.operating(await request.operations.look(at: id, in: admitted, into: visitor))
    }
}
