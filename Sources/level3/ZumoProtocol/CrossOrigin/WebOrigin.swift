/// An origin of pages, as browsers write it in `Origin`: `https://app.example.com:8443`, in lower case.
///
/// It also parses the text of patterns, whose host may contain a `*` and whose scheme may be missing.
struct WebOrigin: Equatable {
    /// nil if none is given.
    let scheme: String?
    let host: Substring
    /// nil if none is given.
    let port: Int?

    /// - Parameter text: may end with one slash, as in old browsers; with user names, paths or other parts of a URL it
    ///   isn't an origin.
    init?(_ text: String) {
        let lower = text.lowercased()
        var rest = lower[...]
        if let mark = lower.firstRange(of: "://") {
            scheme = String(lower[..<mark.lowerBound])
            rest = lower[mark.upperBound...]
        } else {
            scheme = nil
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let hostEnd: Substring.Index
        if rest.hasPrefix("[") {
            guard let close = rest.firstIndex(of: "]") else { return nil }
            hostEnd = rest.index(after: close)
        } else {
            hostEnd = rest.firstIndex(of: ":") ?? rest.endIndex
        }
        host = rest[..<hostEnd]
        let colonAndPort = rest[hostEnd...]
        port = colonAndPort.first == ":" ? Authority.port(colonAndPort.dropFirst()) : nil
        guard colonAndPort.isEmpty || port != nil, Self.isScheme(scheme ?? "http"), Self.isHost(host) else {
            return nil
        }
    }

    /// The host without the brackets of an IPv6 address.
    var bareHost: Substring { host.hasPrefix("[") ? host.dropFirst().dropLast() : host }

    /// Whether the host is this machine's own name or address.
    var isLoopback: Bool { bareHost == "localhost" || TrustedProxies.loopback.contain(String(bareHost)) }

    /// The port, or the scheme's default if none is given; nil if neither is known.
    var effectivePort: Int? {
        if let port { return port }
        return switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (97...122).contains(first) else { return false }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
    }

    /// A name, or an IPv6 address in brackets.
    private static func isHost(_ text: Substring) -> Bool {
        guard text.hasPrefix("[") else {
            return !text.isEmpty && text.utf8.allSatisfy { isLetterOrDigit($0) || "-._*".utf8.contains($0) }
        }
        let address = text.dropFirst().dropLast()
        return !address.isEmpty && address.utf8.allSatisfy { isLetterOrDigit($0) || ":.".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte)
    }
}
