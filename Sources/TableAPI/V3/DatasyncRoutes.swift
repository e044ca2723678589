import Access
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
        _ operation: Operation, id: String?, to request: TableRequest
    ) async throws(RequestError) -> HTTPResponse {
        if request.operations.decision(on: operation, of: request.table, for: request.caller) != .allowed {
            try await refuse(operation, id: id, request)
        }
        switch (operation, id) {
        case (.read, nil): return try await DatasyncList.answer(request)
        case (.read, let id?): return try await DatasyncFind.answer(request, id: id)
        case (.insert, _): return try await DatasyncInsert.answer(request)
        case (.update, let id?) where request.http.method == .put:
            return try await DatasyncReplace.answer(request, id: id)
        case (.update, let id?): return try await DatasyncPatch.answer(request, id: id)
        case (.delete, let id?): return try await DatasyncDelete.answer(request, id: id)
        case (.undelete, _), (.update, nil), (.delete, nil): throw .idMissing(request.http.method)
        }
    }

    /// Refuses a caller, but as the Datasync servers did only after what is wrong with the body (415, 400) and, where
    /// the request names a row, after 404: they asked about the row that is there.
    private static func refuse(
        _ operation: Operation, id: String?, _ request: TableRequest
    ) async throws(RequestError) {
        switch (operation, id) {
        case (.insert, _): _ = try DatasyncInsert.row(request)
        case (.update, let id?) where request.http.method == .put: _ = try DatasyncReplace.body(request, id: id)
        case (.update, let id?): _ = try DatasyncPatch(request, id: id)
        case (.read, _), (.delete, _), (.undelete, _), (.update, nil): break
        }
        if let id {
            let id = try request.pathID(id)
            let row = try await request.operating { () async throws(OperationError) -> DatasyncRow? in
                try await request.operations.find(
                    id, in: request.table, select: nil, includeDeleted: true, by: request.caller,
                    into: DatasyncRow())
            }
            if row == nil { throw .rowMissing }
        }
        try request.admit(to: operation)
        throw .unauthorized
    }
}
