public import Access
public import HTTPModel
public import JSONText
public import RouteDescription

extension Generation {
    /// The header field by which a request selects this generation, whatever the server's default is.
    public var mark: DescribedParameter {
        guard let version else {
            return DescribedParameter(
                "X-ZUMO-APPLICATION", in: .header, "The key of the application; marks a request of this generation."
            ).required
        }
        return DescribedParameter(
            "ZUMO-API-VERSION", in: .header, "The generation of the protocol.",
            schema: ["type": "string", "enum": [.string(version.text)]]
        ).required
    }
}

extension ResponseDescription {
    /// Returns a description of a refusal, with the common body of refusals.
    public static func failure(
        _ status: HTTPStatus, _ meaning: String, fields: [DescribedField] = []
    ) -> ResponseDescription {
        ResponseDescription(status, meaning, DescribedContent(SharedSchema.error.reference), fields: fields)
    }
}

extension DescribedField {
    /// The field of answers that ask to retry later.
    public static let retryAfter = DescribedField("Retry-After", "Seconds after which to try again.").certain
}

extension ErrorResponse {
    /// Returns a description of the answer for clients of a generation, with its text as the meaning.
    public func description(in generation: Generation) -> ResponseDescription {
        let isServices = generation.family == .services && !isVerbatim
        var answer = ResponseDescription.failure(status, isServices ? "Error: " + text : text)
        if generation.family == .services, isVerbatim { answer.content = DescribedContent(ErrorBody.anySchema) }
        if retryAfter != nil {
            answer.fields.append(.retryAfter)
        }
        return answer
    }
}

extension ErrorBody {
    /// The body of a refusal that doesn't depend on the generation, as a JSON schema.
    public static let anySchema = SharedSchema.anyError

    /// Returns the JSON schema of a refusal's body. Other members may be added.
    static func schema(in generation: Generation) -> JSONValue {
        let text: JSONValue = ["type": "string", "description": "What is wrong, for people."]
        return switch generation.family {
        case .services:
            [
                "type": "object", "required": ["code", "error"],
                "properties": ["code": ["type": "integer", "description": "The status."], "error": text],
            ]
        case .apps:
            [
                "type": "object", "required": ["error", "message", "code"],
                "properties": [
                    "error": text, "message": text,
                    // Later versions may add codes, which generated clients must not reject.
                    "code": [
                        "type": "string", "x-extensible-enum": .array(ErrorCode.allCases.map { .string($0.rawValue) }),
                    ],
                ],
            ]
        }
    }
}

extension Authenticator {
    /// Returns the principal of a caller without credentials.
    public func nobody(in generation: Generation) -> Principal {
        let credentials = Credentials(expectsApplicationKey: generation.family == .services)
        // Without a token, none can be refused.
        return (try? principal(for: credentials, now: 0)) ?? .anonymous
    }
}
