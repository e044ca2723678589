import Access

/// The token that another server's library gave an app about its user.
enum ProviderToken {
    /// The names under which the SDKs send it: of Google, of AAD and Facebook, and of Microsoft accounts.
    static let names = ["id_token", "access_token", "authenticationToken"]

    /// Checks it.
    /// - Returns: the user that it was made for.
    static func user(
        in texts: [String: String], by login: ExternalLogin, now: Int64
    ) throws(LoginFault) -> Principal.User {
        var last: TokenFault?
        for name in names {
            guard let token = texts[name], !token.isEmpty else { continue }
            do throws(TokenFault) {
                return try login.verifier.current.verify(token, now: now)
            } catch {
                last = error
            }
        }
        throw .tokenRefused(last)
    }
}
