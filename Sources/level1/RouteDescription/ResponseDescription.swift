public import HTTPModel

/// One of the answers to a request.
public struct ResponseDescription: Sendable {
    /// The status; nil for every one that no other answer has.
    public let status: HTTPStatus?
    /// When it comes.
    public var meaning: String
    /// Its body; nil if it has none.
    public var content: DescribedContent?
    /// The fields that it has besides those of every answer.
    public var fields: [DescribedField] = []

    /// Describes an answer.
    public init(
        _ status: HTTPStatus?, _ meaning: String, _ content: DescribedContent? = nil, fields: [DescribedField] = []
    ) {
        self.status = status
        self.meaning = meaning
        self.content = content
        self.fields = fields
    }
}
