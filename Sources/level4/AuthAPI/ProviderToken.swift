import Access

/// A token about a user that a provider's library gave to an app.
enum ProviderToken {
    /// The members in which SDKs send it: for Google, for AAD and Facebook, and for Microsoft accounts.
    static let names = ["id_token", "access_token", "authenticationToken"]

    /// Verifies the token.
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
                // An access_token next to an id_token may have another format: it says nothing then.
                guard refusal == nil || refusal?.fault == .malformed else { continue }
                refusal = (error, verifier.words(for: error, of: token, now: now))
            }
        }
        throw .tokenRefused(refusal?.fault, words: refusal?.words)
    }
}
