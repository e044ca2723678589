/// The `Forwarded` field, by which proxies report what they changed (RFC 7239).
enum ForwardedField {
    /// Returns each proxy's statements, the client's side first: names and values as written, with spaces and quotes.
    static func elements(_ field: String) -> [[(name: Substring, value: Substring)]] {
        parts(of: field[...], between: ",").map { element in
            parts(of: element, between: ";").compactMap { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
        }
    }

    /// Splits text at a separator, except inside quotes.
    private static func parts(of text: Substring, between separator: Character) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return text.split { character in
            defer { isEscaped = isQuoted && !isEscaped && character == "\\" }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }
}
