import ByteText
import HTTPModel
import JSONText

/// A script's answer to the client.
struct ScriptAnswer: Sendable {
    /// The kind of answer.
    enum Kind: Sendable {
        /// The operation is to be performed, and its result is the answer.
        case execute(AskedChange)
        /// The result of its operation.
        case result
        /// The chain has the answer already.
        case own
        /// A response, to the last byte; without a body, the server's own response with this head.
        case http(HTTPStatus?, body: [UInt8]?)
        /// The failure of an execution, passed on unchanged.
        case unchanged(execution: Int)
        /// A value, and the total number of rows.
        case value(HTTPStatus?, JSONValue?, count: Int64?)
        /// An error to report to the client, by a body or else by a text. It may be that a row is missing.
        case error(HTTPStatus?, String?, body: JSONValue?, isMissing: Bool)
        /// The script failed, with the reason for the log.
        case failed(String, at: String?)
        /// The request doesn't belong to the project.
        case unanswered
    }

    let kind: Kind
    /// The fields of the response set by the script.
    let fields: [(name: String, value: String)]

    init(_ json: JSONValue) {
        fields = json.all("headers").compactMap { pair in
            guard let parts = pair.elements, parts.count == 2, let name = parts[0].textValue,
                let value = parts[1].textValue
            else { return nil }
            return (name, value)
        }
        let status = json["status"]?.integerValue.flatMap { HTTPStatus(rawValue: Int(clamping: $0)) }
        // A null is no body, except where it is a value.
        let body: JSONValue? = if case .null? = json["body"] { Optional.none } else { json["body"] }
        switch json["kind"]?.textValue {
        case "execute": kind = .execute(AskedChange(json))
        case "result": kind = .result
        case "own": kind = .own
        case "http":
            kind = .http(status, body: body.map { $0.textValue.flatMap { Base64.decode($0.utf8, .standard) } ?? [] })
        case "unchanged": kind = .unchanged(execution: Int(clamping: json["execution"]?.integerValue ?? 0))
        case "value": kind = .value(status, json["body"], count: json["count"]?.integerValue)
        case "error":
            kind = .error(
                status, json["message"]?.textValue, body: body, isMissing: json["isMissing"]?.booleanValue ?? false)
        case "unanswered": kind = .unanswered
        default:
            let place = json["file"]?.textValue.map { file in
                json["line"]?.integerValue.map { "\(file):\($0)" } ?? file
            }
            kind = .failed(json["stack"]?.textValue ?? json["message"]?.textValue ?? "no answer", at: place)
        }
    }
}
