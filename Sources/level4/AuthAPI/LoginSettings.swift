public import Access
import Tables
public import ZumoProtocol

/// The configuration of logins.
public struct LoginSettings: Sendable {
    /// The key that signs the tokens of logins.
    public let signingKey: SigningKey
    /// Its predecessors: logins that began with one of them continue.
    public var oldSigningKeys: [SigningKey] = []
    /// The `iss` of tokens.
    public let issuer: String
    /// The `aud` of tokens.
    public let audience: String
    /// How long tokens are valid.
    public var lifetime: Duration = .seconds(30 * 86_400)
    /// How long after a login its tokens can be exchanged for new ones.
    public var sessionLifetime: Duration = .seconds(180 * 86_400)
    /// How long after its expiry a token can still be exchanged for a new one, as on App Service.
    public var refreshGrace: Duration = .seconds(72 * 3_600)
    /// Whether a logout ends all logins of its user, on every device.
    public var logoutEndsAll = false
    /// The providers by name, in lower case.
    public var providers: [String: LoginProvider] = [:]
    /// The URLs to which an app may have its users sent back: whole URLs, or prefixes that end with `*`.
    public var redirects: [String] = []
    /// Whether a page of that origin may receive a token.
    public var allowsOrigin: @Sendable (String) -> Bool = { _ in false }
    /// The base of the server's own addresses; nil to take it from each request.
    public var publicURL: String?
    /// The proxies whose statements about addresses are trusted.
    public var proxies = TrustedProxies.loopback

    /// Creates settings without providers, with which tokens can only be refreshed.
    public init(signingKey: SigningKey, issuer: String, audience: String) {
        self.signingKey = signingKey
        self.issuer = issuer
        self.audience = audience
    }

    /// Returns a provider by its name in any case, or by the name that a client library uses.
    func provider(named name: String) -> LoginProvider? {
        let name = name.lowercased()
        return providers[name == "windowsazureactivedirectory" ? "aad" : name]
    }

    /// Whether users may be sent there with a token or a code. Addresses are compared as browsers read them, not
    /// literally: .NET writes `myapp://easyauth.callback/` for an app's `MyApp://easyauth.callback`.
    func allowsRedirect(to text: String) -> Bool {
        guard let url = RedirectURL(text) else { return false }
        return redirects.contains { rule in
            let isBeginning = rule.hasSuffix("*")
            return RedirectURL(isBeginning ? String(rule.dropLast()) : rule)
                .map { url.isAt($0, beginning: isBeginning) } ?? false
        }
    }
}

/// A provider that identifies users.
public struct LoginProvider: Sendable {
    /// The name in paths, in lower case.
    public let name: String
    let kind: Kind

    /// Whether users log in on the provider's own page and are sent back from there.
    var hasPage: Bool {
        if case .external(let login) = kind { login.authorizeURL != nil } else { false }
    }

    enum Kind: Sendable {
        /// The users in this server's own database.
        case local
        case external(ExternalLogin)
    }

    /// The users in this server's own database, with names and passwords.
    public static let local = LoginProvider(name: "local", kind: .local)

    /// Another server, which signs tokens about its users.
    public static func external(_ name: String, _ login: ExternalLogin) -> LoginProvider {
        LoginProvider(name: name.lowercased(), kind: .external(login))
    }

    /// Returns the id of a user in this server's own database.
    /// - Parameter mark: distinguishes the user from earlier ones of the same name; empty for none.
    public static func localUserID(_ name: String, mark: String) -> String {
        local.userID(UserSuffix.subject(ofUser: name, mark: mark))
    }

    /// Returns a user's id, which is the same in all generations so that users keep their rows: `Google:77`.
    func userID(_ subject: String) -> String {
        "\(Self.labels[name] ?? name.prefix(1).uppercased() + name.dropFirst()):\(subject)"
    }

    private static let labels = ["microsoftaccount": "MicrosoftAccount"]
}

/// How another server's users log in.
public struct ExternalLogin: Sendable {
    /// Verifies that server's tokens: its keys, its issuer, and this app as the audience.
    public let verifier: CurrentVerifier
    /// The page where users log in; nil if apps use the provider's own library and send the token.
    public let authorizeURL: String?
    /// The provider's name for this app.
    public let clientID: String

    /// Creates a login.
    public init(verifier: CurrentVerifier, authorizeURL: String?, clientID: String) {
        self.verifier = verifier
        self.authorizeURL = authorizeURL
        self.clientID = clientID
    }
}
