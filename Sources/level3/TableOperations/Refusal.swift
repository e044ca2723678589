public import HTTPModel

/// Thrown by a handler or a hook to refuse a client's request.
///
/// The client gets the status and the text, in the error body of its generation.
public struct Refusal: Error, Sendable, Equatable {
    /// The status to answer with.
    public let status: HTTPStatus
    /// What is wrong, for the client's developer or user.
    public let text: String
    /// Whether the server itself refuses a body that it could not read for a program.
    package private(set) var isMalformedBody = false

    /// Returns a refusal of a body that the server could not read.
    package static func malformedBody(_ text: String) -> Refusal {
        var refusal = Refusal(.badRequest, text)
        refusal.isMalformedBody = true
        return refusal
    }

    /// Creates a refusal.
    public init(_ status: HTTPStatus, _ text: String) {
        self.status = status
        self.text = text
    }
}
