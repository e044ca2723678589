import HTTPModel
import OData
import TableOperations
import Tables
import ZumoProtocol

/// The tables of Azure Mobile Apps (v2).
struct AppsTables: TableGeneration {
    var generation: Generation { .v2 }

    func emptyList(_ target: RequestTarget) throws(RequestError) -> HTTPResponse {
        RowPage.empty(wrapped: try Options.parse(target.query).wantsCount)
    }

    func checkInsert(_ request: TableRequest) throws(RequestError) { try AppsInsert.check(request) }

    func answer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        switch (admission, id) {
        case (.read(let admitted), nil): try await AppsList.answer(request, in: admitted)
        case (.read(let admitted), let id?): try await AppsFind.answer(request, in: admitted, id: id)
        case (.insert(let admitted), _): try await AppsInsert.answer(request, in: admitted)
        case (.update(let admitted), _): try await AppsWrite.update(request, in: admitted, id: id)
        case (.delete(let admitted), let id?): try await AppsWrite.delete(request, in: admitted, id: id)
        case (.undelete(let admitted), let id?): try await AppsWrite.undelete(request, in: admitted, id: id)
        case (.delete, nil), (.undelete, nil): throw .idMissing(request.http.method)
        }
    }
}
