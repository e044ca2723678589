import HTTPModel
import OData
import TableOperations
import Tables
import ZumoProtocol

/// The tables of Datasync (v3).
struct DatasyncTables: TableGeneration {
    var generation: Generation { .v3 }

    /// POST to a row is not an operation here, nor is PUT to a table.
    func operation(_ method: HTTPMethod, hasID: Bool) -> Operation? {
        switch method {
        case .get, .head: .read
        case .post: hasID ? nil : .insert
        case .put, .patch: hasID ? .update : nil
        case .delete: hasID ? .delete : nil
        case .options, .other: nil
        }
    }

    func methods(hasID: Bool, canUndelete: Bool) -> String {
        hasID ? "GET,HEAD,PUT,PATCH,DELETE" : "GET,HEAD,POST"
    }

    func maxTop(of table: Table) -> Int { table.rules.maxTop ?? TableRules.datasyncMaxTop }

    /// Its pulls ask for what is later than the last stamp.
    var pullsBySeenStamp: Bool { false }

    /// Ids are text for every v3 client.
    var numbersTablesByFirstID: Bool { false }

    func scriptedForm(of answer: ScriptedAnswer, to request: TableRequest) -> ScriptedForm { .items }

    func conflict(
        with answer: ScriptedAnswer, of operation: Operation, to request: TableRequest
    ) throws(RequestError) -> HTTPStatus {
        if answer.isTombstone { throw .rowDeleted }
        return operation == .insert ? .conflict : .preconditionFailed
    }

    func emptyList(_ target: RequestTarget) throws(RequestError) -> HTTPResponse {
        DatasyncList.empty(counted: try Options.parse(target.query, language: .datasync).wantsCount)
    }

    func checkInsert(_ request: TableRequest) throws(RequestError) { try DatasyncInsert.check(request) }

    func answer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
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

    /// No client suite of v3 requires it.
    var identitiesMember: String? { nil }

    var echo: ParameterEcho.Form { ParameterEcho.Form(opening: "{\"items\":[", closing: "]}", hasTextIDs: true) }

    var described: DescribedGeneration {
        DescribedGeneration(
            language: .datasync, hasTextIDs: true, conditions: .datasync, isReadConditional: true,
            readsShowVersion: true, listHasLink: false, hasPageObject: true, deleteAnswersRow: false,
            hasLastModified: true, tellsTombstones: true, updateMayDelete: true, insertConflicts: [.conflict],
            readConflicts: [.preconditionFailed], takesPatches: true, isBodyOptional: false, versionMember: false,
            deletedMember: true, passesOverUnknown: true, updatesByBodyID: false, findOptions: [.includeDeleted],
            updateOptions: [.includeDeleted], takesZumoOptions: true)
    }
}
