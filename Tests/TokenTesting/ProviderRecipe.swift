import Foundation

/// A recipe of `docs/logins.md`: the lines of a provider, and what a check tells of them.
public struct ProviderRecipe: Sendable {
    /// Its heading.
    public let title: String
    /// The lines below `auth.providers`.
    public let lines: String
    /// What a check is said to tell.
    public let check: String

    /// The provider's name in the lines.
    public var name: String { String(lines.drop { $0 == " " }.prefix { $0 != ":" }) }

    /// The name of the file with its keys, below the configuration.
    public var keyFile: String { "keys/\(name).json" }

    /// Those of the page, in its order.
    public static func all() throws -> [ProviderRecipe] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/logins.md"), encoding: .utf8)
        return page.components(separatedBy: "\n### ").dropFirst().compactMap { section in
            let blocks = section.components(separatedBy: "```")
            let start = "yaml\nauth:\n  providers:\n"
            guard let yaml = blocks.first(where: { $0.hasPrefix(start) }),
                let check = blocks.first(where: { $0.hasPrefix("text\n") })
            else { return nil }
            return ProviderRecipe(
                title: String(section.prefix { $0 != "\n" }), lines: String(yaml.dropFirst(start.count)),
                check: check.dropFirst(5).trimmingCharacters(in: .newlines))
        }
    }
}

/// A token as a provider makes it, and the key set with which it publishes its key.
public struct ProviderForm: Sendable {
    /// The heading of its recipe.
    public let title: String
    /// The members of the token's header beside `alg` and `kid`.
    let header: String
    /// By which key it is signed.
    let signer: Signer
    /// The claims by name, each as JSON, without times.
    public let claims: [(name: String, json: String)]
    /// The set, with `KEY` for the members of the key.
    let published: String

    enum Signer: Sendable {
        case rsa, p256

        var algorithm: String { self == .rsa ? "RS256" : "ES256" }
        var key: PrivateKey { self == .rsa ? TokenForge.rsa : TokenForge.p256 }

        var members: String {
            switch self {
            case .rsa:
                #""kty":"RSA","n":"\#(TokenForge.text(TokenForge.rsa.modulus))","e":"AQAB""#
            case .p256:
                #""kty":"EC","crv":"P-256","x":"\#(TokenForge.text(Array(TokenForge.p256.point[1..<33])))","#
                    + #""y":"\#(TokenForge.text(Array(TokenForge.p256.point[33...])))""#
            }
        }
    }

    /// Another key of the set, by which nothing is signed.
    private static let other = PrivateKey(.rsa)
    private static let otherMembers = #""kty":"RSA","n":"\#(TokenForge.text(other.modulus))","e":"AQAB""#

    /// The key set as the provider publishes it.
    public var keySet: String {
        published.replacing("OTHER", with: Self.otherMembers).replacing("KEY", with: signer.members)
    }

