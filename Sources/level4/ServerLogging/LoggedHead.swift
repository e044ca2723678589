import Exchanges
import HTTPModel

/// What the log shows of a request's head: never a key, a token or a cookie, and no more than fits on a line.
enum LoggedHead {
    /// The maximum length of a path in a line, in bytes.
    static let pathBytes = 256
    /// The maximum length of a request line, in bytes.
    static let lineBytes = 1_024
    /// The maximum length in bytes of a single field, and of all fields together.
    static let fieldBytes = 128
    static let fieldsBytes = 2_048

    private static let hidden = SecretWords.hidden

    /// Returns the path of a target as it was sent, without the query, which contains what clients filter by.
    static func path(of target: [UInt8]) -> String {
        let end = target.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? target.endIndex
        let path = pathOfURL(target[..<end])
        return path.count <= pathBytes
            ? String(decoding: path, as: UTF8.self) : String(decoding: path.prefix(pathBytes), as: UTF8.self) + "…"
    }

    /// Returns the end of a target's path if a line can show it unchanged.
    /// - Returns: nil if it isn't a path, or too long for a line.
    static func endOfShortPath(of target: [UInt8]) -> Int? {
        guard target.first == UInt8(ascii: "/") else { return nil }
        let bytes = target.span
        var end = 0
        while end < bytes.count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") { end += 1 }
        return end <= pathBytes ? end : nil
    }

    /// Returns method and target, for the level debug. Only the protocol's own options are shown with their values:
    /// others may be anything, such as a token.
    static func line(of request: HTTPRequest) -> String {
        let target = request.target.prefix { $0 != UInt8(ascii: "#") }
        var line = "\(request.method.name) \(path(of: request.target))"
        guard let question = target.firstIndex(of: UInt8(ascii: "?")) else { return line.shortened(to: lineBytes) }
        // Whole members only, as a secret can't be recognized once it is cut.
        var separator: Character = "?"
        for member in target[(question + 1)...].split(separator: UInt8(ascii: "&")) {
            line.append(separator)
            separator = "&"
            let parts = member.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (decoded(parts[0]), decoded(parts.count > 1 ? parts[1] : []))
            let isHidden = !isOption(name) || SecretWords.isSecret(value: value)
            let shown = SecretWords.isSecret(value: name) ? hidden : name.shortened(to: 40)
            line += isHidden ? "\(shown)=\(hidden)" : text(member)
            if line.utf8.count > lineBytes { break }
        }
        return line.shortened(to: lineBytes)
    }

    /// Returns the header fields, for the level debug.
    static func fields(of request: HTTPRequest) -> String {
        var text = ""
        for (name, value) in request.fields.all {
            if text.utf8.count > fieldsBytes { return text + "; …" }
            if !text.isEmpty { text += "; " }
            let folded = name.lowercased()
            // The page that led here may have a query with secrets.
            let shown = folded == "referer" ? String(value.prefix { $0 != "?" && $0 != "#" }) : value
            // An address may contain a password before its host.
            let namesUser = shown.contains("@") && (folded == "host" || shown.contains("://"))
            let isHidden = SecretWords.isSecret(name: name) || SecretWords.isSecret(field: shown) || namesUser
            text += "\(name.shortened(to: 64)): \(isHidden ? hidden : shown.shortened(to: fieldBytes))"
        }
        return text
    }

    /// Whether a query member is an option of the protocol, which v3 also accepts without the `$`.
    private static func isOption(_ name: String) -> Bool {
        options.contains(name.lowercased().drop { $0 == "$" || $0 == "_" }.description)
    }

    private static let options: Set<String> = [
        "filter", "orderby", "select", "top", "skip", "skiptoken", "inlinecount", "count", "systemproperties",
        "includedeleted", "zumo-api-version", "generation",
    ]

    /// Returns a member without its percent-encoding, as far as that is valid.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        (try? PercentEncoding.decode(bytes, plusIsBlank: true)) ?? text(bytes)
    }

    private static func pathOfURL(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard target.first != UInt8(ascii: "/"),
            target.contains(UInt8(ascii: "@")) || target.contains(UInt8(ascii: "/"))
        else { return target }
        // A URL's authority may contain a password.
        guard let scheme = target.firstIndex(of: UInt8(ascii: "/")) else { return [] }
        let authority = target[scheme...].drop { $0 == UInt8(ascii: "/") }
        return authority.drop { $0 != UInt8(ascii: "/") }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// Returns the text, cut if it is too long for a line.
    func shortened(to limit: Int) -> String {
        utf8.count <= limit ? self : String(decoding: utf8.prefix(limit), as: UTF8.self) + "…"
    }
}
