public import HTTPModel

/// The address of the client behind the proxies.
public enum ClientAddress {
    /// Returns the peer's own address, or the one reported by the trusted proxies in front of the server: of the
    /// addresses in `X-Forwarded-For`, or in `Forwarded` (RFC 7239) if the older fields are missing, the last one that
    /// isn't a trusted proxy's. A port after it is ignored. A client hidden by its proxy counts as the proxy, because
    /// obfuscated names may change with each request.
    public static func of(_ request: HTTPRequest, trusting proxies: TrustedProxies) -> String {
        // Most clients have no proxy before them, and checking whether the peer is one costs more than these lookups.
        guard request.fields.contains("X-Forwarded-For") || request.fields.contains("Forwarded") else {
            return request.peer
        }
        guard proxies.contain(request.peer) else { return request.peer }
        let lists = request.fields.values("X-Forwarded-For")
        if lists.isEmpty, ForwardedAddress.areSetByName(in: request.fields) { return request.peer }
        let hops = lists.isEmpty ? request.fields.values("Forwarded").flatMap(clients) : lists.flatMap(elements)
        var nearest = request.peer
        for hop in hops.reversed() {
            // Anything but an address is obfuscated, or a forgery that a careless proxy let through.
            guard let address = address(in: hop) else { return nearest }
            guard proxies.contain(address) else { return address }
            nearest = address
        }
        return nearest
    }

    /// Copies all fields that reveal the address to another request.
    public static func copyFields(of request: HTTPRequest, to other: inout HTTPRequest) {
        for name in ForwardedAddress.namedFields + ["Forwarded"] {
            for value in request.fields.values(name) { other.fields.append(name, value) }
        }
    }

    private static func elements(_ list: String) -> [String] {
        list.split(separator: ",", omittingEmptySubsequences: false).map(trimmed).filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.filter { $0 != " " && $0 != "\t" && $0 != "\"" })
    }

    /// Returns the `for` of each element of a `Forwarded` field; empty for an element without one.
    private static func clients(_ field: String) -> [String] {
        ForwardedField.elements(field).map { pairs in
            pairs.first { trimmed($0.name).lowercased() == "for" }.map { trimmed($0.value) } ?? ""
        }
    }

    /// Parses an address with an optional port: `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`.
    static func address(in text: String) -> String? {
        if IPNetwork.bytes(of: text) != nil { return text }
        guard let colon = text.lastIndex(of: ":") ?? text.indices.last else { return nil }
        let behind = text[colon...].dropFirst()
        let hasPort = text[colon] == ":" && !behind.isEmpty && behind.utf8.allSatisfy { (48...57).contains($0) }
        let host = hasPort ? text[..<colon] : text[...]
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = String(host.dropFirst().dropLast())
            return inner.contains(":") && IPNetwork.bytes(of: inner) != nil ? inner : nil
        }
        return hasPort && !host.contains(":") && IPNetwork.bytes(of: String(host)) != nil ? String(host) : nil
    }

    /// Returns the key of per-address limits: an IPv4 address, or the network `2001:db8:0:0::/64` of an IPv6 address,
    /// since a household or a rented machine has all of the network's addresses.
    public static func limited(_ request: HTTPRequest, trusting proxies: TrustedProxies) -> String {
        let address = of(request, trusting: proxies)
        // An IPv4 address has only one spelling.
        guard address.utf8.contains(UInt8(ascii: ":")), let bytes = IPNetwork.bytes(of: address) else { return address }
        if bytes.starts(with: IPNetwork.mapped) { return bytes[12...].map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }
}
