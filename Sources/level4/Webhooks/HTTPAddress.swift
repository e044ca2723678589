/// A plain HTTP URL: `http://HOST`, optionally with a port and a path.
public struct HTTPAddress: Sendable, Hashable {
    /// A name or an address; IPv6 addresses are without brackets.
    public let host: String
    /// In decimal digits.
    public let port: String
    /// Path and query, starting with a slash.
    public let target: String

    /// Why a text is not a valid URL of this kind.
    public enum Fault: Error, Sendable, Equatable {
        /// It is an `https` URL, which this program doesn't support.
        case encrypted
        case malformed
    }

    /// Parses a URL.
    public init(_ text: String) throws(Fault) {
        guard text.utf8.allSatisfy({ (33...126).contains($0) }) else { throw .malformed }
        if text.lowercased().hasPrefix("https://") { throw .encrypted }
        guard text.lowercased().hasPrefix("http://") else { throw .malformed }
        let rest = text.dropFirst("http://".count).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let tail = rest[authority.endIndex...]
        guard let (host, port) = Self.parts(of: authority) else { throw .malformed }
        self.host = host
        self.port = port
        target = tail.first == "/" ? String(tail) : "/" + tail
    }

    /// Splits `host`, `host:port` or `[::1]:port`; nil if there is a user name or a password before the host.
    private static func parts(of authority: Substring) -> (host: String, port: String)? {
        let host: Substring
        let rest: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[..<end].dropFirst()
            rest = authority[authority.index(after: end)...]
        } else {
            let end = authority.firstIndex(of: ":") ?? authority.endIndex
            host = authority[..<end]
            rest = authority[end...]
        }
        guard !host.isEmpty, !host.contains("@") else { return nil }
        if rest.isEmpty { return (String(host), "80") }
        guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (String(host), String(port))
    }

    /// Host and port, as in a Host field and in messages.
    public var authority: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == "80" ? host : "\(host):\(port)"
    }
}
