/// The field `Forwarded`, in which proxies say what they changed (RFC 7239).
enum ForwardedField {
    /// What each proxy says, the client's side first: names and values as written, including blanks and quotes.
    static func elements(_ field: String) -> [[(name: Substring, value: Substring)]] {
        parts(of: field[...], between: ",").map { element in
            parts(of: element, between: ";").compactMap { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
        }
    }

    /// A separator in quotes separates nothing.
    private static func parts(of text: Substring, between separator: Character) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return text.split { character in
            defer { isEscaped = isQuoted && !isEscaped && character == "\\" }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }
}
