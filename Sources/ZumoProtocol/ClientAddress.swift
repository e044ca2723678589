public import HTTPModel

/// The address of the client behind the proxies.
public enum ClientAddress {
    /// The peer's own, or what the trusted proxies before it say: of the addresses in `X-Forwarded-For`, the last one
    /// that no trusted proxy has.
    public static func of(_ request: HTTPRequest, trusting proxies: TrustedProxies) -> String {
        guard proxies.contain(request.peer) else { return request.peer }
        let hops = request.fields.values("X-Forwarded-For").joined(separator: ",").split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" } }
        for hop in hops.reversed() where !proxies.contain(hop) {
            // What isn't an address is a forgery that a careless proxy let through.
            return TrustedProxies([hop]) == nil ? request.peer : hop
        }
        return request.peer
    }

    /// What a limit for each address counts by: an IPv4 address, or the first 64 bits of an IPv6 address, as a household
    /// or a rented machine has all the addresses that begin with them.
    public static func limited(_ request: HTTPRequest, trusting proxies: TrustedProxies) -> String {
        let address = of(request, trusting: proxies)
        guard let bytes = IPNetwork.bytes(of: address) else { return address }
        let isIPv4 = bytes.starts(with: IPNetwork.mapped)
        return (isIPv4 ? bytes[12...] : bytes[..<8]).map { String($0) }.joined(separator: ".")
    }
}
