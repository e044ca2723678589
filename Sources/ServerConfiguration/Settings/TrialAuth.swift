package import Access
import Foundation

extension Configuration.Auth {
    /// Puts a key of a trial's own in the place of the operator's, who need not be asked for tokens then. An application key
    /// is none to the users of a trial, as it is none to those of the app.
    package mutating func renewForTrial() throws(KeyFault) -> TokenMinter {
        let key = try SigningKey("\(UUID().uuidString)\(UUID().uuidString)")
        signingKey = key
        applicationKey = nil
        applicationKeyRequired = false
        return TokenMinter(key: key, issuer: issuer, audience: audience)
    }
}
