public import HTTPModel
import Tables
public import ZumoProtocol

extension HTTPResponse {
    /// A response with plain text.
    static func text(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        var response = HTTPResponse(status, body: Array(text.utf8))
        response.fields.append("Content-Type", "text/plain; charset=utf-8")
        response.fields.append("Cache-Control", "no-store")
        return response
    }

    /// `{"status":…}`, for health checks.
    static func state(_ status: HTTPStatus, _ word: StaticString) -> HTTPResponse {
        json(status, "{\"status\":\"\(word)\"}")
    }

    /// `{"status":"ready","away":["Note"],"withoutKeys":["google"],"scripts":"unavailable"}`
    /// - Parameters:
    ///   - tables: the tables that are away. Names consist of letters, digits and underscores.
    ///   - keyless: providers and places in the configuration, which have only letters, digits, dots and brackets.
    ///   - scriptsFail: whether no script can be run.
    static func ready(without tables: [Identifier], keyless: [String], scriptsFail: Bool) -> HTTPResponse {
        func list(_ name: String, _ texts: [String]) -> String {
            texts.isEmpty ? "" : ",\"\(name)\":[\(texts.map { "\"\($0)\"" }.joined(separator: ","))]"
        }
        let lists = list("away", tables.map(\.text)) + list("withoutKeys", keyless)
        let scripts = scriptsFail ? ",\"scripts\":\"unavailable\"" : ""
        return json(.ok, "{\"status\":\"ready\"\(lists)\(scripts)}")
    }

    /// `{"error":…,"message":…,"code":…}`, the form of all the server's errors.
    /// - Parameter sentence: a text of this program, without quotes and backslashes.
    public static func failure(
        _ status: HTTPStatus, _ code: ErrorCode, _ sentence: StaticString
    ) -> HTTPResponse {
        var response = json(
            status, "{\"error\":\"\(sentence)\",\"message\":\"\(sentence)\",\"code\":\"\(code.rawValue)\"}")
        response.reason = "\(sentence)"
        return response
    }

    /// The answer to outsiders who request something meant for operators.
    static var operatorsOnly: HTTPResponse {
        failure(.unauthorized, .adminOnly, "This needs the master key or a token with the admin role")
    }

    private static func json(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        var response = HTTPResponse.json(Array(text.utf8), status)
        response.fields.append("Cache-Control", "no-store")
        return response
    }
}
