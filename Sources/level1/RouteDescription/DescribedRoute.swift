public import HTTPModel

/// What one method of one path does, as the OpenAPI document says it. Each router describes its own.
public struct DescribedRoute: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The path, parameters in braces: `/tables/TodoItem/{id}`.
    public let path: String
    /// The name that generated clients use for it, unique in a document.
    public let id: String
    /// What it belongs to.
    public let tag: String
    /// What it does, in a few words.
    public let summary: String
    /// Who may use it.
    public var admission = Admission.everybody
    /// Parameters in path, query and header fields.
    public var parameters: [DescribedParameter]
    /// What it takes; none if a body means nothing.
    public var body: [DescribedContent]
    /// Whether it can do without its body.
    public var isBodyOptional = false
    /// What it can answer.
    public var answers: [ResponseDescription]

    /// Describes a route with what every one has, and what most have.
    public init(
        _ method: HTTPMethod, _ path: String, id: String, tag: String, _ summary: String,
        parameters: [DescribedParameter] = [], body: [DescribedContent] = [], answers: [ResponseDescription] = []
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.tag = tag
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.answers = answers
    }
}
