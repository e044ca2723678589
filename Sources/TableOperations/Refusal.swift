public import HTTPModel

/// Thrown by a handler or a hook to refuse what a client asks for.
///
/// The client gets the status and the text, in the error body of its generation.
public struct Refusal: Error, Sendable, Equatable {
    /// What the client is answered.
    public let status: HTTPStatus
    /// What is wrong, for the client's developer or user.
    public let text: String

    /// Makes a refusal.
    public init(_ status: HTTPStatus, _ text: String) {
        self.status = status
        self.text = text
    }
}
