import Platform

/// An address, or a network.
struct IPNetwork: Sendable {
    /// 16 bytes; an IPv4 address is in its IPv6-mapped form.
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

    /// Whether it is wider than the widest private networks, 10.0.0.0/8 and fc00::/7. A wide IPv6 network may contain
    /// all of IPv4.
    var isWide: Bool {
        bits < 7 || bits < 96 + 8 && contains(Self.mapped + address[12...])
    }

    static func bytes(of text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if text.contains(":") {
            guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
            return bytes
        }
        var four = [UInt8](repeating: 0, count: 4)
        guard unsafe inet_pton(AF_INET, text, &four) == 1 else { return nil }
        return mapped + four
    }

    /// The prefix of an IPv4 address written as IPv6.
    static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
}
