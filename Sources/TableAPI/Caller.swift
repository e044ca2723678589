import Access
import Glibc
import HTTPModel

/// Who sends a request.
enum Caller {
    /// Finds out from `X-ZUMO-AUTH` or `Authorization`, `X-ZUMO-APPLICATION` and `X-ZUMO-MASTER`.
    ///
    /// A token that is no good is refused on every table route, an anonymous one too (quirk 38): the client logs in again.
    static func principal(of request: HTTPRequest, by authenticator: Authenticator) throws(RequestError) -> Principal {
        let credentials = Credentials(
            token: nonEmpty(request.fields["X-ZUMO-AUTH"]) ?? request.fields["Authorization"],
            applicationKey: request.fields["X-ZUMO-APPLICATION"], masterKey: request.fields["X-ZUMO-MASTER"])
        do throws(TokenFault) {
            return try authenticator.principal(for: credentials, now: Int64(time(nil)))
        } catch {
            throw .badToken(error)
        }
    }

    private static func nonEmpty(_ text: String?) -> String? {
        text == "" ? nil : text
    }
}
