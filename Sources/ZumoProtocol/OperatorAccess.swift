public import HTTPModel

/// Who may see what is the operator's: admins, and whoever is on the server's own machine.
public enum OperatorAccess {
    /// Whether a request comes from one of them. One that a proxy on this machine passes on says so, and counts as its
    /// client's; one that a web page in a browser on this machine makes counts as the page's.
    public static func isGranted(to request: HTTPRequest, by callers: Callers) async -> Bool {
        let isLocal = TrustedProxies.loopback.contain(request.peer) && !request.fields.all.contains(where: isOfOthers)
        if isLocal { return true }
        return await callers.isAdmin(request)
    }

    /// Whether a request comes from the server's own machine: by a program there, or by a page of this server itself in a
    /// browser there.
    public static func isOnMachine(_ request: HTTPRequest) -> Bool {
        guard TrustedProxies.loopback.contain(request.peer) else { return false }
        let own = request.fields["Host"].map { "\(request.isSecured ? "https" : "http")://\($0)".lowercased() }
        return !request.fields.all.contains { field in
            if field.name.lowercased() == "origin", field.value.lowercased() == own { return false }
            return isOfOthers(field)
        }
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
        return ["origin", "forwarded", "via", "x-real-ip"].contains(name) || name.hasPrefix("x-forwarded-")
    }

    /// Whether a Host field names this machine, whatever the port, or holds an address, as no name server answers for it.
    private static func isOfMachine(_ host: String) -> Bool {
        guard let origin = WebOrigin(host), origin.scheme == nil else { return false }
        return origin.bareHost == "localhost" || IPNetwork.bytes(of: String(origin.bareHost)) != nil
    }
}
