public import HTTPModel
public import Tables

/// The answer to a request, with what the log says about it.
public struct RouteAnswer: Sendable {
    /// What goes to the client.
    public var response: HTTPResponse
    /// Who asked; nil where nothing depends on it.
    public var sender: Sender?
    /// The table's name as it is defined, or as it was asked for; nil where the request named none.
    public var table: String?
    /// nil where the request named no operation.
    public var operation: Operation?
    /// The API's name as it is defined; nil where the request named none.
    public var api: String?
    /// Why the request failed, in full; nil where the client has been told everything.
    public var detail: String?
    /// At which byte of a query its fault is; nil where the request failed by something else, or didn't.
    public var queryOffset: Int?
    /// Whether the database was away or locked.
    public var isOutage = false
    /// Whether a program asked by itself, and will soon again: the log is quiet about it.
    public var isPoll = false
    /// Whether it is asked whether the server can serve.
    public var isReadiness = false

    /// An answer that says it all.
    public init(_ response: consuming HTTPResponse, to sender: Sender? = nil, detail: String? = nil) {
        self.response = response
        self.sender = sender
        self.detail = detail
    }

    /// A failure, as a client of that generation is told it.
    public init(_ failure: ErrorResponse, in generation: Generation, to sender: Sender? = nil) {
        self.init(failure.response(in: generation), to: sender, detail: failure.detail)
        isOutage = failure.isOutage
        queryOffset = failure.queryOffset
    }
}
