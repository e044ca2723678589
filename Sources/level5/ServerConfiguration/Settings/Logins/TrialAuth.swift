package import Access
import Foundation

extension Configuration.Auth {
    /// Replaces the operator's key with one of the trial's own, so the operator need not be asked for tokens. An
    /// application key doesn't count for the users of a trial, as it doesn't for those of the app.
    package mutating func renewForTrial() throws(KeyFault) -> TokenMinter {
        let key = try SigningKey("\(UUID().uuidString)\(UUID().uuidString)")
        signingKey = key
        applicationKey = nil
        applicationKeyRequired = false
        return TokenMinter(key: key, issuer: issuer, audience: audience)
    }
}
