public import HTTPModel

/// Who may see what is the operator's: admins, and whoever is on the server's own machine.
public enum OperatorAccess {
    /// Whether a request comes from one of them. One that a proxy on this machine passes on says so, and counts as its
    /// client's.
    public static func isGranted(to request: HTTPRequest, by callers: Callers) -> Bool {
        let isLocal = TrustedProxies.loopback.contain(request.peer) && !request.fields.all.contains(where: isOfProxy)
        return isLocal || callers.isAdmin(request)
    }

    private static func isOfProxy(_ field: (name: String, value: String)) -> Bool {
        let name = field.name.lowercased()
        return ["forwarded", "via", "x-real-ip"].contains(name) || name.hasPrefix("x-forwarded-")
    }
}
