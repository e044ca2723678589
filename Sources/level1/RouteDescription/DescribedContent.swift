public import JSONText

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
