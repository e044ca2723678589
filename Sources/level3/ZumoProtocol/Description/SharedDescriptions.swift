public import Access
public import HTTPModel
public import JSONText
public import RouteDescription

extension Generation {
    /// The header field by which a request says that it speaks this generation, whatever the server's default is.
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
    /// A refusal, with the body that all refusals have.
    public static func failure(
        _ status: HTTPStatus, _ meaning: String, fields: [DescribedField] = []
    ) -> ResponseDescription {
        ResponseDescription(status, meaning, DescribedContent(SharedSchema.error.reference), fields: fields)
    }
}

extension DescribedField {
    /// The field of answers to come back later for.
    public static let retryAfter = DescribedField("Retry-After", "Seconds after which to try again.").certain
}

extension ErrorResponse {
    /// The answer that clients of a generation get, its text as what it means.
    public func description(in generation: Generation) -> ResponseDescription {
        let isServices = generation.manners == .services && !isVerbatim
        var answer = ResponseDescription.failure(status, isServices ? "Error: " + text : text)
        if generation.manners == .services, isVerbatim { answer.content = DescribedContent(ErrorBody.anySchema) }
        if retryAfter != nil {
            answer.fields.append(.retryAfter)
        }
        return answer
    }
}

extension ErrorBody {
    /// The body of a refusal that doesn't depend on the generation, as a JSON schema.
    public static let anySchema = SharedSchema.anyError

    /// The body of a refusal, as a JSON schema. Other members may come.
    static func schema(in generation: Generation) -> JSONValue {
        let text: JSONValue = ["type": "string", "description": "What is wrong, for people."]
        return switch generation.manners {
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
                    // Later versions have more of them, which no generated client may choke on.
                    "code": [
                        "type": "string", "x-extensible-enum": .array(ErrorCode.allCases.map { .string($0.rawValue) }),
                    ],
                ],
            ]
        }
    }
}

extension Authenticator {
    /// The principal of a caller that shows nothing.
    public func nobody(in generation: Generation) -> Principal {
        let credentials = Credentials(expectsApplicationKey: generation.manners == .services)
        // Without a token there is none to be refused.
        return (try? principal(for: credentials, now: 0)) ?? .anonymous
    }
}
