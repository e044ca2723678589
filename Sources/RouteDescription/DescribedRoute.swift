public import HTTPModel

/// What one method of one path does, as the OpenAPI document says it. Each router describes its own.
public struct DescribedRoute: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The path, parameters in braces: `/tables/TodoItem/{id}`.
    public let path: String
    /// The name by which generated clients call it; no other route of a document has it.
    public let id: String
    /// What it belongs to.
    public let tag: String
    /// What it does, in a few words.
    public let summary: String
    /// Whom it is for.
    public var admission = Admission.everybody
    /// What may stand in path, query and header fields.
    public var parameters: [DescribedParameter] = []
    /// What it takes; none where a body means nothing.
    public var body: [DescribedContent] = []
    /// Whether it can do without its body.
    public var isBodyOptional = false
    /// What it can answer.
    public var answers: [DescribedAnswer] = []

    /// Describes a route, as far as every one has it.
    public init(_ method: HTTPMethod, _ path: String, id: String, tag: String, _ summary: String) {
        self.method = method
        self.path = path
        self.id = id
        self.tag = tag
        self.summary = summary
    }
}
