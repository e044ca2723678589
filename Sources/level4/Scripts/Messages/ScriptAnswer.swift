import ByteText
import HTTPModel
import JSONText

/// What a script has left the client to be answered.
struct ScriptAnswer: Sendable {
    /// How it has answered.
    enum Kind: Sendable {
        /// Its operation is to be done, and what that gives is the answer.
        case execute(AskedChange)
        /// What its operation gave.
        case result
        /// Whoever asks has it already.
        case own
        /// What stands in the response, to the last byte; without a body, what the server has answered under this head.
        case http(HTTPStatus?, body: [UInt8]?)
        /// What an execution was refused with.
        case unchanged(execution: Int)
        /// A value, and how many there are in all.
        case value(HTTPStatus?, JSONValue?, count: Int64?)
        /// An error that the client is told of: by a body, or else by words. A row may be missing.
        case error(HTTPStatus?, String?, body: JSONValue?, isMissing: Bool)
        /// It broke; why, for the log.
        case failed(String, at: String?)
        /// The request is none of the project's.
        case unanswered
    }

    let kind: Kind
    /// The fields of the response that the script has set.
    let fields: [(name: String, value: String)]

    init(_ json: JSONValue) {
        fields = json.all("headers").compactMap { pair in
            guard let parts = pair.elements, parts.count == 2, let name = parts[0].textValue,
                let value = parts[1].textValue
            else { return nil }
            return (name, value)
        }
        let status = json["status"]?.integerValue.flatMap { HTTPStatus(rawValue: Int(clamping: $0)) }
        // A value that is null is one.
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
