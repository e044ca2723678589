import Access
import ByteText
import HTTPModel
import JSONText
import TableOperations
import ZumoProtocol

/// Echoes the request as JSON, XML or text with any status, so that suites can check what they send.
enum EchoAPI {
    static func define(_ api: inout APIDefinition) {
        api.get(answer)
        api.post(answer)
        api.put(answer)
        api.patch(answer)
        api.delete(answer)
    }

    /// Query parameters that control the response and are not echoed.
    private static let controls = ["format", "status"]

    private static let answer: APIDefinition.Handler = { request in
        var response = formatted(try echo(of: request), as: request.parameter("format") ?? "json")
        response.status = try status(request)
        for (name, value) in request.fields.all where name.lowercased().hasPrefix("x-test-zumo-") {
            if let name = HTTPFieldName(name) { response = response.adding(name, value) }
        }
        // Echoed content must not run in a browser as a page of this server.
        return response.adding("Content-Security-Policy", "sandbox")
    }

    private static func status(_ request: APIRequest) throws(Refusal) -> HTTPStatus {
        guard let text = request.parameter("status") else { return .ok }
        guard let status = Int(text).flatMap(HTTPStatus.init(rawValue:)) else {
            throw Refusal(.badRequest, "status has to be a number from 200 to 599.")
        }
        return status
    }

    private static func echo(of request: APIRequest) throws(Refusal) -> JSONValue {
        var members = [JSONMember("method", .string(request.method.name))]
        let query = query(of: request)
        if !query.isEmpty { members.append(JSONMember("query", .object(query))) }
        if let body = try body(of: request) { members.append(JSONMember("body", body)) }
        members.append(JSONMember("user", user(of: request)))
        return .object(members)
    }

    /// Returns each name once; if it occurs several times, its values form an array.
    private static func query(of request: APIRequest) -> [JSONMember] {
        var members: [JSONMember] = []
        for member in request.query where !controls.contains(member.name) {
            if let index = members.firstIndex(where: { $0.name.isExactly(member.name) }) {
                let earlier = members[index].value.elements ?? [members[index].value]
                members[index] = JSONMember(member.name, .array(earlier + [.string(member.value)]))
            } else {
                members.append(JSONMember(member.name, .string(member.value)))
            }
        }
        return members
    }

    /// Returns JSON as it is, and anything else as text. A body without a type is JSON if it parses as such (v1).
    private static func body(of request: APIRequest) throws(Refusal) -> JSONValue? {
        if request.body.isEmpty { return nil }
        let type = (request.fields["Content-Type"] ?? "").lowercased()
        if type.contains("json") { return try request.json() }
        if type.isEmpty, let value = try? request.json() { return value }
        return .string(String(decoding: request.body, as: UTF8.self))
    }

    /// Returns the user, whose id has another name in v1.
    private static func user(of request: APIRequest) -> JSONValue {
        let level: JSONValue =
            switch request.caller {
            case .anonymous, .application: "anonymous"
            case .user: "authenticated"
            case .admin: "admin"
            }
        guard let id = request.caller.user?.id else { return ["level": level] }
        return ["level": level, request.generation.family == .services ? "userId" : "userid": .string(id)]
    }

    private static func formatted(_ echo: JSONValue, as format: String) -> APIResponse {
        switch format {
        case "json":
            return .json(echo)
        case "xml":
            var text = "<root>"
            appendXML(echo, to: &text)
            text += "</root>"
            return .bytes(Array(text.utf8), type: "text/xml; charset=utf-8")
        default:
            // Braces and brackets are wrapped so that no client takes the text for JSON.
            return .text(echo.jsonText.map { "{}[]".contains($0) ? "__\($0)__" : String($0) }.joined())
        }
    }

    /// Escapes nothing, because the suites compare this with XML of their own that is not escaped either.
    private static func appendXML(_ value: JSONValue, to text: inout String) {
        switch value {
        case .string(let string):
            text += string
        case .array(let elements):
            text += "<array>"
            for element in elements {
                text += "<item>"
                appendXML(element, to: &text)
                text += "</item>"
            }
            text += "</array>"
        case .object(let members):
            for member in members.sorted(by: { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }) {
                text += "<\(member.name)>"
                appendXML(member.value, to: &text)
                text += "</\(member.name)>"
            }
        default: text += value.jsonText
        }
    }
}
