import HTTPModel
import TableOperations
import Tables

/// Who answers each operation of v3.
enum DatasyncRoutes {
    /// - Returns: nil for a method that is no operation there: a POST to a row is none, nor a PUT to a table.
    static func operation(_ method: HTTPMethod, hasID: Bool) -> Operation? {
        switch method {
        case .get, .head: .read
        case .post: hasID ? nil : .insert
        case .put, .patch: hasID ? .update : nil
        case .delete: hasID ? .delete : nil
        case .options, .other: nil
        }
    }

    static func answer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> HTTPResponse {
        switch (admission, id) {
        case (.read(let admitted), nil): try await DatasyncList.answer(request, in: admitted)
        case (.read(let admitted), let id?): try await DatasyncFind.answer(request, in: admitted, id: id)
        case (.insert(let admitted), _): try await DatasyncInsert.answer(request, in: admitted)
        case (.update(let admitted), let id?) where request.http.method == .put:
            try await DatasyncReplace.answer(request, in: admitted, id: id)
        case (.update(let admitted), let id?): try await DatasyncPatch.answer(request, in: admitted, id: id)
        case (.delete(let admitted), let id?): try await DatasyncDelete.answer(request, in: admitted, id: id)
        case (.undelete, _), (.update, nil), (.delete, nil): throw .idMissing(request.http.method)
        }
    }
}
