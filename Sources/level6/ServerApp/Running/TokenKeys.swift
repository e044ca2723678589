import Access
import Platform
package import ServerConfiguration
import Synchronization

/// The current keys for verifying tokens, which change while the server runs.
package final class TokenKeys: Sendable {
    let authenticator: Authenticator
    /// The verifiers of each external login provider's tokens.
    let providers: [String: CurrentVerifier]
    /// The state of the files before they were read: later changes are read again.
    let states: [[FileState]]
    private let auth: Configuration.Auth
    /// The readings of the sources, in order.
    private let readings: Mutex<[KeyReading]>

    /// - Parameter older: the keys of an earlier configuration, which remain for files that can't be read any more.
    package init(_ auth: Configuration.Auth, keeping older: TokenKeys? = nil) {
        self.auth = auth
        states = auth.allKeySources.map { $0.state() }
        let readings = auth.allKeySources.map { source in
            older?.reading(of: source).map { source.read().keeping($0) } ?? source.read()
        }
        authenticator = auth.authenticator(by: readings)
        providers = auth.providerVerifiers(by: readings).mapValues { CurrentVerifier($0) }
        self.readings = Mutex(readings)
    }

    /// The sources of the keys.
    var sources: [KeySource] { auth.allKeySources }

    /// Those whose tokens can't be verified for lack of a usable key.
    var keyless: [String] { auth.keyless(by: readings.withLock { $0 }) }

    /// Rereads the files; if one can't be read, its keys stay as they are.
    /// - Returns: what to report about the files.
    func readAgain() -> [ConfigurationFault] {
        let newer = readings.withLock { readings in
            readings = zip(sources, readings).map { $0.read().keeping($1) }
            return readings
        }
        authenticator.verifier.replace(with: auth.verifier(by: newer))
        for (name, verifier) in auth.providerVerifiers(by: newer) { providers[name]?.replace(with: verifier) }
        return newer.flatMap(\.remarks)
    }

    private func reading(of source: KeySource) -> KeyReading? {
        readings.withLock { readings in zip(sources, readings).first { $0.0.isSame(as: source) }?.1 }
    }
}
