/// The field `Forwarded`, in which proxies say what they changed (RFC 7239).
///
/// Neither addresses nor hosts nor hidden names hold a comma or a semicolon, so that what quotes protect need not be told
/// apart.
enum ForwardedField {
    /// What each proxy says, the client's side first: names and values as they stand, blanks and quotes with them.
    static func elements(_ field: String) -> [[(name: Substring, value: Substring)]] {
        field.split(separator: ",").map { element in
            element.split(separator: ";").compactMap { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
        }
    }
}
