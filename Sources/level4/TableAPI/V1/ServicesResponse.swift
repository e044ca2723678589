import HTTPModel
import JSONText
import TableOperations
import Tables

/// The answers to v1 clients that carry one row.
enum ServicesResponse {
    /// The row as it was requested. Its version is the ETag if the client asked for that, or sent one.
    static func row(
        _ status: HTTPStatus, _ row: ServicesRowJSON, sentVersion: Bool, location: String? = nil
    ) -> HTTPResponse {
        RowResponse.make(
            status, row.asked.object, version: sentVersion ? row.version : row.asked.version, location: location)
    }

    /// The whole row that stood in the way of a write, as it is.
    static func conflict(_ row: ServicesRowJSON) -> HTTPResponse {
        RowResponse.make(.preconditionFailed, row.whole.object, version: row.version)
    }

    /// Does a write to a row that exists, and answers.
    @inline(__always)
    static func perform(
        _ write: TableWrite, _ operation: Operation, id: String, showing shown: SystemProperties,
        _ ifMatch: Precondition?, for request: TableRequest
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let row = ServicesRowJSON.written(request.table, showing: shown)
        return try await request.perform(write, into: row).map { result throws(RequestError) in
            switch result.outcome {
            case .written where operation == .delete: return HTTPResponse(.noContent, fields: RowResponse.checked)
            case .written: return self.row(.ok, result.row, sentVersion: ifMatch?.namesVersion ?? false)
            case .mismatch, .duplicate: return conflict(result.row)
            case .tombstone where operation != .undelete:
                // Versions were compared before anybody looked whether the row is deleted.
                let isCurrent = result.row.version.flatMap { ifMatch?.holds(for: $0) } ?? (operation == .delete)
                if isCurrent { throw .services(.rowMissing(id: id)) }
                return conflict(result.row)
            case .tombstone, .missing, .taken: throw .services(.rowMissing(id: id))
            }
        }
    }

    /// Looks at a tombstone as the read script has it.
    /// - Throws: if it isn't shown.
    static func check(
        tombstone answer: ScriptedAnswer, _ operation: Operation, _ ifMatch: Precondition?
    ) throws(RequestError) {
        let (body, isDelete) = (answer.body, operation == .delete)
        let version = (body?["version"] ?? body?["__version"])?.textValue.flatMap(Version.init(wireText:))
        let isCurrent = version.flatMap { ifMatch?.holds(for: $0) } ?? isDelete
        guard isCurrent else { return }
        let id = body?["id"]
        throw .services(.rowMissing(id: id?.textValue ?? id?.integerValue.map { String($0) } ?? ""))
    }
}

extension Precondition {
    /// Whether it names a version, possible or not.
    var namesVersion: Bool { self != .none }
}