    /// A token of that form, at a time at which it is good until 2096.
    /// - Parameters:
    ///   - changes: claims in another way, each as JSON; an empty text for none.
    ///   - algorithm: what the header says; nil for the provider's own.
    ///   - isForged: whether somebody else has signed it.
    public func token(
        _ changes: [String: String] = [:], algorithm: String? = nil, keyID: String = "k1", isForged: Bool = false
    ) throws -> String {
        var all = claims + [("iat", "900"), ("exp", "4000000000")]
        for change in changes.sorted(by: { $0.key < $1.key }) {
            all.removeAll { $0.name == change.key }
            if !change.value.isEmpty { all.append((change.key, change.value)) }
        }
        let payload = all.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",")
        let head = #"{"alg":"\#(algorithm ?? signer.algorithm)","kid":"\#(keyID)"\#(header)}"#
        let message = TokenForge.text(Array(head.utf8)) + "." + TokenForge.text(Array("{\(payload)}".utf8))
        let key = isForged ? Self.other : signer.key
        return message + "." + TokenForge.text(try key.signature(of: Array(message.utf8)))
    }

    private static let plainSet =
        #"{"keys":[{OTHER,"kid":"k0","use":"sig","alg":"RS256"},{KEY,"kid":"k1","use":"sig","alg":"RS256"}]}"#
    private static let jwt = #","typ":"JWT""#
    private static let tenant = #""72f988bf-86f1-41af-91ab-2d7cd011db47""#
    private static let personal = #""9188040d-6c67-4c5b-b112-36a304b66dad""#
    private static let app = #""6731de76-14a6-49ae-97bc-6eba6914391e""#
    private static let microsoft = "https://login.microsoftonline.com"

    /// As Microsoft publishes them: certificates beside the numbers, no `alg`, and for whom the key signs.
    private static func microsoftSet(_ issuer: String) -> String {
        #"{"keys":[{OTHER,"use":"sig","kid":"k0","x5t":"k0","x5c":["MIIC"],"issuer":"\#(issuer)"},"#
            + #"{KEY,"use":"sig","kid":"k1","x5t":"k1","x5c":["MIIC"],"issuer":"\#(issuer)"}]}"#
    }

    private static func microsoft(_ title: String, _ tenant: String, keys issuer: String, _ rest: [(String, String)])
        -> ProviderForm
    {
        ProviderForm(
            title: title, header: jwt + #","x5t":"k1""#, signer: .rsa,
            claims: [
                ("ver", #""2.0""#), ("iss", #""\#(microsoft)/\#(tenant.filter { $0 != "\"" })/v2.0""#), ("aud", app),
                ("sub", #""AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ""#), ("name", #""Ann Example""#),
                ("preferred_username", #""ann@example.com""#), ("oid", #""690222be-ff1a-4d56-abd1-7e4f7d38e474""#),
                ("tid", tenant), ("uti", #""fqiBqXLPj0eQa82S-IYFAA""#), ("rh", #""0.AAAA""#), ("nbf", "900"),
            ] + rest, published: microsoftSet(issuer))
    }

    /// One for each recipe.
    public static let all: [ProviderForm] = [
        ProviderForm(
            title: "Google", header: jwt, signer: .rsa,
            claims: [
                ("iss", #""https://accounts.google.com""#), ("azp", #""407-android.apps.googleusercontent.com""#),
                ("aud", #""407-web.apps.googleusercontent.com""#), ("sub", #""110169484474386276334""#),
                ("email", #""ann@example.com""#), ("email_verified", "true"), ("name", #""Ann Example""#),
                ("picture", #""https://lh3.googleusercontent.com/a/ann=s96-c""#), ("given_name", #""Ann""#),
                ("family_name", #""Example""#),
            ],
            published:
                #"{"keys":[{"use":"sig",OTHER,"kid":"k0","alg":"RS256"},{KEY,"kid":"k1","use":"sig","alg":"RS256"}]}"#),
        ProviderForm(
            title: "Apple", header: "", signer: .rsa,
            claims: [
                ("iss", #""https://appleid.apple.com""#), ("aud", #""com.example.todo""#),
                ("sub", #""001234.a1b2c3d4e5f60718293a4b5c6d7e8f90.0123""#), ("c_hash", #""U2FsdGVk""#),
                ("email", #""k7x@privaterelay.appleid.com""#), ("email_verified", #""true""#),
                ("is_private_email", #""true""#), ("auth_time", "900"), ("nonce_supported", "true"),
            ],
            published:
                #"{"keys":[{OTHER,"kid":"k0","use":"sig","alg":"RS256"},{KEY,"kid":"k1","use":"sig","alg":"RS256"},"#
                + #"{OTHER,"kid":"k2","use":"sig","alg":"RS256"}]}"#),
        microsoft(
            "Entra, one tenant", tenant, keys: "\(microsoft)/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0",
            [("roles", #"["Survey.Create","admin"]"#)]),
        microsoft("Entra, the users of any tenant", tenant, keys: "\(microsoft)/{tenantid}/v2.0", []),
        microsoft(
            "Entra, personal accounts", personal, keys: "\(microsoft)/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
            [("email", #""ann@outlook.com""#)]),
        ProviderForm(
            title: "Facebook Limited Login", header: jwt, signer: .rsa,
            claims: [
                ("iss", #""https://www.facebook.com""#), ("aud", #""1047301234567890""#),
                ("sub", #""10223456789012345""#),
                ("jti", #""Sx0k.7a1b""#), ("nonce", #""n-0S6""#), ("email", #""ann@example.com""#),
                ("name", #""Ann Example""#), ("given_name", #""Ann""#), ("family_name", #""Example""#),
                ("picture", #""https://platform-lookaside.fbsbx.com/p?asid=1""#),
            ], published: plainSet),
        ProviderForm(
            title: "Auth0", header: jwt, signer: .rsa,
            claims: [
                ("nickname", #""ann""#), ("name", #""ann@example.com""#), ("picture", #""https://s.gravatar.com/a""#),
                ("updated_at", #""2024-05-01T10:00:00.000Z""#), ("email", #""ann@example.com""#),
                ("email_verified", "true"), ("iss", #""https://todo.eu.auth0.com/""#),
                ("aud", #""kq3RZo5vDR2pTqNfXjh1""#),
                ("sub", #""auth0|5f7c8ec7c33c6c004bbafe82""#), ("sid", #""x1y2""#),
            ],
            published: #"{"keys":[{"alg":"RS256",OTHER,"use":"sig","kid":"k0","x5t":"k0","x5c":["MIIC"]},"#
                + #"{KEY,"alg":"RS256","use":"sig","kid":"k1","x5t":"k1","x5c":["MIIC"]}]}"#),
        ProviderForm(
            title: "Keycloak", header: jwt, signer: .rsa,
            claims: [
                ("auth_time", "900"), ("jti", #""3d0c""#), ("iss", #""https://id.example.com/realms/todo""#),
                ("aud", #""todo-app""#), ("sub", #""f:8a1b:ann""#), ("typ", #""ID""#), ("azp", #""todo-app""#),
                ("sid", #""7c1e""#), ("acr", #""1""#), ("email_verified", "false"), ("name", #""Ann Example""#),
                ("preferred_username", #""ann""#), ("realm_access", #"{"roles":["user"]}"#),
                ("email", #""ann@example.com""#),
            ],
            published: #"{"keys":[{OTHER,"kid":"k0","alg":"RSA-OAEP","use":"enc","x5c":["MIIC"]},"#
                + #"{KEY,"kid":"k1","alg":"RS256","use":"sig","x5c":["MIIC"],"x5t":"a","x5t#S256":"b"}]}"#),
        ProviderForm(
            title: "Amazon Cognito", header: "", signer: .rsa,
            claims: [
                ("at_hash", #""x""#), ("sub", #""aaaaaaaa-bbbb-cccc-dddd-example""#),
                ("cognito:groups", #"["admins"]"#),
                ("email_verified", "true"), ("cognito:username", #""ann""#), ("token_use", #""id""#),
                ("iss", #""https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab3dEfGhi""#),
                ("aud", #""3n4b5urk1ft4fl3mg5e62d9ado""#), ("auth_time", "900"), ("email", #""ann@example.com""#),
            ], published: plainSet),
        ProviderForm(
            title: "Firebase Authentication", header: jwt, signer: .rsa,
            claims: [
                ("name", #""Ann Example""#), ("picture", #""https://lh3.googleusercontent.com/a""#),
                ("iss", #""https://securetoken.google.com/todo-1f2e3""#), ("aud", #""todo-1f2e3""#),
                ("auth_time", "900"),
                ("user_id", #""ZuIoP1aBc2""#), ("sub", #""ZuIoP1aBc2""#), ("email", #""ann@example.com""#),
                ("email_verified", "true"),
                ("firebase", #"{"identities":{"email":["ann@example.com"]},"sign_in_provider":"password"}"#),
            ], published: plainSet),
        ProviderForm(
            title: "Supabase", header: jwt, signer: .p256,
            claims: [
                ("iss", #""https://abcdefghijkl.supabase.co/auth/v1""#),
                ("sub", #""d0714948-8b0f-4b8e-9d5f-1c2d3e4f5a6b""#),
                ("aud", #""authenticated""#), ("email", #""ann@example.com""#), ("phone", #""""#),
                ("app_metadata", #"{"provider":"email"}"#), ("user_metadata", #"{"email_verified":true}"#),
                ("role", #""authenticated""#), ("aal", #""aal1""#), ("is_anonymous", "false"),
                ("amr", #"[{"method":"password","timestamp":900}]"#), ("session_id", #""6d1f""#),
            ],
            published: #"{"keys":[{KEY,"kid":"k1","alg":"ES256","use":"sig","key_ops":["verify"],"ext":true}]}"#),
    ]
}
