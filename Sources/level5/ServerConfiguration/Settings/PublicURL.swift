/// The URL at which clients reach the server, if it differs from the address that they send.
enum PublicURL {
    /// Checks an absolute http or https URL without query and fragment, and removes a trailing slash.
    static func read(_ value: ConfigurationValue) throws(ConfigurationFault) -> String {
        let text = try value.text()
        let lower = text.lowercased()
        let afterScheme = lower.hasPrefix("https://") ? 8 : lower.hasPrefix("http://") ? 7 : 0
        let rest = text.dropFirst(afterScheme)
        let isVisible = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard afterScheme > 0, let first = rest.first, first != "/", isVisible, !rest.contains("?"), !rest.contains("#")
        else { throw value.mismatch("an http or https URL such as https://api.example.com") }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Returns the host of a checked URL, without brackets and port.
    static func host(of url: String) -> String {
        let authority = url.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        if place.hasPrefix("[") { return String(place.dropFirst().prefix { $0 != "]" }) }
        return String(place.prefix { $0 != ":" })
    }
}
