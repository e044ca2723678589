public import HTTPModel
public import Tables

/// The answer to a request, with details for the log.
public struct RouteResponse: Sendable {
    /// The response to the client.
    public var response: HTTPResponse
    /// Behind one reference, because answers are passed on often and read once.
    private var note: Note

    private final class Note: Sendable {
        let values: Values

        init(_ values: Values) {
            self.values = values
        }

        struct Values: Sendable {
            var caller: RequestCaller?
            var table: String?
            var operation: Operation?
            var api: String?
            var detail: String?
            var queryOffset: Int?
            var isOutage = false
            var isPoll = false
            var isReadiness = false
            var unfolded: RequestTarget?
        }
    }

    private var values: Note.Values {
        get { note.values }
        set { note = Note(newValue) }
    }

    /// The caller; nil if the answer doesn't depend on it.
    public var caller: RequestCaller? {
        get { note.values.caller }
        set { values.caller = newValue }
    }
    /// The table's name as defined, or as requested; nil if the request named none.
    public var table: String? {
        get { note.values.table }
        set { values.table = newValue }
    }
    /// The operation; nil if the request named none.
    public var operation: Operation? {
        get { note.values.operation }
        set { values.operation = newValue }
    }
    /// The API's name as defined; nil if the request named none.
    public var api: String? {
        get { note.values.api }
        set { values.api = newValue }
    }
    /// The full reason for a failure; nil if the client has been told everything.
    public var detail: String? {
        get { note.values.detail }
        set { values.detail = newValue }
    }
    /// The byte offset of a query's fault; nil if the request failed for another reason, or didn't fail.
    public var queryOffset: Int? { note.values.queryOffset }
    /// Whether the database was away or locked.
    public var isOutage: Bool {
        get { note.values.isOutage }
        set { values.isOutage = newValue }
    }
    /// Whether a program polls and will ask again soon: the log omits it.
    public var isPoll: Bool {
        get { note.values.isPoll }
        set { values.isPoll = newValue }
    }
    /// Whether the request asks if the server is ready.
    public var isReadiness: Bool {
        get { note.values.isReadiness }
        set { values.isReadiness = newValue }
    }
    /// The target with its whole query, if a link had folded it; nil if the request's own target is complete.
    public var unfolded: RequestTarget? {
        get { note.values.unfolded }
        set { values.unfolded = newValue }
    }

    /// Creates an answer.
    /// - Parameters:
    ///   - table: the table's name as defined, or as requested.
    ///   - operation: nil if the request named none.
    public init(
        _ response: consuming HTTPResponse, to caller: RequestCaller? = nil, of table: String? = nil,
        _ operation: Operation? = nil, detail: String? = nil
    ) {
        self.response = response
        note = Note(Note.Values(caller: caller, table: table, operation: operation, detail: detail))
    }

    /// Creates the answer for a failure, in the form for that generation's clients.
    public init(
        _ failure: ErrorResponse, in generation: Generation, to caller: RequestCaller? = nil, of table: String? = nil,
        _ operation: Operation? = nil
    ) {
        response = failure.response(in: generation)
        note = Note(
            Note.Values(
                caller: caller, table: table, operation: operation, detail: failure.detail,
                queryOffset: failure.queryOffset, isOutage: failure.isOutage))
    }
}
