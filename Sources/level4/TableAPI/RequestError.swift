import Access
import HTTPModel
import JSONText
import TableOperations
import Tables
import ZumoProtocol

/// Everything that refuses a table request before or instead of a row. Conflicts are answers with a row, not errors.
enum RequestError: Error {
    case version(Generations.Fault)
    case unknownPath
    case unknownTable(String)
    case methodNotAllowed(HTTPMethod, allowed: String)
    case caller(CallerFault)
    case unauthorized
    case operationDisabled(Operation, table: String)
    case undeleteWithoutSoftDelete(table: String)
    case mediaType(String, accepted: [String])
    case charset(String)
    case contentCoding(String)
    case json(JSONError)
    case bodyNotObject
    case nestedValue(property: String)
    case idNotText
    case idInvalid(RowID.Fault)
    /// An id given to a row that the table should number.
    case idGiven
    case idMissing(HTTPMethod)
    case idMismatch
    case bodyIDMissing
    case ifMatchWeak
    case ifMatchList
    case ifMatchMalformed
    case topOverLimit(Int, limit: Int)
    case unknownContinuation
    /// The query that a link refers to has ended, or is another user's.
    case unkeptContinuation
    /// So many rows are all that fit into an answer.
    case answerTooLarge(rows: Int, limit: Int)
    /// What the server may hold for all clients together is spent.
    case buffersFull
    case rowMissing
    case rowDeleted
    case bodyEmpty
    case patchNotArray
    case patch(JSONPatch.Fault, at: Int)
    case systemMemberChanged(SystemColumn)
    case idTaken
    case services(ServicesFault)
    case operation(OperationError)

    static func table(_ error: TableError) -> RequestError { .operation(.table(error)) }
}
