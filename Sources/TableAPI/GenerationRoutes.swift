import HTTPModel
import OData
import TableOperations
import Tables
import ZumoProtocol

/// Which methods mean which operation in each generation, and who answers them.
extension Generation {
    /// The most that `$top` may ask for; 0 for no limit.
    func maxTop(of table: Table) -> Int {
        table.rules.maxTop ?? (self == .v3 ? TableRules.datasyncMaxTop : TableRules.maxTop)
    }

    /// The method that a request means.
    ///
    /// v1 let browsers that know only GET and POST name another in `X-HTTP-Method-Override`, in any case; it counts on a
    /// POST, which no link or image can send.
    func method(of request: HTTPRequest) -> HTTPMethod {
        guard self == .v1, request.method == .post, let name = request.fields["X-HTTP-Method-Override"],
            !name.isEmpty
        else { return request.method }
        return HTTPMethod(name.uppercased())
    }

    /// - Returns: nil for a method that is no operation there.
    func operation(_ method: HTTPMethod, hasID: Bool) -> Operation? {
        switch (self, method) {
        case (.v3, _): DatasyncRoutes.operation(method, hasID: hasID)
        case (.v1, .head): nil
        case (_, .get), (_, .head): .read
        case (_, .post): hasID ? .undelete : .insert
        case (_, .patch): .update
        case (_, .delete): .delete
        case (_, .put), (_, .options), (_, .other): nil
        }
    }

    /// The operations that the caller has to be allowed. An undelete was an insert to v1; it stays an undelete too, or
    /// clients could get round a rule by speaking v1.
    func admissions(to operation: Operation) -> [Operation] {
        self == .v1 && operation == .undelete ? [.insert, .undelete] : [operation]
    }

    /// What can be done with a table or one of its rows, as an Allow field says it.
    func methods(hasID: Bool, canUndelete: Bool) -> String {
        switch self {
        case .v1: hasID ? "GET, POST, PATCH, DELETE" : "GET, POST"
        case .v2: hasID && !canUndelete ? "GET,HEAD,PATCH,DELETE" : "GET,HEAD,POST,PATCH,DELETE"
        case .v3: hasID ? "GET,HEAD,PUT,PATCH,DELETE" : "GET,HEAD,POST"
        }
    }

    /// What goes to the client of a request that failed.
    func failure(_ error: RequestError) -> ErrorResponse {
        switch self {
        case .v1: ErrorResponse(services: error)
        case .v2, .v3: ErrorResponse(error)
        }
    }

    /// Refuses an insert that would fail after its table was made.
    func checkInsert(_ request: TableRequest) throws(RequestError) {
        switch self {
        case .v1: try ServicesInsert.check(request)
        case .v2: try InsertRow.check(request)
        case .v3: try DatasyncInsert.check(request)
        }
    }

    /// The list of a table that is yet to be made.
    func emptyList(_ target: RequestTarget) throws(RequestError) -> HTTPResponse {
        switch self {
        case .v1: ListRows.empty(wrapped: try Options.parse(target.query, dialect: .v1).wantsCount)
        case .v2: ListRows.empty(wrapped: try Options.parse(target.query).wantsCount)
        case .v3: DatasyncList.empty(counted: try Options.parse(target.query, dialect: .v3).wantsCount)
        }
    }

    /// Does what the caller was admitted to.
    func answer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> HTTPResponse {
        switch self {
        case .v1: try await servicesAnswer(admission, id: id, to: request)
        case .v2: try await appsAnswer(admission, id: id, to: request)
        case .v3: try await DatasyncRoutes.answer(admission, id: id, to: request)
        }
    }

    private func servicesAnswer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> HTTPResponse {
        switch (admission, id) {
        case (.read(let admitted), nil): try await ServicesList.answer(request, in: admitted)
        case (.read(let admitted), let id?): try await ServicesLookup.answer(request, in: admitted, id: id)
        case (.insert(let admitted), _): try await ServicesInsert.answer(request, in: admitted)
        case (.update(let admitted), _): try await ServicesUpdate.answer(request, in: admitted, id: id)
        case (.delete(let admitted), let id?): try await ServicesDelete.answer(request, in: admitted, id: id)
        case (.undelete(let admitted), let id?): try await ServicesUndelete.answer(request, in: admitted, id: id)
        case (.delete, nil), (.undelete, nil): throw .idMissing(request.http.method)
        }
    }

    private func appsAnswer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> HTTPResponse {
        switch (admission, id) {
        case (.read(let admitted), nil): try await ListRows.answer(request, in: admitted)
        case (.read(let admitted), let id?): try await FindRow.answer(request, in: admitted, id: id)
        case (.insert(let admitted), _): try await InsertRow.answer(request, in: admitted)
        case (.update(let admitted), _): try await UpdateRow.answer(request, in: admitted, id: id)
        case (.delete(let admitted), let id?): try await DeleteRow.answer(request, in: admitted, id: id)
        case (.undelete(let admitted), let id?): try await UndeleteRow.answer(request, in: admitted, id: id)
        case (.delete, nil), (.undelete, nil): throw .idMissing(request.http.method)
        }
    }
}
