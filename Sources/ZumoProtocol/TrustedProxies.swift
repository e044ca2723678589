/// The machines whose word about the client counts: what `Forwarded` and `X-Forwarded-…` say is theirs.
public struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]

    /// Proxies on this machine alone.
    public static let loopback = TrustedProxies(networks: ["127.0.0.0/8", "::1/128"].compactMap(IPNetwork.init))

    private init(networks: [IPNetwork]) {
        self.networks = networks
    }

    /// - Parameter texts: addresses, or networks such as `10.0.0.0/8`.
    /// - Returns: nil where one of the texts is neither.
    public init?(_ texts: [String]) {
        var networks: [IPNetwork] = []
        for text in texts {
            guard let network = IPNetwork(text) else { return nil }
            networks.append(network)
        }
        self.init(networks: networks)
    }

    /// Whether one of them is wider than any network of one's own, so that several of its kind are everybody.
    public var containEverybody: Bool { networks.contains(where: \.isWide) }

    /// Whether an address belongs to a proxy.
    public func contain(_ address: String) -> Bool {
        guard let bytes = IPNetwork.bytes(of: address) else { return false }
        return networks.contains { $0.contains(bytes) }
    }
}
