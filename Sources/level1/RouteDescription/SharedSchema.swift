public import JSONText

/// The schemas used by several routers. A table's schemas begin with its name, which contains no hyphen.
public enum SharedSchema: String, Sendable {
    case error = "error-body"
    case session = "login-session"

    /// A reference to the schema.
    public var reference: JSONValue { .reference(to: rawValue) }

    /// The JSON schema of a refusal's body that doesn't depend on the generation.
    package static let anyError: JSONValue = [
        "type": "object", "required": ["error"], "properties": ["error": ["type": "string"]],
    ]
}

extension JSONValue {
    /// Returns a reference to a schema of the document.
    public static func reference(to name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }
}
