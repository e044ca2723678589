import Access
import HTTPModel
import Tables
import ZumoProtocol

/// Why a login or what surrounds it fails.
enum LoginFault: Error {
    case unknownPath
    case unknownProvider(String)
    case methodNotAllowed(HTTPMethod, allowed: String)
    case redirectRefused
    case challengeRefused
    case completionRefused
    case originRefused
    /// The provider's users log in by its own library; there is no page for them here.
    case noPage(String)
    case bodyUnreadable
    /// The user gave up at the provider, or on this server's page.
    case cancelled
    /// The provider says that it logs nobody in, by a word of OpenID Connect's.
    case refusedByProvider(String)
    /// The form came from a page of somebody else.
    case pageRefused
    /// The state that came back is not one that this server gave to this browser, or is too old.
    case stateRefused
    case wrongPassword
    /// The password is right, but the user doesn't administer the server.
    case notAdmin
    /// The provider's token is missing, forged, or meant for somebody else; the words are the log's.
    case tokenRefused(TokenFault?, words: String? = nil)
    /// No token, or one that is no good; the words are the log's.
    case notLoggedIn(TokenFault?, words: String? = nil)
    case codeRefused
    /// Too many attempts at passwords.
    case tooOften(seconds: Int)
    /// Too many requests of a user, or a database that is away.
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
