import Access
import HTTPModel
import TableOperations
import Tables
import ZumoProtocol

/// One request against one table, with all that an operation needs to answer it.
struct TableRequest {
    let http: HTTPRequest
    let target: RequestTarget
    let table: Table
    let generation: Generation
    let caller: Principal
    let operations: TableOperations
    let settings: TableSettings
    let continuations: Continuations

    /// What `If-Match` demands; nil without the field. `*` demands nothing but a row (v2 notes 4.1 and quirk 14).
    func ifMatch() throws(RequestError) -> Precondition? {
        switch IfMatch(http.fields.values("If-Match")) {
        case nil: nil
        case .any: Precondition.none
        case .tag(let text): Version(wireText: text).map(Precondition.version) ?? .unmatchable
        case .weak: throw .ifMatchWeak
        case .list: throw .ifMatchList
        }
    }

    /// The id as the table's rows have it; nil where no row of the table can have it.
    func rowID(_ text: String) -> RowID? {
        guard table.rules.autoIncrement else { return .text(text) }
        // One spelling for each number: `+1` and `01` are no ids.
        return Int64(text).flatMap { String($0) == text ? .integer($0) : nil }
    }

    /// The id that a request's path names.
    func pathID(_ text: String) throws(RequestError) -> RowID {
        guard let id = rowID(text) else { throw .rowMissing }
        return id
    }

    /// Where the client reaches this server.
    var address: PublicAddress {
        PublicAddress(http, publicURL: settings.publicURL, trusting: settings.proxies)
    }

    /// What the operations need to know of a write.
    var call: WriteCall { WriteCall(by: caller) }

    /// Runs an operation, whose errors are this request's.
    func operating<Result>(
        _ call: () async throws(OperationError) -> Result
    ) async throws(RequestError) -> Result {
        do throws(OperationError) {
            return try await call()
        } catch {
            throw .operation(error)
        }
    }

    /// Runs a call to the store, whose errors are this request's.
    func storing<Result>(
        _ call: () async throws(TableError) -> Result
    ) async throws(RequestError) -> Result {
        do throws(TableError) {
            return try await call()
        } catch {
            throw .table(error)
        }
    }
}
