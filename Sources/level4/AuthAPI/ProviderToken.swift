import Access

/// The token that another server's library gave an app about its user.
enum ProviderToken {
    /// The names under which the SDKs send it: of Google, of AAD and Facebook, and of Microsoft accounts.
    static let names = ["id_token", "access_token", "authenticationToken"]

    /// Checks it.
    /// - Returns: the user that it was issued for, and what it says about them.
    static func user(
        in texts: [String: String], by login: ExternalLogin, now: Int64
    ) throws(LoginFault) -> (user: Principal.User, told: [String: String]) {
        var refusal: (fault: TokenFault, words: String)?
        for name in names {
            guard let token = texts[name], !token.isEmpty else { continue }
            let verifier = login.verifier.current
            do throws(TokenFault) {
                return (try verifier.verify(token, now: now), IdentityClaims.kept(of: token))
            } catch {
                // Beside an id_token there may be an access_token that is no token of this form: it has nothing to say.
                guard refusal == nil || refusal?.fault == .malformed else { continue }
                refusal = (error, verifier.words(for: error, of: token, now: now))
            }
        }
        throw .tokenRefused(refusal?.fault, words: refusal?.words)
    }
}
