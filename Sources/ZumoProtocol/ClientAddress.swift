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
}
