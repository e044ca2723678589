public import HTTPModel

/// The token in a request.
public enum PresentedToken {
    /// `X-ZUMO-AUTH`, or else `Authorization` with or without `Bearer` before the token; nil without one. What is empty is not
    /// there, and neither is what has another scheme: the `Basic` of a proxy says nothing about a user of this server.
    public static func of(_ request: HTTPRequest) -> String? {
        if let token = request.fields["X-ZUMO-AUTH"], !token.isEmpty { return token }
        guard let text = request.fields["Authorization"], !text.isEmpty else { return nil }
        let scheme = text.prefix { $0 != " " }
        let isBearer = scheme.lowercased() == "bearer"
        // A token alone has no blank in it.
        return scheme.endIndex == text.endIndex ? (isBearer ? nil : text) : (isBearer ? text : nil)
    }
}
