public import HTTPModel

/// One method of one path, as described in the OpenAPI document. Each router describes its own.
public struct DescribedRoute: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The path, with parameters in braces: `/tables/TodoItem/{id}`.
    public let path: String
    /// The name of the operation in generated clients, unique in a document.
    public let id: String
    /// The group that it belongs to.
    public let tag: String
    /// A short description.
    public let summary: String
    /// Who may use it.
    public var admission = Admission.everybody
    /// The parameters in path, query and header fields.
    public var parameters: [DescribedParameter]
    /// The accepted bodies; empty if a body is ignored.
    public var body: [DescribedContent]
    /// Whether the body may be omitted.
    public var isBodyOptional = false
    /// The possible answers.
    public var answers: [ResponseDescription]

    /// Creates a description of a route from what all of them have, and what most have.
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
