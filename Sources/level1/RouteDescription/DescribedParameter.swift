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
    /// The allowed values, as a JSON schema.
    public let schema: JSONValue
    /// A description.
    public let meaning: String
    /// Whether it is required.
    public var isRequired = false
    /// An example that is valid for any table.
    public var example: String?

    /// Creates a description of a parameter; one in the path is always required.
    public init(_ name: String, in place: Place, _ meaning: String, schema: JSONValue = ["type": "string"]) {
        self.name = name
        self.place = place
        self.schema = schema
        self.meaning = meaning
        isRequired = place == .path
    }

    /// The same parameter, required.
    public var required: DescribedParameter {
        var parameter = self
        parameter.isRequired = true
        return parameter
    }
}
