import TableOperations
import Tables

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
        try await request.operating { () async throws(OperationError) -> Bool in
            try await request.operations.maySee(id, in: admitted)
        }
    }

    /// The current row, or tombstone; nil if the caller can see none.
    func row() async throws(RequestError) -> DatasyncRow? {
        try await request.operating { () async throws(OperationError) -> DatasyncRow? in
            try await request.operations.look(at: id, in: admitted, into: visitor)
        }
    }
}
