/// The `If-Match` header field (RFC 9110 section 13.1.1) as the client SDKs and their users write it.
public enum IfMatch: Sendable, Equatable {
    case any
    /// One strong tag, without its quotes and with `\"` unescaped. An unquoted tag is accepted (v1, v2).
    case tag(String)
    case weak
    case list
    /// A tag with an unclosed quote.
    case malformed

    /// Parses the values of all `If-Match` fields of a request.
    /// - Returns: nil if there is none or it is blank.
    public init?(_ values: [String]) {
        guard let first = values.first else { return nil }
        guard values.count == 1 else {
            self = .list
            return
        }
        var text = first[...]
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        if text.isEmpty { return nil }
        if text == "*" {
            self = .any
        } else if text.hasPrefix("W/") {
            self = .weak
        } else if text.first == "\"" {
            self = Self.unquote(text)
        } else if text.contains(",") {
            self = .list
        } else {
            self = .tag(String(text))
        }
    }

    /// Parses a quoted tag; anything after the closing quote makes it a list.
    private static func unquote(_ text: Substring) -> IfMatch {
        var tag = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            if character == "\\", rest.first == "\"" {
                tag.append("\"")
                rest = rest.dropFirst()
            } else if character == "\"" {
                return rest.isEmpty ? .tag(tag) : .list
            } else {
                tag.append(character)
            }
        }
        return .malformed
    }
}
