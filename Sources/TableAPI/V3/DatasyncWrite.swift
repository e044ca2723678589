import HTTPModel
import OData
import TableOperations
import Tables

/// A write of v3 to a row that exists, with its conditions.
///
/// The store itself compares a version. Where more has to be known, the row is read, looked at, and written as that
/// version; if another write came between, it is looked at again, so that conditions hold of the very row written.
struct DatasyncWrite {
    let look: DatasyncLook
    /// Whether the write may touch a tombstone.
    let includesTombstones: Bool

    /// Writes to the row, which is nil if it wasn't read, if a precondition holds.
    typealias Change = (DatasyncRow?, Precondition, WriteCall) async throws(RequestError) -> WriteResult<DatasyncRow>

    enum Outcome {
        case written(DatasyncRow)
        /// A condition fails; the row is the current one.
        case failed(DatasyncRow)
        /// Other writes came between again and again; the row is the current one.
        case outrun(DatasyncRow)
    }

    /// How often a row is looked at again because another write came between.
    private static let attempts = 100

    /// Does the write, answering in the order of the Datasync servers: 404, 410, 412, then what `change` throws.
    /// - Parameter readsRow: whether `change` needs the row.
    func perform(readsRow: Bool, _ change: Change) async throws(RequestError) -> Outcome {
        let request = look.request
        let conditions = Conditions(request.http.fields, ofWrite: true, clock: request.settings.clock)
        if !readsRow, let precondition = conditions.precondition {
            return try outcome(of: try await change(nil, precondition, request.call))
        }
        // A row that was written in between is looked at again, and is no conflict.
        var call = request.call
        call.appliesConflictPolicy = false
        guard var row = try await look.row() else {
            // What a script says of a row that it hides it says of one that isn't there.
            guard hasScript else { throw .rowMissing }
            return try outcome(of: try await made(change, of: nil, if: .unmatchable, call))
        }
        if hasScript, look.keepsValues, let refused = try await refusal(of: change, call) {
            return try outcome(of: refused)
        }
        for attempt in 1...Self.attempts {
            call.attempt = attempt
            let isGone = row.isDeleted && !includesTombstones
            if isGone || conditions.verdict(on: row) != .holds {
                // A script may hide the row from its caller. It is asked by a write that nothing can come of.
                if hasScript { return try outcome(of: try await made(change, of: row, if: .unmatchable, call)) }
                if isGone { throw .rowDeleted }
                return .failed(row)
            }
            let version = row.version.map(Precondition.version) ?? .unmatchable
            let result = try await made(change, of: row, if: version, call)
            guard result.outcome == .mismatch else { return try outcome(of: result) }
            row = result.row
        }
        return .outrun(row)
    }

    /// The result of a change that depends on the row's content, if scripts hide the row from the caller: the result as
    /// if there were no row. The scripts see no change that would reveal the content.
    /// - Returns: nil if the caller may see the row, or may write it by its script.
    private func refusal(
        of change: Change, _ call: WriteCall
    ) async throws(RequestError) -> WriteResult<DatasyncRow>? {
        if try await look.isForCaller() { return nil }
        return try await withoutRow(change, of: nil, call)
    }

    /// The result of a change that is only used to ask whether there is a row the caller could apply it to.
    /// - Returns: nil if there is one.
    private func withoutRow(
        _ change: Change, of row: DatasyncRow?, _ call: WriteCall
    ) async throws(RequestError) -> WriteResult<DatasyncRow>? {
        var asking = call
        asking.asksOnly = true
        do throws(RequestError) {
            return try await change(row, .unmatchable, asking)
        } catch {
            guard case .operation(.onlyAsked) = error else { throw error }
            return nil
        }
    }

    /// Makes a change to a row that was read. The reason why it can't be applied to the current row is not told to
    /// anyone from whom a script hides the row.
    private func made(
        _ change: Change, of row: DatasyncRow?, if precondition: Precondition, _ call: WriteCall
    ) async throws(RequestError) -> WriteResult<DatasyncRow> {
        let fault: RequestError
        do throws(RequestError) {
            return try await change(row, precondition, call)
        } catch {
            if case .operation = error { throw error }
            guard hasScript else { throw error }
            fault = error
        }
        if let result = try await withoutRow(change, of: row, call) { return result }
        throw fault
    }

    /// Whether a script decides whose rows they are: one around reads, or around writes of the table.
    private var hasScript: Bool {
        guard let scripts = look.request.settings.scripts else { return false }
        return Operation.allCases.contains { $0 != .insert && scripts.has($0, of: look.request.table.name) }
    }

    private func outcome(of result: WriteResult<DatasyncRow>) throws(RequestError) -> Outcome {
        switch result.outcome {
        case .written: return .written(result.row)
        case .mismatch: return .failed(result.row)
        case .tombstone: throw .rowDeleted
        case .missing, .duplicate, .taken: throw .rowMissing
        }
    }
}
