public import JSONText

/// A format of a body.
public struct DescribedContent: Sendable {
    /// The media type.
    public let type: String
    /// The contents, as a JSON schema.
    public let schema: JSONValue

    /// Creates a description of a format.
    public init(_ schema: JSONValue, as type: String = "application/json") {
        self.type = type
        self.schema = schema
    }
}
