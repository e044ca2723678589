import HTTPModel
import OData
import TableOperations
import Tables
import ZumoProtocol

/// The tables of Azure Mobile Services (v1).
struct ServicesTables: TableGeneration {
    var generation: Generation { .v1 }

    func operation(_ method: HTTPMethod, hasID: Bool) -> Operation? {
        switch method {
        case .get: .read
        case .post: hasID ? .undelete : .insert
        case .patch: .update
        case .delete: .delete
        case .head, .put, .options, .other: nil
        }
    }

    /// An undelete was an insert to v1; it stays an undelete too, or clients could get round a rule by speaking v1.
    func admissions(to operation: Operation) -> [Operation] {
        operation == .undelete ? [.insert, .undelete] : [operation]
    }

    func methods(hasID: Bool, canUndelete: Bool) -> String {
        hasID ? "GET, POST, PATCH, DELETE" : "GET, POST"
    }

    /// As the Node runtime had it: the methods and not a word.
    func options(_ methods: String) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Allow", methods)
        return HTTPResponse(.noContent, fields: fields)
    }

    func failure(_ error: RequestError) -> ErrorResponse { ErrorResponse(services: error) }

    func rowMissing(_ id: String?) -> RequestError { .services(.rowMissing(id: id ?? "")) }

    func scriptedForm(of answer: ScriptedAnswer, to request: TableRequest) throws(RequestError) -> ScriptedForm {
        // A conflict is answered with the whole row, or the client could not write it again.
        .columns(
            answer.isInTheWay ? SystemProperties.available(in: request.table) : try request.servicesColumns())
    }

    func conflict(
        with answer: ScriptedAnswer, of operation: Operation, to request: TableRequest
    ) throws(RequestError) -> HTTPStatus {
        if operation == .insert { throw .idTaken }
        if answer.isTombstone {
            try ServicesResponse.check(tombstone: answer, operation, try request.servicesIfMatch())
        }
        return .preconditionFailed
    }

    func emptyList(_ target: RequestTarget) throws(RequestError) -> HTTPResponse {
        RowPage.empty(wrapped: try Options.parse(target.query, language: .services).wantsCount)
    }

    func checkInsert(_ request: TableRequest) throws(RequestError) { try ServicesInsert.check(request) }

    func answer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        switch (admission, id) {
        case (.read(let admitted), nil): try await ServicesList.answer(request, in: admitted)
        case (.read(let admitted), let id?): try await ServicesLookup.answer(request, in: admitted, id: id)
        case (.insert(let admitted), _): try await ServicesInsert.answer(request, in: admitted)
        case (.update(let admitted), _): try await ServicesWrite.update(request, in: admitted, id: id)
        case (.delete(let admitted), let id?): try await ServicesWrite.delete(request, in: admitted, id: id)
        case (.undelete(let admitted), let id?): try await ServicesWrite.undelete(request, in: admitted, id: id)
        case (.delete, nil), (.undelete, nil): throw .idMissing(request.http.method)
        }
    }

    var identitiesMember: String? { "Identities" }

    var described: DescribedGeneration {
        DescribedGeneration(
            language: .services, hasServicesColumns: true, conditions: .services, isReadConditional: true,
            writesShowVersion: false, listHasLink: false, deleteAnswersRow: false, undeleteStatus: .ok,
            insertTellsTaken: true, insertConflicts: [], writeConflicts: [.preconditionFailed], isBodyOptional: false,
            versionMember: false, updatesByBodyID: false)
    }
}
