public import HTTPModel

/// The address under which the client reaches this server, for locations and links.
public struct PublicAddress {
    /// Scheme, host and perhaps a path, without a slash at the end.
    public let base: String

    /// - Parameters:
    ///   - publicURL: the configured one, which wins; else counts what a trusted proxy says; else the Host field.
    ///   - proxies: those that are trusted.
    public init(_ request: HTTPRequest, publicURL: String?, trusting proxies: TrustedProxies) {
        if let publicURL {
            base = publicURL + request.basePath
            return
        }
        var scheme = request.isSecured ? "https" : "http"
        var host = request.fields["Host"] ?? ""
        let forwarded = Self.forwarded(request.fields)
        // To tell whose address it is takes longer.
        if forwarded.scheme != nil || forwarded.host != nil, proxies.contain(request.peer) {
            scheme = forwarded.scheme ?? scheme
            host = forwarded.host ?? host
        }
        base = "\(scheme)://\(Self.isHost(host) ? host : "localhost")\(request.basePath)"
    }

    /// RFC 7239 before the older X- fields; the first element is the client's side.
    private static func forwarded(_ fields: HTTPFields) -> (scheme: String?, host: String?) {
        var scheme: String?
        var host: String?
        for (name, written) in fields["Forwarded"].flatMap({ ForwardedField.elements($0).first }) ?? [] {
            let value = written.filter { $0 != "\"" && $0 != " " }
            switch name.filter({ $0 != " " }).lowercased() {
            case "proto": scheme = value.lowercased()
            case "host": host = value
            default: continue
            }
        }
        scheme = scheme ?? first(of: fields["X-Forwarded-Proto"])?.lowercased()
        host = host ?? first(of: fields["X-Forwarded-Host"])
        return (scheme == "http" || scheme == "https" ? scheme : nil, host.flatMap { isHost($0) ? $0 : nil })
    }

    private static func first(of list: String?) -> String? {
        list?.split(separator: ",").first.map { String($0.filter { $0 != " " }) }
    }

    /// What may stand in a URL as host and port, so that a forged field can't break a header or a link.
    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}
