public import Access
import Tables
public import ZumoProtocol

/// What the configuration says about logins.
public struct LoginSettings: Sendable {
    /// Signs the tokens that a login gives.
    public let signingKey: SigningKey
    /// Those that signed before it: logins that began by one of them go on.
    public var oldSigningKeys: [SigningKey] = []
    /// What their `iss` says.
    public let issuer: String
    /// What their `aud` says.
    public let audience: String
    /// How long they are valid.
    public var lifetime: Duration = .seconds(30 * 86_400)
    /// How long after a login its token can be exchanged for a new one, again and again.
    public var sessionLifetime: Duration = .seconds(180 * 86_400)
    /// How long after its end a token can still be exchanged for a new one, as on App Service.
    public var refreshGrace: Duration = .seconds(72 * 3_600)
    /// Whether a logout ends all logins of its user, on every device.
    public var logoutEndsAll = false
    /// The providers by their names in lower case.
    public var providers: [String: LoginProvider] = [:]
    /// What an app may have its users sent back to: each either the whole URL, or with a `*` at its end how it begins.
    public var redirects: [String] = []
    /// Whether a page of that origin may receive a token.
    public var allowsOrigin: @Sendable (String) -> Bool = { _ in false }
    /// The base of the server's own addresses; nil to take it from each request.
    public var publicURL: String?
    /// The proxies whose statements about addresses are believed.
    public var proxies = TrustedProxies.loopback

    /// Settings without providers, where only tokens can be refreshed.
    public init(signingKey: SigningKey, issuer: String, audience: String) {
        self.signingKey = signingKey
        self.issuer = issuer
        self.audience = audience
    }

    /// A provider by a name in any case, or by one that a client library has for it.
    func provider(named name: String) -> LoginProvider? {
        let name = name.lowercased()
        return providers[name == "windowsazureactivedirectory" ? "aad" : name]
    }

    /// Whether users may be sent there with a token or a code. Addresses are compared as browsers read them, not by their
    /// letters: .NET writes `myapp://easyauth.callback/` for what its app calls `MyApp://easyauth.callback`.
    func allowsRedirect(to text: String) -> Bool {
        guard let url = RedirectURL(text) else { return false }
        return redirects.contains { rule in
            let isBeginning = rule.hasSuffix("*")
            return RedirectURL(isBeginning ? String(rule.dropLast()) : rule)
                .map { url.isAt($0, beginning: isBeginning) } ?? false
        }
    }
}

/// Somebody who knows who a user is.
public struct LoginProvider: Sendable {
    /// The name in paths, in lower case.
    public let name: String
    let kind: Kind

    /// Whether its users log in on a page of its own, and come back from there.
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

    /// The id of a user in this server's own database.
    /// - Parameter mark: distinguishes the user from those who had the name before; empty for none.
    public static func localUserID(_ name: String, mark: String) -> String {
        local.userID(UserSuffix.subject(ofUser: name, mark: mark))
    }

    /// The id of a user, the same in every generation so that the rows of a user stay the user's: `Google:77`.
    func userID(_ subject: String) -> String {
        "\(Self.labels[name] ?? name.prefix(1).uppercased() + name.dropFirst()):\(subject)"
    }

    private static let labels = ["microsoftaccount": "MicrosoftAccount"]
}

/// How another server's users log in.
public struct ExternalLogin: Sendable {
    /// Checks that server's tokens: its keys, its issuer, and this app as the audience.
    public let verifier: CurrentVerifier
    /// Where it asks users to log in; nil where apps do that by its own library and send the token.
    public let authorizeURL: String?
    /// The name under which it knows this app.
    public let clientID: String

    /// Makes a login.
    public init(verifier: CurrentVerifier, authorizeURL: String?, clientID: String) {
        self.verifier = verifier
        self.authorizeURL = authorizeURL
        self.clientID = clientID
    }
}
