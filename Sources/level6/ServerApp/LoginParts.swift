import Access
import AuthAPI
import ServerConfiguration

extension Configuration.Auth {
    /// Returns the settings of logins; nil if there is no key to sign tokens with.
    func loginSettings(_ verifiers: [String: CurrentVerifier]) -> LoginSettings? {
        guard let signingKey else { return nil }
        var settings = LoginSettings(signingKey: signingKey, issuer: issuer, audience: audience)
        settings.oldSigningKeys = oldSigningKeys
        settings.lifetime = tokenLifetime
        settings.sessionLifetime = sessionLifetime
        settings.redirects = redirects
        settings.logoutEndsAll = logoutEndsAll
        for provider in providers {
            switch provider.form {
            case .local: settings.providers[provider.name] = .local
            case .external(_, let url, let clientID):
                guard let verifier = verifiers[provider.name] else { continue }
                settings.providers[provider.name] = .external(
                    provider.name, ExternalLogin(verifier: verifier, authorizeURL: url, clientID: clientID))
            }
        }
        return settings
    }
}
