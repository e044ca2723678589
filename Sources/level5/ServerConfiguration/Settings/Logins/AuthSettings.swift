package import Access
import Tables

extension Configuration {
    /// The keys by which callers are identified. Their texts are not kept.
    public struct Auth: Sendable {
        /// The issuer and audience that Azure's servers used.
        static let azureName = "urn:microsoft:windows-azure:zumo"

        package var signingKey: SigningKey?
        /// Previous signing keys, whose tokens are still valid.
        package var oldSigningKeys: [SigningKey] = []
        /// Whether scripts of the Node SDK may sign tokens, each server with a key derived from its own.
        var trustsScripts = false
        var applicationKey: SharedSecret?
        var applicationKeyRequired = false
        var masterKey: SharedSecret?
        var masterKeyDerivedKey: SigningKey?
        /// The accepted `iss` of tokens; the server's own tokens have the first one that doesn't name a tenant.
        package var issuers = [azureName]
        /// The accepted `aud` of tokens; the server's own tokens have the first.
        package var audiences = [azureName]
        package var issuer: String { issuers.first { !$0.contains("{tenantid}") } ?? Self.azureName }
        package var audience: String { audiences.first ?? Self.azureName }

        /// Files with public keys of other issuers whose tokens are accepted too.
        package var keySources: [KeySource] = []

        /// The login providers.
        package var providers: [ProviderDeclaration] = []
        /// Where the providers are configured, for messages.
        var providersOrigin: ConfigurationValue?
        /// Where apps may have their users sent after a login.
        package var redirects: [String] = []
        /// How long the token of a login is valid.
        package var tokenLifetime = Duration.seconds(30 * 86_400)
        /// How long after a login its token can be exchanged for new ones.
        package var sessionLifetime = Duration.seconds(180 * 86_400)

        /// Whether a logout ends all logins of its user.
        package var logoutEndsAll = false

        /// Whether users of the server's own database can log in.
        package var hasLocalUsers: Bool { providers.contains { if case .local = $0.form { true } else { false } } }

        /// All sources of other issuers' keys: those of `auth.keySets`, then those of the providers.
        package var allKeySources: [KeySource] { keySources + providers.compactMap(\.keySource) }

        /// Returns an authenticator. Without keys every token is refused, and there are no admins.
        /// - Parameter readings: the readings of all key sources, in order.
        package func authenticator(by readings: [KeyReading] = []) -> Authenticator {
            Authenticator(
                verifier: verifier(by: readings), applicationKey: applicationKey, masterKey: masterKey,
                applicationKeyRequired: applicationKeyRequired)
        }

        /// Returns a verifier with the keys that were read.
        package func verifier(by readings: [KeyReading]) -> TokenVerifier {
            TokenVerifier(
                signingKey: signingKey, oldSigningKeys: oldSigningKeys,
                publicKeys: zip(keySources, readings).flatMap { $0.trusted($1) },
                masterKeyDerivedKey: masterKeyDerivedKey, scriptKeys: scriptKeys,
                issuers: issuers.contains(issuer) ? issuers : issuers + [issuer], audiences: audiences)
        }

        private var scriptKeys: [ScriptKey] {
            guard trustsScripts else { return [] }
            return ([signingKey].compactMap(\.self) + oldSigningKeys).compactMap(ScriptKey.init)
        }

        /// Returns the verifiers of the external providers' tokens, with the keys that were read.
        package func providerVerifiers(by readings: [KeyReading]) -> [String: TokenVerifier] {
            var verifiers: [String: TokenVerifier] = [:]
            let external = providers.compactMap { provider in provider.keySource.map { (provider.name, $0) } }
            for ((name, source), reading) in zip(external, readings.dropFirst(keySources.count)) {
                verifiers[name] = TokenVerifier(publicKeys: source.trusted(reading, tellingLogins: true))
            }
            return verifiers
        }

        /// Returns those whose tokens can't be verified as no key is usable: providers by name, key sets by position.
        package func keyless(by readings: [KeyReading]) -> [String] {
            let names = keySources.map(\.key) + providers.filter { $0.keySource != nil }.map(\.name)
            return zip(names, readings).filter { $1.isEmpty }.map(\.0)
        }
    }
}

extension Setting {
    static let auth: [Setting] = [
        Setting("auth.signingKey", isSecret: true) { value, configuration throws(ConfigurationFault) in
            let (key, isSaid) = try value.signingKey()
            configuration.auth.signingKey = key
            configuration.note(key, isSaid: isSaid, of: value)
        },
        Setting("auth.oldSigningKeys", isSecret: true) { value, configuration throws(ConfigurationFault) in
            let items = value.oldKeys
            // The keys of a source that this one overrides no longer apply.
            configuration.auth.oldSigningKeys = []
            configuration.weaknesses.removeAll { $0.key?.hasPrefix(value.key) == true }
            configuration.explanations.removeAll { $0.key?.hasPrefix(value.key) == true }
            for item in items {
                let (key, isSaid) = try item.signingKey()
                configuration.auth.oldSigningKeys.append(key)
                configuration.note(key, isSaid: isSaid, of: item)
            }
        },
        Setting("auth.applicationKey", isSecret: true) { value, configuration throws(ConfigurationFault) in
            let key = try value.key { text throws(KeyFault) in try SharedSecret(text) }
            configuration.auth.applicationKey = key
            configuration.note(key.weakness, of: value)
        },
        .boolean("auth.applicationKeyRequired") { $0.auth.applicationKeyRequired = $1 },
        Setting("auth.masterKey", isSecret: true) { value, configuration throws(ConfigurationFault) in
            let key = try value.key { text throws(KeyFault) in try SharedSecret(text) }
            configuration.auth.masterKey = key
            configuration.note(key.weakness, of: value)
            configuration.auth.masterKeyDerivedKey = try value.key { text throws(KeyFault) in
                try SigningKey.derived(fromMasterKey: text)
            }
        },
        Setting("auth.keySets") { value, configuration throws(ConfigurationFault) in
            var sources: [KeySource] = []
            if case .list(let items) = value.form {
                for item in items { sources.append(try KeySource(item)) }
            } else {
                sources.append(try KeySource(value))
            }
            configuration.look(into: sources, of: value)
            configuration.auth.keySources = sources
        },
        .texts("auth.issuer") { $0.auth.issuers = $1 },
        .texts("auth.audience") { $0.auth.audiences = $1 },
    ]
}

extension SharedSecret {
    /// A warning about a key that is short enough to be guessed; nil if it isn't.
    fileprivate var weakness: String? {
        let least = Self.recommendedByteCount
        return byteCount < least ? "is a key of \(byteCount) bytes; one under \(least) can be guessed" : nil
    }
}
