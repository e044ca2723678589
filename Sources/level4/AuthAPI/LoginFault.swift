import Access
import HTTPModel
import Tables
import ZumoProtocol

/// Why a login or a request around it failed.
enum LoginFault: Error {
    case unknownPath
    case unknownProvider(String)
    case methodNotAllowed(HTTPMethod, allowed: String)
    case redirectRefused
    case challengeRefused
    case completionRefused
    case originRefused
    /// The provider's users log in with its own library; there is no page for them here.
    case noPage(String)
    case bodyUnreadable
    /// The user cancelled at the provider, or on this server's page.
    case cancelled
    /// The provider refused the login, with an error code of OpenID Connect.
    case refusedByProvider(String)
    /// The form came from a page of another site.
    case pageRefused
    /// The returned state was not issued by this server to this browser, or is too old.
    case stateRefused
    case wrongPassword
    /// The password is right, but the user doesn't administer the server.
    case notAdmin
    /// The provider's token is missing, forged, or meant for another app; the words are for the log.
    case tokenRefused(TokenFault?, words: String? = nil)
    /// The token is missing or invalid; the words are for the log.
    case notLoggedIn(TokenFault?, words: String? = nil)
    case codeRefused
    /// Too many password attempts.
    case tooOften(seconds: Int)
    /// Too many requests by a user, or an unavailable database.
    case caller(CallerFault)
    case busy
    case storage(TableError)
    case minting(MintFault)

    init(_ fault: CallerFault) {
        switch fault {
        case .token(let fault, let words): self = .notLoggedIn(fault, words: words)
        case .ended: self = .notLoggedIn(nil)
        case .tooOften, .tooManyKeys, .unavailable: self = .caller(fault)
        }
    }
}
