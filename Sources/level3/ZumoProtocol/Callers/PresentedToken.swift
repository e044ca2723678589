public import HTTPModel

/// The token in a request.
public enum PresentedToken {
    /// Returns the token in `X-ZUMO-AUTH`, or else `Authorization`, with or without `Bearer`; nil without one. Empty
    /// fields and other schemes are ignored: the `Basic` of a proxy says nothing about a user of this server.
    public static func of(_ request: HTTPRequest) -> String? {
        if let token = request.fields["X-ZUMO-AUTH"], !token.isEmpty { return token }
        guard let text = request.fields["Authorization"], !text.isEmpty else { return nil }
        let scheme = text.prefix { $0 != " " }
        let isBearer = scheme.lowercased() == "bearer"
        // A bare token contains no space.
        return scheme.endIndex == text.endIndex ? (isBearer ? nil : text) : (isBearer ? text : nil)
    }
}
