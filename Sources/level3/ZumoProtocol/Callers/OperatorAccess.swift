public import HTTPModel
import Platform

/// Decides who may see the operator's pages: admins, and callers on the server's own machine.
///
/// A proxy there reports its client, if configured to. One that doesn't is recognized in other ways: it speaks HTTP/1.0
/// to the server, as nginx does by default, or runs under a service account.
public enum OperatorAccess {
    /// Returns whether a request comes from an operator. One passed on by a proxy on this machine counts as its
    /// client's; one made by a web page in a browser on this machine counts as the page's.
    public static func isGranted(to request: HTTPRequest, by callers: Callers) async -> Bool {
        if TrustedProxies.loopback.contain(request.peer), !request.fields.all.contains(where: isOfOthers),
            isOfPerson(request)
        {
            return true
        }
        return await callers.isAdmin(request)
    }

    /// Returns whether a request comes from the server's own machine: from a program, or from a page of this server in
    /// a browser there.
    public static func isOnMachine(_ request: HTTPRequest) -> Bool {
        guard TrustedProxies.loopback.contain(request.peer) else { return false }
        let own = request.fields["Host"].map { "\(request.isSecured ? "https" : "http")://\($0)".lowercased() }
        let isOfOthers = request.fields.all.contains { field in
            if field.name.lowercased() == "origin", field.value.lowercased() == own { return false }
            return Self.isOfOthers(field)
        }
        return !isOfOthers && isOfPerson(request)
    }

    /// Returns whether a request on this machine comes from a person's program rather than a proxy, by its HTTP version
    /// and the account that owns its socket. If the system doesn't reveal accounts, it counts as a person's.
    private static func isOfPerson(_ request: HTTPRequest) -> Bool {
        guard let ports = request.ports else { return true }
        guard request.isModern else { return false }
        guard let users = SocketOwners.users(of: ports.peer, to: ports.own) else { return true }
        return !users.isEmpty && users.allSatisfy(SocketOwners.isOfPerson)
    }

    /// Returns whether a web page from elsewhere made a request, or its host name is under someone else's control. A
    /// page that a developer's server or a phone's shell serves at `localhost` belongs to this machine.
    public static func isOfForeignPage(_ request: HTTPRequest) -> Bool {
        request.fields.all.contains { field in
            switch field.name.lowercased() {
            case "host": !isOfMachine(field.value)
            case "origin": WebOrigin(field.value).map { $0.scheme == nil || !$0.isLoopback } ?? true
            case "sec-fetch-site": field.value == "cross-site" && !request.fields.contains("Origin")
            default: false
            }
        }
    }

    private static func isOfOthers(_ field: (name: String, value: String)) -> Bool {
        let name = field.name.lowercased()
        // A browser omits `Origin` for requests to the page's own host. That host is a name which someone else's name
        // server resolves to here (DNS rebinding), unless it is this machine's or an address.
        if name == "host" { return !isOfMachine(field.value) }
        return othersFields.contains(name) || name.hasPrefix("x-forwarded") || name.hasPrefix("x-envoy-")
    }

    /// Fields that web pages and proxies add.
    private static let othersFields = [
        "origin", "forwarded", "via", "x-real-ip", "x-client-ip", "client-ip", "true-client-ip", "cf-connecting-ip",
        "x-cluster-client-ip", "x-original-forwarded-for", "x-original-host", "x-originating-ip", "x-remote-ip",
        "x-proxyuser-ip", "x-scheme", "proxy-connection", "cdn-loop",
    ]

    /// Returns whether a Host field names this machine, with any port, or is an address, which no name server resolves.
    private static func isOfMachine(_ host: String) -> Bool {
        guard let origin = WebOrigin(host), origin.scheme == nil else { return false }
        return origin.bareHost == "localhost" || IPNetwork.bytes(of: String(origin.bareHost)) != nil
    }
}
