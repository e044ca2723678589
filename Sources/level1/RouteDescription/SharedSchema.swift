public import JSONText

/// The schemas that several routers refer to. A table's schemas begin with its name, which holds no hyphen.
public enum SharedSchema: String, Sendable {
    case error = "error-body"
    case session = "login-session"

    /// A reference to the schema.
    public var reference: JSONValue { .reference(to: rawValue) }

    /// The body of a refusal that doesn't depend on the generation, as a JSON schema.
    package static let anyError: JSONValue = [
        "type": "object", "required": ["error"], "properties": ["error": ["type": "string"]],
    ]
}

extension JSONValue {
    /// A reference to a schema of the document.
    public static func reference(to name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }
}
