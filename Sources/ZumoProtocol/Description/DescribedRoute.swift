public import HTTPModel
public import JSONText

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

/// A part of a request that can be set by itself.
public struct DescribedParameter: Sendable {
    /// Where it stands. The raw values are OpenAPI's words.
    public enum Place: String, Sendable {
        case path, query, header
    }

    /// The name.
    public let name: String
    /// Where it stands.
    public let place: Place
    /// What it may hold, as a JSON schema.
    public let schema: JSONValue
    /// What it says.
    public let meaning: String
    /// Whether a request needs it.
    public var isRequired = false
    /// A value that any table takes.
    public var example: String?

    /// Describes a parameter; one in the path is needed always.
    public init(_ name: String, in place: Place, _ meaning: String, schema: JSONValue = ["type": "string"]) {
        self.name = name
        self.place = place
        self.schema = schema
        self.meaning = meaning
        isRequired = place == .path
    }

    /// The same parameter of requests that need it.
    public var required: DescribedParameter {
        var parameter = self
        parameter.isRequired = true
        return parameter
    }
}

/// A form in which a body comes or goes.
public struct DescribedContent: Sendable {
    /// The media type.
    public let type: String
    /// What it holds, as a JSON schema.
    public let schema: JSONValue

    /// Describes a form.
    public init(_ schema: JSONValue, as type: String = "application/json") {
        self.type = type
        self.schema = schema
    }
}

/// One of the answers to a request.
public struct DescribedAnswer: Sendable {
    /// The status; nil for every one that no other answer has.
    public let status: HTTPStatus?
    /// When it comes.
    public var meaning: String
    /// Its body; nil where it has none.
    public var content: DescribedContent?
    /// The fields that it has beside those of every answer.
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

/// A header field of answers.
public struct DescribedField: Sendable {
    /// The name.
    public let name: String
    /// What it says.
    public let meaning: String
    /// Whether every such answer has it.
    public var isCertain = false

    /// Describes a field.
    public init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
    }

    /// The same field of answers that all have it.
    public var certain: DescribedField {
        var field = self
        field.isCertain = true
        return field
    }
}
