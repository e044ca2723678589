public import Access
import Glibc
public import HTTPModel

/// Who sends a request.
public enum Caller {
    /// Finds out from `X-ZUMO-AUTH` or `Authorization`, `X-ZUMO-APPLICATION` and `X-ZUMO-MASTER`.
    ///
    /// - Throws: what is wrong with a token. It is refused on every table route, an anonymous one too (v1, and v2 quirk
    ///   38): the client logs in again.
    public static func principal(
        of request: HTTPRequest, in generation: Generation, by authenticator: Authenticator
    ) throws(TokenFault) -> Principal {
        let credentials = Credentials(
            token: nonEmpty(request.fields["X-ZUMO-AUTH"]) ?? request.fields["Authorization"],
            applicationKey: request.fields["X-ZUMO-APPLICATION"], masterKey: request.fields["X-ZUMO-MASTER"],
            expectsApplicationKey: generation == .v1)
        return try authenticator.principal(for: credentials, now: Int64(time(nil)))
    }

    /// What a client is told of its token. What is wrong with a forged one is nobody's business but the operator's.
    public static func text(for fault: TokenFault) -> String {
        fault == .expired ? "The token has expired." : "The token is not valid."
    }

    private static func nonEmpty(_ text: String?) -> String? {
        text == "" ? nil : text
    }
}
