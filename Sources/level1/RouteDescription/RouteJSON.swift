import HTTPModel
import JSONText

extension DescribedRoute {
    /// Returns the route as an OpenAPI operation.
    func json(_ components: inout DocumentComponents) -> JSONValue {
        var members: [JSONMember] = [
            JSONMember("operationId", .string(id)), JSONMember("tags", [.string(tag)]),
            JSONMember("summary", .string(summary)),
            JSONMember("security", .array(admission.schemes.map { [$0.rawValue: []] })),
        ]
        if !parameters.isEmpty {
            members.append(
                JSONMember(
                    "parameters",
                    .array(parameters.map { components.reference(to: $0.json, .parameters, named: $0.name) })))
        }
        if !body.isEmpty {
            members.append(
                JSONMember("requestBody", ["required": .boolean(!isBodyOptional), "content": body.json]))
        }
        members.append(JSONMember("responses", .object(answerMembers(&components))))
        return .object(members)
    }

    /// Returns one member for each status, merging answers with the same one.
    private func answerMembers(_ components: inout DocumentComponents) -> [JSONMember] {
        var answers = answers
        if !answers.contains(where: { $0.status == .badRequest }) { answers.append(.unreadable) }
        var statuses: [HTTPStatus?] = []
        for answer in answers where !statuses.contains(answer.status) { statuses.append(answer.status) }
        statuses.sort { ($0?.rawValue ?? .max) < ($1?.rawValue ?? .max) }
        return statuses.map { status in
            let name = status.map { String($0.rawValue) } ?? "default"
            let answers = answers.filter { $0.status == status }
            let json = ResponseDescription.json(answers, &components)
            let isShared = answers.allSatisfy {
                $0.content?.schema == SharedSchema.error.reference || $0.content?.schema == SharedSchema.anyError
            }
            return JSONMember(name, isShared ? components.reference(to: json, .responses, named: name) : json)
        }
    }
}

extension ResponseDescription {
    /// An answer that every route may give.
    fileprivate static let unreadable = ResponseDescription(
        .badRequest, "The URL can't be read.", DescribedContent(SharedSchema.anyError))

    fileprivate static func json(_ answers: [ResponseDescription], _ components: inout DocumentComponents) -> JSONValue
    {
        var meanings: [String] = []
        for answer in answers where !meanings.contains(answer.meaning) { meanings.append(answer.meaning) }
        var fields = everyAnswer
        for field in answers.flatMap(\.fields) where !fields.contains(where: { $0.name == field.name }) {
            var field = field
            field.isCertain = answers.allSatisfy { answer in
                answer.fields.contains { $0.name == field.name && $0.isCertain }
            }
            fields.append(field)
        }
        var members = [
            JSONMember("description", .string(meanings.joined(separator: " "))),
            JSONMember(
                "headers",
                .object(
                    fields.map {
                        JSONMember($0.name, components.reference(to: $0.json, .headers, named: $0.name))
                    })),
        ]
        let contents = answers.compactMap(\.content)
        if !contents.isEmpty { members.append(JSONMember("content", contents.json)) }
        return .object(members)
    }

    /// Fields added by the root handler.
    private static let everyAnswer = [
        DescribedField("X-Request-Id", "Names the request, in the server's log too.").certain,
        DescribedField("x-zumo-server-version", "The server and its version.").certain,
    ]
}

extension DescribedField {
    fileprivate var json: JSONValue {
        [
            "description": .string(meaning), "required": .boolean(isCertain), "schema": ["type": "string"],
        ]
    }
}

extension DescribedParameter {
    fileprivate var json: JSONValue {
        let members = [
            JSONMember("name", .string(name)), JSONMember("in", .string(place.rawValue)),
            JSONMember("description", .string(meaning)), JSONMember("required", .boolean(isRequired)),
            JSONMember("schema", schema),
        ]
        return .object(members + (example.map { [JSONMember("example", .string($0))] } ?? []))
    }
}

extension [DescribedContent] {
    /// One entry for each media type, allowing any of its schemas.
    fileprivate var json: JSONValue {
        var types: [String] = []
        for content in self where !types.contains(content.type) { types.append(content.type) }
        return .object(
            types.map { type in
                var schemas: [JSONValue] = []
                for content in self where content.type == type && !schemas.contains(content.schema) {
                    schemas.append(content.schema)
                }
                return JSONMember(type, ["schema": schemas.count == 1 ? schemas[0] : ["anyOf": .array(schemas)]])
            })
    }
}
