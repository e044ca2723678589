import Glibc

/// The machines whose word about the client counts: what `Forwarded` and `X-Forwarded-…` say is theirs.
public struct TrustedProxies: Sendable {
    private let networks: [Network]

    /// Proxies on this machine alone.
    public static let loopback = TrustedProxies(networks: ["127.0.0.0/8", "::1/128"].compactMap(Network.init))

    private init(networks: [Network]) {
        self.networks = networks
    }

    /// - Parameter texts: addresses, or networks such as `10.0.0.0/8`.
    /// - Returns: nil where one of the texts is neither.
    public init?(_ texts: [String]) {
        var networks: [Network] = []
        for text in texts {
            guard let network = Network(text) else { return nil }
            networks.append(network)
        }
        self.init(networks: networks)
    }

    /// Whether an address belongs to a proxy.
    public func contain(_ address: String) -> Bool {
        guard let bytes = Network.bytes(of: address) else { return false }
        return networks.contains { $0.contains(bytes) }
    }
}

private struct Network: Sendable {
    /// 16 bytes; those of an IPv4 address behind the prefix that maps them.
    let address: [UInt8]
    let bits: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = Self.bytes(of: String(first)) else { return nil }
        let isIPv4 = !first.contains(":")
        let longest = isIPv4 ? 32 : 128
        var length = longest
        if parts.count == 2 {
            guard let written = Int(parts[1]), (0...longest).contains(written) else { return nil }
            length = written
        }
        address = bytes
        bits = isIPv4 ? 96 + length : length
    }

    func contains(_ other: [UInt8]) -> Bool {
        for index in 0..<16 {
            let rest = bits - 8 * index
            if rest <= 0 { return true }
            let mask: UInt8 = rest >= 8 ? 0xFF : ~(0xFF >> UInt8(rest))
            if address[index] & mask != other[index] & mask { return false }
        }
        return true
    }

    static func bytes(of text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if text.contains(":") {
            guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
            return bytes
        }
        var four = [UInt8](repeating: 0, count: 4)
        guard unsafe inet_pton(AF_INET, text, &four) == 1 else { return nil }
        return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + four
    }
}
