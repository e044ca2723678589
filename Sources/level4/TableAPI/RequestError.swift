import Access
import HTTPModel
import JSONText
import TableOperations
import Tables
import ZumoProtocol

/// Every reason to refuse a table request before or instead of a row. Conflicts are answers with a row, not errors.
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
    /// The client gave an id to a row that the table should number.
    case idGiven
    case idMissing(HTTPMethod)
    case idMismatch
    case bodyIDMissing
    case ifMatchWeak
    case ifMatchList
    case ifMatchMalformed
    case topOverLimit(Int, limit: Int)
    case unknownContinuation
    /// The query that a link refers to has expired, or is another user's.
    case unkeptContinuation
    /// The answer would be too large; only so many rows fit.
    case answerTooLarge(rows: Int, limit: Int)
    /// The memory that the server may use for all clients together is exhausted.
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
