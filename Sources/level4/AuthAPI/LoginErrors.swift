import Access
import HTTPModel
import Tables
import ZumoProtocol

// The one place where a failed login becomes a status and a text.
extension ErrorResponse {
    init(_ fault: LoginFault) {
        switch fault {
        case .unknownPath: self.init(.notFound, .pathUnknown, "There is nothing at this path.")
        case .unknownProvider(let name):
            self.init(.notFound, .providerUnknown, "There is no login provider named '\(String(name.prefix(40)))'.")
        case .methodNotAllowed(let method, let allowed):
            self.init(
                .methodNotAllowed, .methodNotAllowed, "\(String(method.name.prefix(20))) is not possible here.",
                allow: allowed)
        case .redirectRefused:
            self.init(.redirectRefused, "post_login_redirect_url is not one that this server may send users to.")
        case .challengeRefused:
            self.init(
                .challengeInvalid, "code_challenge is a SHA-256 digest in Base64, with code_challenge_method=S256.")
        case .completionRefused: self.init(.completionInvalid, "completion_type is neither postMessage nor iframe.")
        case .originRefused:
            self.init(.originRefused, "completion_origin is not one that this server may tell a token to.")
        case .noPage(let provider):
            self.init(
                .providerWithoutPage,
                "Users of '\(provider)' log in by its own library; POST the id_token that it gives.")
        case .bodyUnreadable:
            self.init(.bodyMalformed, "The body is not what a login needs: a JSON object with the provider's token.")
        case .stateRefused: self.init(.loginExpired, "The login took too long or began elsewhere; begin again.")
        case .cancelled: self.init(.loginCancelled, "The login was cancelled.")
        case .refusedByProvider(let word):
            self.init(.loginRefused, "The login provider let nobody in.", detail: "the provider says \(word)")
        case .pageRefused:
            self.init(.forbidden, .originRefused, "The form came from another site; log in on this server's own page.")
        case .wrongPassword: self.init(.unauthorized, .passwordWrong, "The user name or the password is wrong.")
        case .notAdmin: self.init(.forbidden, .adminOnly, "This user is no admin; `zumod user promote` makes one.")
        case .tokenRefused(let fault, let words):
            let (code, text): (ErrorCode, String) =
                fault == .expired
                ? (.tokenExpired, "The provider's token has expired.")
                : (.tokenInvalid, "The provider's token is not valid.")
            self.init(.unauthorized, code, text, detail: (words ?? fault?.rawValue).map { "login refused: \($0)" })
        case .notLoggedIn(let fault, let words):
            let (code, text): (ErrorCode, String) =
                fault == .expired
                ? (.tokenExpired, "The token has expired.") : (.loginRequired, "You must be logged in to do this.")
            self.init(.unauthorized, code, text, detail: (words ?? fault?.rawValue).map { "token refused: \($0)" })
        case .codeRefused: self.init(.unauthorized, .loginExpired, "The code is not valid, or has been used.")
        case .tooOften(let seconds):
            self.init(
                .tooManyRequests, .tooManyAttempts, "Too many attempts; try again in \(seconds) s.", retryAfter: seconds
            )
        case .caller(let fault): self.init(fault)
        case .busy:
            self.init(
                .serviceUnavailable, .serverBusy, "Too many logins at once; try again.",
                retryAfter: BusyRetry.seconds())
        case .storage(let error): self.init(outage: error)
        case .minting(let fault): self.init(failure: "no token was made: \(fault.words)")
        }
    }
}
