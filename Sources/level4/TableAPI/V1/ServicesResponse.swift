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
