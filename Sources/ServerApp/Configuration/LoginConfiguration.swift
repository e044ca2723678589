import Access
import AuthAPI

/// A login provider as the configuration names it.
struct WrittenProvider: Sendable {
    let name: String
    let form: Form

    enum Form: Sendable {
        case local
        case external(KeySource, authorizeURL: String?, clientID: String)
    }

    /// Reads `NAME: { keySet, issuer, audience, authorizeUrl }`, or `local:` with nothing.
    init(_ member: WrittenValue.Member) throws(ConfigurationFault) {
        let value = member.value
        name = member.name.lowercased()
        guard !name.isEmpty, name.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) }), name != "done"
        else { throw value.fault("a provider's name is of letters and digits, as it stands in /.auth/login/NAME") }
        if name == "local" {
            if !value.isEmpty, let first = try value.members().first {
                throw first.value.fault("the provider local has no settings: its users are in the database")
            }
            form = .local
            return
        }
        var values: [String: WrittenValue] = [:]
        for member in try value.members() {
            guard Self.keys.contains(member.name) else { throw .unknownKey(member, among: Self.keys) }
            if !member.value.isEmpty { values[member.name] = member.value }
        }
        guard let keySet = values["keySet"], let issuer = values["issuer"], let audience = values["audience"] else {
            throw value.fault("needs keySet (a file), issuer and audience: who signs its tokens, and for which app")
        }
        let clientID = try audience.text()
        let source = KeySource(
            path: try keySet.text(), written: keySet, issuer: try issuer.text(), audience: clientID)
        _ = try source.read()
        let url = try values["authorizeUrl"].map { value throws(ConfigurationFault) in try PublicURL.read(value) }
        form = .external(source, authorizeURL: url, clientID: clientID)
    }

    /// The file of its keys; nil for a provider without.
    var keySource: KeySource? {
        if case .external(let source, _, _) = form { source } else { nil }
    }

    private static let keys = ["keySet", "issuer", "audience", "authorizeUrl"]
}

extension Setting {
    static let login: [Setting] = [
        Setting("auth.providers") { value, configuration throws(ConfigurationFault) in
            var providers: [WrittenProvider] = []
            for member in try value.members() {
                let provider = try WrittenProvider(member)
                guard !providers.contains(where: { $0.name == provider.name }) else {
                    throw member.value.fault("is there twice")
                }
                providers.append(provider)
            }
            configuration.auth.providers = providers
            configuration.auth.providersOrigin = value
        },
        Setting("auth.redirects") { value, configuration throws(ConfigurationFault) in
            configuration.auth.redirects = []
            for item in try value.commaSeparated() {
                let text = try item.text()
                let scheme = text.prefix { $0 != ":" }
                guard text.contains("://"), !scheme.contains("*"), scheme.lowercased() != "javascript",
                    !text.dropLast().contains("*"), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
                else { throw item.mismatch("a URL such as myapp://easyauth.callback, with * at its end or without") }
                // Or `https://app.example*` would also be `https://app.example.evil`.
                if ["http", "https"].contains(scheme.lowercased()), text.hasSuffix("*"),
                    !text.dropFirst(scheme.count + 3).drop(while: { $0 == "/" }).contains("/")
                {
                    throw item.fault("has to name the whole host: a * stands for what follows a / behind it")
                }
                configuration.auth.redirects.append(text)
            }
        },
        Setting("auth.tokenLifetime") { value, configuration throws(ConfigurationFault) in
            configuration.auth.tokenLifetime = try lifetime(value)
        },
        Setting("auth.sessionLifetime") { value, configuration throws(ConfigurationFault) in
            configuration.auth.sessionLifetime = try lifetime(value)
        },
    ]

    private static func lifetime(_ value: WrittenValue) throws(ConfigurationFault) -> Duration {
        guard let lifetime = WrittenDuration.parse(try value.text()), lifetime > .zero else {
            throw value.mismatch("a number with s, m, h or d behind it, such as 30d")
        }
        return lifetime
    }
}

extension Configuration.Auth {
    /// What the login routes need; nil where no login is possible, for there is no key to sign tokens with.
    func loginSettings(_ verifiers: [String: CurrentVerifier]) -> LoginSettings? {
        guard let signingKey else { return nil }
        var settings = LoginSettings(signingKey: signingKey, issuer: issuer, audience: audience)
        settings.lifetime = tokenLifetime
        settings.sessionLifetime = sessionLifetime
        settings.redirects = redirects
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

    /// What each external provider's tokens are checked with, by the keys as they stand in the files.
    func providerVerifiers() throws(ConfigurationFault) -> [String: CurrentVerifier] {
        var verifiers: [String: CurrentVerifier] = [:]
        for provider in providers {
            guard let source = provider.keySource else { continue }
            verifiers[provider.name] = CurrentVerifier(
                TokenVerifier(publicKeys: try source.read(loginsOf: source.audience)))
        }
        return verifiers
    }
}
