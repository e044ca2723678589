public import HTTPModel
public import Tables
public import ZumoProtocol

/// The answer to a table request, with what the request log says about it.
public struct TableAnswer: Sendable {
    /// What goes to the client.
    public let response: HTTPResponse
    /// The table's name as it is defined, or as it was asked for; nil where the request named none.
    public let table: String?
    /// nil where the request named no operation.
    public let operation: Operation?
    /// Who asked.
    public let sender: Sender
    /// Why the request failed, in full, for the log only; nil where the client has been told everything.
    public let detail: String?
    /// Whether the database was away or locked.
    public var isOutage = false
}
