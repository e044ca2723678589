import ByteText
public import HTTPModel

/// The address under which the client reaches this server, for locations and links.
public struct PublicAddress {
    /// Scheme, host and optional path, without a trailing slash.
    public let base: String

    /// The path of the base; may be empty.
    public var path: Substring {
        guard let scheme = base.firstRange(of: "://") else { return "" }
        return base[scheme.upperBound...].drop { $0 != "/" }
    }

    /// - Parameters:
    ///   - publicURL: the configured URL, which takes precedence over what a trusted proxy reports, and that over the
    ///     Host field.
    ///   - proxies: the trusted proxies.
    public init(_ request: HTTPRequest, publicURL: String?, trusting proxies: TrustedProxies) {
        if let publicURL {
            base = publicURL + request.basePath
            return
        }
        var scheme = request.isSecured ? "https" : "http"
        var authority = Authority(request.fields["Host"] ?? "") ?? .unknown
        var prefix = ""
        // Checking whether the peer is a proxy takes longer.
        if let word = ForwardedAddress(request.fields, trusting: proxies), proxies.contain(request.peer) {
            scheme = word.scheme ?? scheme
            authority = word.authority ?? authority
            if let port = word.port, word.authority?.port == nil { authority.port = port }
            if word.port != nil, authority.port == Authority.defaultPort(of: scheme) { authority.port = nil }
            prefix = word.prefix
        }
        base = "\(scheme)://\(authority.text)\(prefix)\(request.basePath)"
    }
}

/// Host and port as they appear in a URL, so that a forged field can't break a header or a link.
struct Authority {
    private let host: Substring
    var port: Int?

    /// The authority if there is no information.
    static let unknown = Authority(host: "localhost", port: nil)

    private init(host: Substring, port: Int?) {
        self.host = host
        self.port = port
    }

    /// - Returns: nil for text that is neither a name nor an address, or has no port after its colon.
    init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), text.utf8.last != UInt8(ascii: "]") else {
            guard Self.isHost(text) else { return nil }
            self.init(host: text, port: nil)
            return
        }
        guard let port = Self.port(text[colon...].dropFirst()), Self.isHost(text[..<colon]) else { return nil }
        self.init(host: text[..<colon], port: port)
    }

    var text: String { port.map { "\(host):\($0)" } ?? String(host) }

    static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

    static func port(_ digits: some StringProtocol) -> Int? {
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = Int(digits), (1...65_535).contains(port)
        else { return nil }
        return port
    }

    private static func isHost(_ text: Substring) -> Bool {
        if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") {
            let inner = String(text.dropFirst().dropLast())
            return inner.contains(":") && IPNetwork.bytes(of: inner) != nil
        }
        return (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0.isLetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }
}
