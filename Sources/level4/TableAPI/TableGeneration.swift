import HTTPModel
import TableOperations
import Tables
import ZumoProtocol

/// A generation as tables speak it: all that differs between the generations of clients is a member here. What a generation
/// doesn't say is as in v2.
protocol TableGeneration: Sendable {
    /// The generation as everything else knows it.
    var generation: Generation { get }

    /// The operation that a method means.
    /// - Returns: nil for a method that is no operation there.
    func operation(_ method: HTTPMethod, hasID: Bool) -> Operation?

    /// The operations that the caller has to be allowed.
    func admissions(to operation: Operation) -> [Operation]

    /// What can be done with a table or one of its rows, as an Allow field says it.
    func methods(hasID: Bool, canUndelete: Bool) -> String

    /// The answer to OPTIONS.
    func options(_ methods: String) -> HTTPResponse

    /// The most that `$top` may ask for; 0 for no limit.
    func maxTop(of table: Table) -> Int

    /// Whether `$skip=1` of a pull by stamps means the row that the client has seen (`SeenStamp`).
    var pullsBySeenStamp: Bool { get }

    /// Whether a table should number its rows if the first of them comes with a number as its id.
    var numbersTablesByFirstID: Bool { get }

    /// What goes to the client of a request that failed.
    func failure(_ error: RequestError) -> ErrorResponse

    /// The failure of a request for a row of a table that is yet to be made.
    func rowMissing(_ id: String?) -> RequestError

    /// The list of a table that is yet to be made.
    func emptyList(_ target: RequestTarget) throws(RequestError) -> HTTPResponse

    /// Refuses an insert that would fail after its table was made.
    func checkInsert(_ request: TableRequest) throws(RequestError)

    /// Does what the caller was admitted to.
    func answer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse>

    /// The status of an answer with the row that prevented a write.
    func conflict(
        with answer: ScriptedAnswer, of operation: Operation, to request: TableRequest
    ) throws(RequestError) -> HTTPStatus

    /// The name of the member that says who the caller is, if a table shows it; nil for none.
    var identitiesMember: String? { get }

    /// How a table that keeps no rows answers.
    var echo: ParameterEcho.Form { get }

    /// How the answers of scripts are framed.
    func scriptedForm(of answer: ScriptedAnswer, to request: TableRequest) throws(RequestError) -> ScriptedForm

    /// What the document of all routes says about the generation.
    var described: DescribedGeneration { get }
}

extension TableGeneration {
    func operation(_ method: HTTPMethod, hasID: Bool) -> Operation? {
        switch method {
        case .get, .head: .read
        case .post: hasID ? .undelete : .insert
        case .patch: .update
        case .delete: .delete
        case .put, .options, .other: nil
        }
    }

    func admissions(to operation: Operation) -> [Operation] { [operation] }

    func methods(hasID: Bool, canUndelete: Bool) -> String {
        hasID && !canUndelete ? "GET,HEAD,PATCH,DELETE" : "GET,HEAD,POST,PATCH,DELETE"
    }

    /// As the Node server had it: the methods as a field and as the body too.
    func options(_ methods: String) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Allow", methods)
        fields.append("Content-Type", "text/plain; charset=utf-8")
        return HTTPResponse(.ok, fields: fields, body: Array(methods.utf8))
    }

    func maxTop(of table: Table) -> Int { table.rules.maxTop ?? TableRules.maxTop }

    var pullsBySeenStamp: Bool { true }
    var numbersTablesByFirstID: Bool { true }

    func failure(_ error: RequestError) -> ErrorResponse { ErrorResponse(error) }
    func rowMissing(_ id: String?) -> RequestError { .rowMissing }

    /// v2-151
    func conflict(
        with answer: ScriptedAnswer, of operation: Operation, to request: TableRequest
    ) throws(RequestError) -> HTTPStatus {
        if answer.isTombstone { throw .rowMissing }
        return try request.ifMatch() == nil ? .conflict : .preconditionFailed
    }

    var identitiesMember: String? { "identities" }
    func scriptedForm(of answer: ScriptedAnswer, to request: TableRequest) throws(RequestError) -> ScriptedForm {
        .rows
    }

    /// What successes tell caches if an operation has no fields of its own.
    var caching: HTTPFields { generation == .v3 ? RowResponse.unkept : RowResponse.checked }
    var echo: ParameterEcho.Form { ParameterEcho.Form() }
    var described: DescribedGeneration { DescribedGeneration() }
}
