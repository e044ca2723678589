import Access
import ServerConfiguration

/// The keys that tell good tokens from bad ones, as they stand now. They change while the server runs.
struct Keys: Sendable {
    let authenticator: Authenticator
    /// What the tokens of each external login provider are checked with.
    let providers: [String: CurrentVerifier]
    private let auth: Configuration.Auth

    init(_ auth: Configuration.Auth) throws(ConfigurationFault) {
        self.auth = auth
        authenticator = try auth.authenticator()
        providers = try auth.providerVerifiers()
    }

    /// The files and directories that the keys come from.
    var sources: [KeySource] {
        auth.keySources + auth.providers.compactMap(\.keySource)
    }

    /// Reads the files anew; where one can't be read, all keys stay as they are.
    func readAgain() throws(ConfigurationFault) {
        let newer = try auth.providerVerifiers()
        authenticator.verifier.replace(with: try auth.verifier())
        for (name, provider) in providers {
            if let current = newer[name]?.current { provider.replace(with: current) }
        }
    }
}
