public import HTTPModel

/// The machines whose statements about clients, in `Forwarded` and `X-Forwarded-…`, are trusted.
public struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]
    /// Whether an operator has named them, and so vouches for what they send; those on this machine are assumed.
    public private(set) var areNamed = false

    /// Only proxies on this machine.
    public static let loopback = TrustedProxies(networks: ["127.0.0.0/8", "::1/128"].compactMap(IPNetwork.init))

    private init(networks: [IPNetwork]) {
        self.networks = networks
    }

    /// - Parameter texts: addresses, or networks such as `10.0.0.0/8`.
    /// - Returns: nil if one of the texts is neither.
    public init?(_ texts: [String]) {
        var networks: [IPNetwork] = []
        for text in texts {
            guard let network = IPNetwork(text) else { return nil }
            networks.append(network)
        }
        self.init(networks: networks)
        areNamed = true
    }

    /// Returns a request without the fields that the old platform set and its code trusted: who is signed in, their
    /// tokens at providers, and what its balancers reported. They are kept if a proxy sent them that the operator has
    /// named, whose task it is to set them.
    public func proved(_ request: HTTPRequest) -> HTTPRequest {
        if areNamed, contain(request.peer) { return request }
        func isPlatforms(_ name: String) -> Bool {
            let folded = name.lowercased()
            return Self.platformPrefixes.contains(where: folded.hasPrefix)
        }
        guard request.fields.all.contains(where: { isPlatforms($0.name) }) else { return request }
        var proved = request
        proved.fields = HTTPFields()
        for (name, value) in request.fields.all where !isPlatforms(name) {
            proved.fields.append(name: Array(name.utf8).span, value: Array(value.utf8).span)
        }
        return proved
    }

    /// The prefixes of field names set by App Service, its balancers and its sign-in.
    private static let platformPrefixes = [
        "x-ms-client-principal", "x-ms-token-", "x-ms-auth-", "x-arr-", "x-waws-", "x-appservice-",
        "x-site-deployment-id", "x-client-ip", "x-client-port", "client-ip", "disguised-host", "was-default-hostname",
        "x-azure-", "x-fd-",
    ]

    /// Whether one of them is wider than any private network, so that together such networks may cover everyone.
    public var containEverybody: Bool { networks.contains(where: \.isWide) }

    /// Returns whether an address belongs to a proxy.
    public func contain(_ address: String) -> Bool {
        guard let bytes = IPNetwork.bytes(of: address) else { return false }
        return networks.contains { $0.contains(bytes) }
    }
}
