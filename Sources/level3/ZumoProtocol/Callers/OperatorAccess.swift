public import HTTPModel
import Platform

/// Who may see what is meant for the operator: admins, and callers on the server's own machine.
///
/// A proxy there says for whom it asks, if it was configured to. One that wasn't is recognized in other ways: it speaks
/// HTTP/1.0 to the server, as nginx does by default, or runs under a service account.
public enum OperatorAccess {
    /// Whether a request comes from one of them. One passed on by a proxy on this machine counts as its client's; one
    /// made by a web page in a browser on this machine counts as the page's.
    public static func isGranted(to request: HTTPRequest, by callers: Callers) async -> Bool {
        if TrustedProxies.loopback.contain(request.peer), !request.fields.all.contains(where: isOfOthers),
            isOfPerson(request)
        {
            return true
        }
        return await callers.isAdmin(request)
    }

    /// Whether a request comes from the server's own machine: by a program there, or by a page of this server itself in a
    /// browser there.
    public static func isOnMachine(_ request: HTTPRequest) -> Bool {
        guard TrustedProxies.loopback.contain(request.peer) else { return false }
        let own = request.fields["Host"].map { "\(request.isSecured ? "https" : "http")://\($0)".lowercased() }
        let isOfOthers = request.fields.all.contains { field in
            if field.name.lowercased() == "origin", field.value.lowercased() == own { return false }
            return Self.isOfOthers(field)
        }
        return !isOfOthers && isOfPerson(request)
    }

    /// Whether a request on this machine comes from a person's program and not from a proxy, judging by its HTTP
    /// version and the account that owns its socket. If the system doesn't reveal accounts, it counts as a person's.
    private static func isOfPerson(_ request: HTTPRequest) -> Bool {
        guard let ports = request.ports else { return true }
        guard request.isModern else { return false }
        guard let users = SocketOwners.users(of: ports.peer, to: ports.own) else { return true }
        return !users.isEmpty && users.allSatisfy(SocketOwners.isOfPerson)
    }

    /// Whether a web page made a request that is none of this machine, or a name led here that somebody else's name server
    /// answers for. A page that a developer's server or a phone's shell has at `localhost` is of this machine.
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
        // A browser leaves `Origin` out where the page's own host is asked. That one is a name which somebody else's
        // name server has led here (DNS rebinding), unless it is of this machine or no name.
        if name == "host" { return !isOfMachine(field.value) }
        return othersFields.contains(name) || name.hasPrefix("x-forwarded") || name.hasPrefix("x-envoy-")
    }

    /// What web pages and proxies add.
    private static let othersFields = [
        "origin", "forwarded", "via", "x-real-ip", "x-client-ip", "client-ip", "true-client-ip", "cf-connecting-ip",
        "x-cluster-client-ip", "x-original-forwarded-for", "x-original-host", "x-originating-ip", "x-remote-ip",
        "x-proxyuser-ip", "x-scheme", "proxy-connection", "cdn-loop",
    ]

    /// Whether a Host field names this machine, whatever the port, or holds an address, as no name server answers for it.
    private static func isOfMachine(_ host: String) -> Bool {
        guard let origin = WebOrigin(host), origin.scheme == nil else { return false }
        return origin.bareHost == "localhost" || IPNetwork.bytes(of: String(origin.bareHost)) != nil
    }
}
