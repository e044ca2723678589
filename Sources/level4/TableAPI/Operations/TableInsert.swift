import HTTPModel
import TableOperations
import Tables

/// The shared part of all generations' inserts: the id of the new row, whether the table accepts the row, and how the
/// outcome is answered.
enum TableInsert {
    /// Refuses what no store would insert, so that it leaves no empty table behind if the table doesn't exist yet.
    static func check(
        _ properties: [Property], _ given: RequestBody.BodyID?, for request: TableRequest
    ) throws(RequestError) {
        _ = try id(given, for: request)
        do throws(TableError) {
            _ = try request.table.changes(from: properties, for: .insert)
        } catch {
            throw .table(error)
        }
    }

    /// Returns the id of the new row: the client's, or a generated one if that is missing, null, "" or 0 (v2-102).
    /// - Returns: nil if the table numbers its own rows, whatever the client sends.
    private static func id(_ given: RequestBody.BodyID?, for request: TableRequest) throws(RequestError) -> RowID? {
        if request.table.rules.autoIncrement { return nil }
        guard let given, !isMissing(given) else {
            // A request marked as one to be done once gets the same id, and so the same address, each time it is sent.
            guard let receipt = request.receipt, receipt.isOnce else { return .text(RandomID.make()) }
            return .text(RandomID.make(for: receipt))
        }
        let text = given.text
        if let fault = RowID.fault(inNew: text) { throw .idInvalid(fault) }
        return .text(text)
    }

    /// Refuses an id from the client in a table that numbers its rows. v2 ignores it.
    static func checkNumbered(_ given: RequestBody.BodyID?, for request: TableRequest) throws(RequestError) {
        if request.table.rules.autoIncrement, !isMissing(given) { throw .idGiven }
    }

    /// Inserts a row and answers.
    /// - Parameters:
    ///   - given: the id in the body.
    ///   - created: returns the answer with the new row. Its address depends on the number that the table gave it.
    ///   - conflict: returns the answer with the row that has the id already.
    @inline(__always)
    static func answer<Row: RowVisitor>(
        _ properties: [Property], _ given: RequestBody.BodyID?, deleted: Bool = false,
        in admitted: AdmittedTable<Inserting>, for request: TableRequest, into row: Row,
        created: (Row, _ address: (Int64?) -> String) -> HTTPResponse,
        conflict: (Row) throws(RequestError) -> HTTPResponse
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let id = try id(given, for: request)
        let call = id == nil || isMissing(given) ? request.call.choosingID : request.call
        let write = TableWrite.insert(properties, id: id, deleted: deleted, in: admitted, call)
        return try await request.perform(write, into: row).map { result throws(RequestError) in
            switch result.outcome {
            case .written: return created(result.row) { request.location(of: id ?? .integer($0 ?? 0)) }
            case .duplicate, .mismatch, .tombstone:
                guard request.mayShowRow else { throw .idTaken }
                return try conflict(result.row)
            case .taken: throw .idTaken
            case .missing: throw .rowMissing
            }
        }
    }

    private static func isMissing(_ given: RequestBody.BodyID?) -> Bool {
        given == nil || given == .text("") || given == .integer(0)
    }
}
