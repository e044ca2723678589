import HTTPModel
import OData
import TableOperations
import Tables

/// A write of v3 to a row that exists, with its conditions.
///
/// The store itself compares a version. Where more has to be known, the row is read, looked at, and written as that
/// version; if another write came between, it is looked at again, so that conditions hold of the very row written.
struct DatasyncWrite {
    let request: TableRequest
    let id: RowID
    /// Whether the write may touch a tombstone.
    let includesTombstones: Bool
    /// Whether the row's values are needed.
    var keepsValues = false

    enum Change {
        case update(RowUpdate)
        case delete
    }

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
    /// - Parameters:
    ///   - readsRow: whether `change` needs the row.
    ///   - change: what to write to the row, which is nil where it wasn't read.
    func perform(
        readsRow: Bool, _ change: (DatasyncRow?) throws(RequestError) -> Change
    ) async throws(RequestError) -> Outcome {
        let conditions = Conditions(request.http.fields)
        if !readsRow, let precondition = conditions.precondition {
            let result = try await write(try change(nil), if: precondition, by: request.call)
            return try outcome(of: result)
        }
        guard var row = try await current() else { throw .rowMissing }
        // A row that was written in between is looked at again, and is no conflict.
        var call = request.call
        call.appliesConflictPolicy = false
        for attempt in 1...Self.attempts {
            call.attempt = attempt
            if row.isDeleted, !includesTombstones { throw .rowDeleted }
            guard conditions.verdict(on: row) == .holds else { return .failed(row) }
            let version = row.version.map(Precondition.version) ?? .unmatchable
            let result = try await write(try change(row), if: version, by: call)
            guard result.outcome == .mismatch else { return try outcome(of: result) }
            row = result.row
        }
        return .outrun(row)
    }

    private func outcome(of result: WriteResult<DatasyncRow>) throws(RequestError) -> Outcome {
        switch result.outcome {
        case .written: return .written(result.row)
        case .mismatch: return .failed(result.row)
        case .tombstone: throw .rowDeleted
        case .missing, .duplicate, .taken: throw .rowMissing
        }
    }

    private func current() async throws(RequestError) -> DatasyncRow? {
        try await request.operating { () async throws(OperationError) -> DatasyncRow? in
            try await request.operations.find(
                id, in: request.table, select: nil, includeDeleted: true, by: request.caller,
                into: DatasyncRow(keepsValues: keepsValues))
        }
    }

    private func write(
        _ change: Change, if precondition: Precondition, by call: WriteCall
    ) async throws(RequestError) -> WriteResult<DatasyncRow> {
        try await request.operating { () async throws(OperationError) -> WriteResult<DatasyncRow> in
            let row = DatasyncRow(keepsValues: keepsValues)
            switch change {
            case .update(let update):
                return try await request.operations.update(
                    id, update, if: precondition, in: request.table, by: call, into: row)
            case .delete:
                return try await request.operations.delete(
                    id, if: precondition, in: request.table, by: call, into: row)
            }
        }
    }
}
