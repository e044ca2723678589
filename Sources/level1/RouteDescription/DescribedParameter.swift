public import JSONText

/// A parameter of a request.
public struct DescribedParameter: Sendable {
    /// Its location. The raw values are OpenAPI's words.
    public enum Place: String, Sendable {
        case path, query, header
    }

    /// The name.
    public let name: String
    /// Its location.
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
