import HTTPModel
import Tables
import ZumoProtocol

/// Which methods mean which operation in each generation, and who answers them.
extension Generation {
    /// - Returns: nil for a method that is no operation there.
    func operation(_ method: HTTPMethod, hasID: Bool) -> Operation? {
        switch method {
        case .get, .head: .read
        case .post: hasID ? .undelete : .insert
        case .patch: .update
        case .delete: .delete
        case .put, .options, .other: nil
        }
    }

    /// What can be done with a table or one of its rows, as an Allow field says it.
    func methods(hasID: Bool, canUndelete: Bool) -> String {
        hasID && !canUndelete ? "GET,HEAD,PATCH,DELETE" : "GET,HEAD,POST,PATCH,DELETE"
    }

    /// Does an operation that the caller may do.
    func answer(
        _ operation: Operation, id: String?, to request: TableRequest
    ) async throws(RequestError) -> HTTPResponse {
        switch (operation, id) {
        case (.read, nil): try await ListRows.answer(request)
        case (.read, let id?): try await FindRow.answer(request, id: id)
        case (.insert, _): try await InsertRow.answer(request)
        case (.update, _): try await UpdateRow.answer(request, id: id)
        case (.delete, let id?): try await DeleteRow.answer(request, id: id)
        case (.undelete, let id?): try await UndeleteRow.answer(request, id: id)
        case (.delete, nil), (.undelete, nil): throw .idMissing(request.http.method)
        }
    }
}
