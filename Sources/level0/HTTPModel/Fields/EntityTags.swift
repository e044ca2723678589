/// The tags of an `If-Match` or `If-None-Match` field (RFC 9110 section 8.8.3) as v3 reads them, and v1 the latter: a
/// list, any of which may match.
public enum EntityTags: Sendable, Equatable {
    /// `*`: every row that exists.
    case any
    /// The strong tags without their quotes. Weak ones are left out, since they never match.
    case strong([String])

    /// Parses the values of all fields of one name. Unquoted tags are accepted.
    /// - Returns: nil if there is no field or all are blank.
    public init?(_ values: [String]) {
        var tags: [String] = []
        var isBlank = true
        for value in values {
            var rest = value[...]
            while let tag = Self.next(from: &rest) {
                isBlank = false
                switch tag {
                case .any:
                    self = .any
                    return
                case .strong(let text): tags.append(text)
                case .weak: continue
                }
            }
        }
        if isBlank { return nil }
        self = .strong(tags)
    }

    private enum Tag {
        case any, weak
        case strong(String)
    }

    /// Removes the next tag from a list; nil at its end.
    private static func next(from rest: inout Substring) -> Tag? {
        rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
        if rest.isEmpty { return nil }
        let isWeak = rest.hasPrefix("W/")
        if isWeak { rest = rest.dropFirst(2) }
        let text: Substring
        if rest.first == "\"" {
            rest = rest.dropFirst()
            text = rest.prefix { $0 != "\"" }
            rest = rest.dropFirst(text.count + 1)
        } else {
            text = rest.prefix { $0 != "," && $0 != " " && $0 != "\t" }
            rest = rest.dropFirst(text.count)
            if text == "*", !isWeak { return .any }
        }
        return isWeak ? .weak : .strong(String(text))
    }
}
