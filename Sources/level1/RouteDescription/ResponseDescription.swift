public import HTTPModel

/// One of the answers to a request.
public struct ResponseDescription: Sendable {
    /// The status; nil for all statuses without their own answer.
    public let status: HTTPStatus?
    /// When it is sent.
    public var meaning: String
    /// Its body; nil if it has none.
    public var content: DescribedContent?
    /// The fields besides those of every answer.
    public var fields: [DescribedField] = []

    /// Creates a description of an answer.
    public init(
        _ status: HTTPStatus?, _ meaning: String, _ content: DescribedContent? = nil, fields: [DescribedField] = []
    ) {
        self.status = status
        self.meaning = meaning
        self.content = content
        self.fields = fields
    }
}
