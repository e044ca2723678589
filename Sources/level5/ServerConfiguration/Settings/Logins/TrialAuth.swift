package import Access
import Foundation

extension Configuration.Auth {
    /// Replaces the operator's signing key with a new one for the trial, so that the operator isn't asked for tokens.
    /// The application key isn't required of the trial's users, as it isn't of the app's.
    package mutating func renewForTrial() throws(KeyFault) -> TokenMinter {
        let key = try SigningKey("\(UUID().uuidString)\(UUID().uuidString)")
        signingKey = key
        applicationKey = nil
        applicationKeyRequired = false
        return TokenMinter(key: key, issuer: issuer, audience: audience)
    }
}
