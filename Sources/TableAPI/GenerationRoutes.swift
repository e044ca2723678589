import HTTPModel
import OData
import Tables
import ZumoProtocol

/// Which methods mean which operation in each generation, and who answers them.
extension Generation {
    /// - Returns: nil for a method that is no operation there.
    func operation(_ method: HTTPMethod, hasID: Bool) -> Operation? {
        if self == .v3 { return DatasyncRoutes.operation(method, hasID: hasID) }
        return switch method {
        case .get, .head: .read
        case .post: hasID ? .undelete : .insert
        case .patch: .update
        case .delete: .delete
        case .put, .options, .other: nil
        }
    }

    /// What can be done with a table or one of its rows, as an Allow field says it.
    func methods(hasID: Bool, canUndelete: Bool) -> String {
        if self == .v3 { return hasID ? "GET,HEAD,PUT,PATCH,DELETE" : "GET,HEAD,POST" }
        return hasID && !canUndelete ? "GET,HEAD,PATCH,DELETE" : "GET,HEAD,POST,PATCH,DELETE"
    }

    /// Does an operation that the caller may do.
    func answer(
        _ operation: Operation, id: String?, to request: TableRequest
    ) async throws(RequestError) -> HTTPResponse {
        if self == .v3 { return try await DatasyncRoutes.answer(operation, id: id, to: request) }
        switch (operation, id) {
        case (.read, nil): return try await ListRows.answer(request)
        case (.read, let id?): return try await FindRow.answer(request, id: id)
        case (.insert, _): return try await InsertRow.answer(request)
        case (.update, _): return try await UpdateRow.answer(request, id: id)
        case (.delete, let id?): return try await DeleteRow.answer(request, id: id)
        case (.undelete, let id?): return try await UndeleteRow.answer(request, id: id)
        case (.delete, nil), (.undelete, nil): throw .idMissing(request.http.method)
        }
    }

    /// Whether a caller without the right to an operation is told so by the operation itself, as late as in v3.
    func refusesLate(_ operation: Operation, hasID: Bool) -> Bool {
        self == .v3 && (hasID || operation == .insert)
    }

    /// The list of a table that its first insert will make.
    func emptyList(_ query: [QueryMember]) throws(RequestError) -> HTTPResponse {
        switch self {
        case .v1, .v2: ListRows.empty(wrapped: try Options.parse(query).wantsCount)
        case .v3: DatasyncList.empty(counted: try Options.parse(query, dialect: .v3).wantsCount)
        }
    }

    /// Refuses an insert that no store would do, before it makes a table.
    func checkInsert(_ request: TableRequest) throws(RequestError) {
        switch self {
        case .v1, .v2: try InsertRow.check(request)
        case .v3: try InsertRow.check(try DatasyncInsert.row(request).body.properties, of: request.table)
        }
    }
}
