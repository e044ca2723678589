import HTTPModel
import TableOperations
import Tables
import ZumoProtocol

/// A protocol generation as it applies to tables: everything that differs between generations of clients is a member
/// here. What a generation doesn't implement is as in v2.
protocol TableGeneration: Sendable {
    /// The generation's identifier elsewhere.
    var generation: Generation { get }

    /// Returns the operation that a method stands for.
    /// - Returns: nil for a method that isn't an operation in this generation.
    func operation(_ method: HTTPMethod, hasID: Bool) -> Operation?

    /// Returns the operations that the caller has to be allowed.
    func admissions(to operation: Operation) -> [Operation]

    /// Returns the methods for a table or one of its rows, as in an Allow field.
    func methods(hasID: Bool, canUndelete: Bool) -> String

    /// Returns the answer to OPTIONS.
    func options(_ methods: String) -> HTTPResponse

    /// Returns the maximum value of `$top`; 0 for no limit.
    func maxTop(of table: Table) -> Int

    /// Whether `$skip=1` in a pull by stamps means the row that the client has seen (`SeenStamp`).
    var pullsBySeenStamp: Bool { get }

    /// Whether a new table should number its rows if the id of the first one is a number.
    var numbersTablesByFirstID: Bool { get }

    /// Returns the response to a failed request.
    func failure(_ error: RequestError) -> ErrorResponse

    /// Returns the failure of a request for a row of a table that doesn't exist yet.
    func rowMissing(_ id: String?) -> RequestError

    /// Returns the list of a table that doesn't exist yet.
    func emptyList(_ target: RequestTarget) throws(RequestError) -> HTTPResponse

    /// Refuses an insert that would fail after its table was created.
    func checkInsert(_ request: TableRequest) throws(RequestError)

    /// Performs the operation that the caller was admitted to.
    func answer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse>

    /// Returns the status of an answer with the row that prevented a write.
    func conflict(
        with answer: ScriptedAnswer, of operation: Operation, to request: TableRequest
    ) throws(RequestError) -> HTTPStatus

    /// The name of the member with the caller's identity, for tables that show it; nil for none.
    var identitiesMember: String? { get }

    /// How a table that stores no rows answers.
    var echo: ParameterEcho.Form { get }

    /// Returns how the answer of a script is framed.
    func scriptedForm(of answer: ScriptedAnswer, to request: TableRequest) throws(RequestError) -> ScriptedForm

    /// What the OpenAPI document says about the generation.
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

    /// As on the Node server: the methods as a header field and as the body.
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

    /// The fields about caching in successes whose operation sets none itself.
    var caching: HTTPFields { generation == .v3 ? RowResponse.unkept : RowResponse.checked }
    var echo: ParameterEcho.Form { ParameterEcho.Form() }
    var described: DescribedGeneration { DescribedGeneration() }
}
