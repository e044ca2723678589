import HTTPModel
import JSONText

/// Removes credentials from exchanges before they are shown.
public enum Redaction {
    /// Returns an exchange without keys, tokens and passwords; rows are left as they are.
    public static func redacted(_ exchange: Exchange) -> Exchange {
        var shown = exchange
        shown.target = target(exchange.target)
        shown.fields = fields(exchange.fields)
        let isLogin = isLogin(exchange.path)
        func body(_ body: RecordedBody) -> RecordedBody {
            isLogin ? leftOut(body) : withoutTokens(exchange.table == nil ? withoutSecrets(body) : body)
        }
        shown.body = body(exchange.body)
        if let answer = exchange.answer {
            shown.answer?.fields = fields(answer.fields)
            shown.answer?.body = body(answer.body)
        }
        return shown
    }

    /// Returns whether passwords and tokens are exchanged at a path.
    private static func isLogin(_ path: String) -> Bool {
        let first = path.split(separator: "/").first?.lowercased()
        return first == ".auth" || first == "login"
    }

    private static func leftOut(_ body: RecordedBody) -> RecordedBody {
        body.length == 0 ? body : body.showing(Array(SecretWords.hidden.utf8))
    }

    private static func fields(_ fields: HTTPFields) -> HTTPFields {
        var shown = HTTPFields()
        for (name, value) in fields.all {
            // The place carried by a link grants no access.
            let looks = value.replacing("$skiptoken=", with: "$place=")
            let isSecret =
                SecretNames.isSecret(name) || SecretWords.isSecret(field: looks) || SecretWords.namesUser(value)
                || name.lowercased() == "host" && value.contains("@")
            shown.append(
                name: Array(name.utf8).span, value: Array((isSecret ? SecretWords.hidden : value).utf8).span)
        }
        return shown
    }

    /// Returns a target without the values of secret parameters. The authority of an absolute URL may contain a
    /// password, so only its path is kept.
    private static func target(_ target: [UInt8]) -> [UInt8] {
        let question = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        var shown = Array(target[..<question])
        if shown.first != UInt8(ascii: "/") { shown = Array(((try? RequestTarget(target))?.rawPath ?? "").utf8) }
        guard question < target.endIndex else { return shown }
        var separator = UInt8(ascii: "?")
        for member in target[(question + 1)...].split(separator: UInt8(ascii: "&")) {
            shown.append(separator)
            separator = UInt8(ascii: "&")
            let name = member.prefix { $0 != UInt8(ascii: "=") }
            let value = member.dropFirst(name.count + 1)
            // The place carried by a link has "token" in its name but grants no access.
            let isPlace = decoded(name).lowercased() == "$skiptoken"
            shown += !isPlace && isSecret(name, value) ? name + Array("=\(SecretWords.hidden)".utf8) : member
        }
        return shown
    }

    private static func isSecret(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
        let value = decoded(value)
        return SecretNames.isSecret(decoded(name)) || SecretWords.isSecret(value: value)
            || SecretWords.namesUser(value)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        (try? PercentEncoding.decode(bytes, plusIsBlank: true)) ?? String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a JSON body or a form without the members whose names suggest a secret; any other body is dropped if it
    /// names something secret. Rows are not examined that way: their columns are up to the operator.
    private static func withoutSecrets(_ body: RecordedBody) -> RecordedBody {
        guard body.isWhole else { return body }
        guard let value = try? JSONReader.parse(body.bytes) else {
            if isForm(body.bytes) { return withoutSecretFields(body) }
            return SecretNames.areIn(body.bytes) ? leftOut(body) : body
        }
        let shown = redacted(value)
        guard shown != value else { return body }
        var json = JSONWriter(capacity: body.bytes.count)
        json.value(shown)
        return body.showing(json.bytes)
    }

    /// Returns whether the bytes may be a URL-encoded form.
    private static func isForm(_ bytes: [UInt8]) -> Bool {
        bytes.contains(UInt8(ascii: "=")) && bytes.allSatisfy { $0 > 32 && $0 < 127 && !"<>{}\"\\".utf8.contains($0) }
    }

    private static func withoutSecretFields(_ body: RecordedBody) -> RecordedBody {
        let fields = body.bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var isChanged = false
        let shown = fields.map { field in
            let name = field.prefix { $0 != UInt8(ascii: "=") }
            guard name.count < field.count, isSecret(name, field.dropFirst(name.count + 1)) else { return Array(field) }
            isChanged = true
            return name + Array("=\(SecretWords.hidden)".utf8)
        }
        return isChanged ? body.showing(Array(shown.joined(separator: [UInt8(ascii: "&")]))) : body
    }

    private static func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(redacted))
        case .object(let members):
            .object(
                members.map { member in
                    let isSecret = SecretNames.isSecret(member.name) && member.value != .null
                    return JSONMember(member.name, isSecret ? .string(SecretWords.hidden) : redacted(member.value))
                })
        // For example, JSON inside a string of JSON.
        case .string(let text): SecretNames.areIn(text.utf8) ? .string(SecretWords.hidden) : value
        default: value
        }
    }

    /// Returns a body without what follows `Bearer` and `Basic`.
    private static func withoutCredentials(_ body: RecordedBody) -> RecordedBody {
        guard let text = body.text, SchemeWords.isIn(text) else { return body }
        return body.showing(Array(SchemeWords.hidden(in: text).utf8))
    }

    /// Returns a body without any tokens.
    private static func withoutTokens(_ body: RecordedBody) -> RecordedBody {
        let body = withoutCredentials(body)
        guard let text = body.text else {
            // Bytes that aren't text are shown as they are, unless they might contain a token.
            return body.bytes.split(separator: UInt8(ascii: "e")).contains { $0.starts(with: "yJ".utf8) }
                ? leftOut(body) : body
        }
        guard text.contains("eyJ") else { return body }
        var shown = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "eyJ") {
            shown += rest[..<start.lowerBound]
            let token = rest[start.lowerBound...].prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0))
            }
            // A whole token is long, unlike a word that happens to begin the same way.
            shown += token.utf8.count > 40 ? SecretWords.hidden : String(token)
            rest = rest[token.endIndex...]
        }
        return body.showing(Array((shown + rest).utf8))
    }
}
