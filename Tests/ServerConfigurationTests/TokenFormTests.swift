import Access
import Foundation
import Testing
import TokenTesting

@testable import ServerConfiguration

/// Every provider's own form of tokens against the recipe that the page of logins has for it, right and wrong, each with what
/// comes of it.
@Suite("Forms of tokens")
struct TokenFormTests {
    /// What comes of a token: the user's id at the provider, or why there is none and of which claim.
    enum Answer: Sendable {
        case user(String)
        case fault(TokenFault, String?)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let form: ProviderForm
        let what: String
        let answer: Answer
        /// Lines of the recipe in another way.
        var settings: (@Sendable (String) -> String)?
        let make: @Sendable (ProviderForm) throws -> String

        var testDescription: String { "\(form.title): \(what)" }
    }

    private static func row(
        _ title: String, _ what: String, _ answer: Answer, _ changes: [String: String] = [:],
        settings: (@Sendable (String) -> String)? = nil
    ) -> Row {
        let form = ProviderForm.all.first { $0.title == title } ?? ProviderForm.all[0]
        return Row(form: form, what: what, answer: answer, settings: settings) { try $0.token(changes) }
    }

    /// The claim by which the recipe knows people.
    private static func person(_ form: ProviderForm) -> String {
        ["Entra, one tenant", "Entra, the users of any tenant"].contains(form.title) ? "oid" : "sub"
    }

    private static func value(_ name: String, of form: ProviderForm) -> String {
        form.claims.first { $0.name == name }?.json ?? ""
    }

    /// What holds of every provider.
    private static let common: [Row] = ProviderForm.all.flatMap { form -> [Row] in
        let claim = person(form)
        let (aud, iss) = (value("aud", of: form), value("iss", of: form))
        let user = Answer.user(value(claim, of: form).filter { $0 != "\"" })
        func row(_ what: String, _ answer: Answer, _ changes: [String: String]) -> Row {
            Row(form: form, what: what, answer: answer) { try $0.token(changes) }
        }
        func headed(_ what: String, _ fault: TokenFault, _ make: @escaping @Sendable (ProviderForm) throws -> String)
            -> Row
        {
            Row(form: form, what: what, answer: .fault(fault, nil), make: make)
        }
        let slashed = iss.hasSuffix("/\"") ? String(iss.dropLast(2)) + "\"" : String(iss.dropLast()) + "/\""
        return [
            row("as it is", user, [:]),
            row("a list of audiences with ours", user, ["aud": "[\"other\",\(aud)]"]),
            row("another app that asked for it", user, ["azp": #""other-client""#]),
            row("no party that asked for it", user, ["azp": ""]),
            row("for another app", .fault(.wrongAudience, "aud"), ["aud": #""other""#]),
            row(
                "for another app, and ours asked for it", .fault(.wrongAudience, "aud"),
                ["aud": #""other""#, "azp": aud]),
            row("for nobody", .fault(.wrongAudience, "aud"), ["aud": ""]),
            row("from another issuer", .fault(.wrongIssuer, "iss"), ["iss": #""https://evil.example""#]),
            row("from the issuer with a slash more or less", .fault(.wrongIssuer, "iss"), ["iss": slashed]),
            row("from nobody", .fault(.wrongIssuer, "iss"), ["iss": ""]),
            row("expired", .fault(.expired, "exp"), ["exp": "500"]),
            row("never to expire", .fault(.missingExpiry, "exp"), ["exp": ""]),
            row("not valid yet", .fault(.notYetValid, "nbf"), ["nbf": "4000000000"]),
            row("about nobody", .fault(.missingUser, claim), [claim: ""]),
            row("about an empty name", .fault(.missingUser, claim), [claim: #""""#]),
            headed("signed by another key", .badSignature) { try $0.token(isForged: true) },
            headed("by a key of an unknown name", .unknownKey) { try $0.token(keyID: "k9") },
            headed("unsigned", .unsupportedAlgorithm) { try $0.token(algorithm: "none") },
            headed("by the public key as a secret", .unknownKey) { try $0.token(algorithm: "HS256") },
        ]
    }

    private static let tenant = "https://login.microsoftonline.com/"
    private static let other = "f8cdef31-a31e-4b4a-93e4-5f571e91255a"
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    @Sendable private static func byAddress(_ lines: String) -> String {
        lines.replacing("userClaim: oid", with: "userClaim: email")
    }

    /// What is one provider's own.
    private static let special: [Row] = [
        row("Google", "the issuer of old tokens", .user("110169484474386276334"), ["iss": #""accounts.google.com""#]),
        row(
            "Google", "from iOS", .user("110169484474386276334"),
            ["aud": #""407-ios.apps.googleusercontent.com""#, "azp": #""407-ios.apps.googleusercontent.com""#]),
        row(
            "Google", "for Android's own client", .fault(.wrongAudience, "aud"),
            ["aud": #""407-android.apps.googleusercontent.com""#]),
        row("Google", "a person by the address", .user("ann@example.com")) {
            $0.replacing("keySet:", with: "userClaim: email\n      keySet:")
        },
        row(
            "Google", "an address that Google doesn't vouch for", .fault(.missingUser, "email_verified"),
            ["email_verified": "false"]
        ) { $0.replacing("keySet:", with: "userClaim: email\n      keySet:") },
        row(
            "Apple", "from the web", .user("001234.a1b2c3d4e5f60718293a4b5c6d7e8f90.0123"),
            ["aud": #""com.example.todo.web""#]),
        row(
            "Google", "an address that Google denies by a number", .fault(.missingUser, "email_verified"),
            ["email_verified": "0"]
        ) { $0.replacing("keySet:", with: "userClaim: email\n      keySet:") },
        row(
            "Amazon Cognito", "a number that nobody vouches for", .fault(.missingUser, "phone_number_verified"),
            ["phone_number": #""+491701234567""#, "phone_number_verified": "false"]
        ) { $0.replacing("keySet:", with: "userClaim: phone_number\n      keySet:") },
        row("Apple", "without an address", .user("001234.a1b2c3d4e5f60718293a4b5c6d7e8f90.0123"), ["email": ""]),
        row(
            "Apple", "an address that is no more than said", .fault(.missingUser, "email_verified"),
            ["email_verified": #""false""#]
        ) { $0.replacing("keySet:", with: "userClaim: email\n      keySet:") },
        row(
            "Entra, one tenant", "version 1", .user("690222be-ff1a-4d56-abd1-7e4f7d38e474"),
            [
                "iss": #""https://sts.windows.net/72f988bf-86f1-41af-91ab-2d7cd011db47/""#, "ver": #""1.0""#,
                "aud": #""api://6731de76-14a6-49ae-97bc-6eba6914391e""#, "appid": #""6731""#, "azp": "",
            ]),
        row(
            "Entra, one tenant", "another tenant", .fault(.wrongIssuer, "iss"),
            ["iss": "\"\(tenant)\(other)/v2.0\"", "tid": "\"\(other)\""]),
        row(
            "Entra, one tenant", "for Microsoft Graph", .fault(.wrongAudience, "aud"),
            ["aud": #""00000003-0000-0000-c000-000000000000""#]),
        row(
            "Entra, one tenant", "another app's sub is the same person", .user("690222be-ff1a-4d56-abd1-7e4f7d38e474"),
            ["sub": #""BBBB""#]),
        row(
            "Entra, the users of any tenant", "another tenant", .user("690222be-ff1a-4d56-abd1-7e4f7d38e474"),
            ["iss": "\"\(tenant)\(other)/v2.0\"", "tid": "\"\(other)\""]),
        row(
            "Entra, the users of any tenant", "a tenant that the issuer doesn't name", .fault(.wrongIssuer, "iss"),
            ["tid": "\"\(other)\""]),
        // Any tenant's administrator writes any address.
        row(
            "Entra, the users of any tenant", "an address that any tenant may claim",
            .fault(.missingUser, "email_verified"), ["email": #""ceo@example.com""#], settings: byAddress),
        row(
            "Entra, the users of any tenant", "an address of a domain that isn't the tenant's",
            .fault(.missingUser, "email_verified"),
            ["email": #""ceo@example.com""#, "xms_edov": "false"], settings: byAddress),
        row(
            "Entra, the users of any tenant", "an address of a domain that is the tenant's", .user("ann@example.com"),
            ["email": #""ann@example.com""#, "xms_edov": #""1""#], settings: byAddress),
        row("Entra, the users of any tenant", "no tenant", .fault(.wrongIssuer, "iss"), ["tid": ""]),
        row(
            "Entra, the users of any tenant", "the placeholder itself", .fault(.wrongIssuer, "iss"),
            ["iss": "\"\(tenant){tenantid}/v2.0\"", "tid": #""{tenantid}""#]),
        row(
            "Entra, the users of any tenant", "a path as tenant", .fault(.wrongIssuer, "iss"),
            ["iss": "\"\(tenant)a/b/v2.0\"", "tid": #""a/b""#]),
        row(
            "Entra, the users of any tenant", "version 1, which isn't named", .fault(.wrongIssuer, "iss"),
            ["iss": #""https://sts.windows.net/72f988bf-86f1-41af-91ab-2d7cd011db47/""#]),
        row(
            "Entra, the users of any tenant", "tenants that are listed, and this is none", .fault(.wrongIssuer, "iss")
        ) { $0.replacing("{tenantid}", with: other) },
        row(
            "Entra, the users of any tenant", "tenants that are listed, and this is one",
            .user("690222be-ff1a-4d56-abd1-7e4f7d38e474")
        ) {
            $0.replacing(
                "issuer: \(tenant){tenantid}/v2.0",
                with: "issuer: [ \(tenant)\(other)/v2.0, \(tenant)72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0 ]")
        },
        // The key that Microsoft's set keeps for personal accounts signs for them alone.
        row(
            "Entra, personal accounts", "a tenant's issuer by the key of personal accounts",
            .fault(.wrongIssuer, "iss"),
            ["iss": "\"\(tenant)\(other)/v2.0\"", "tid": "\"\(other)\""]
        ) { $0.replacing(personal, with: "{tenantid}") },
        row("Entra, personal accounts", "any tenant, by its key", .user("AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ"))
        {
            $0.replacing(personal, with: "{tenantid}")
        },
        row(
            "Facebook Limited Login", "the older issuer", .user("10223456789012345"),
            ["iss": #""https://facebook.com""#]),
        row(
            "Auth0", "for an API", .fault(.wrongAudience, "aud"),
            ["aud": #"["https://api.example.com","https://todo.eu.auth0.com/userinfo"]"#]),
        row("Keycloak", "an access token", .fault(.wrongAudience, "aud"), ["aud": #""account""#, "typ": #""Bearer""#]),
        row(
            "Keycloak", "by its inner address", .fault(.wrongIssuer, "iss"),
            ["iss": #""http://keycloak:8080/realms/todo""#]),
        row(
            "Amazon Cognito", "an access token", .fault(.wrongAudience, "aud"),
            ["aud": "", "client_id": #""3n4b5urk1ft4fl3mg5e62d9ado""#]),
        row(
            "Firebase Authentication", "another project", .fault(.wrongIssuer, "iss"),
            ["iss": #""https://securetoken.google.com/p2""#, "aud": #""p2""#]),
        row("Supabase", "the key of anonymous callers", .fault(.missingUser, "sub"), ["sub": "", "role": #""anon""#]),
    ]

    static let rows = common + special

    /// A recipe as it is served, with its provider's keys.
    private static func served(
        _ form: ProviderForm, _ settings: (@Sendable (String) -> String)? = nil
    ) throws -> (recipe: ProviderRecipe, configuration: Configuration, verifier: TokenVerifier) {
        let recipe = try #require(try ProviderRecipe.all().first { $0.title == form.title })
        let lines = settings?(recipe.lines) ?? recipe.lines
        let directory = try ConfigurationDirectory([
            "zumod.yaml": "auth:\n  signingKey: \(String(repeating: "1f", count: 32))\n  providers:\n"
                + lines.replacing("keys/", with: ""),
            "\(recipe.name).json": form.keySet,
        ])
        // The files are gone with the directory.
        let configuration = try directory.read()
        let readings = configuration.auth.allKeySources.map { $0.read() }
        withExtendedLifetime(directory) {}
        let verifier = try #require(configuration.auth.providerVerifiers(by: readings)[recipe.name])
        return (recipe, configuration, verifier)
    }

    @Test func `the table is long, and each row has a name of its own`() throws {
        #expect(Self.rows.count >= 120)
        #expect(Set(Self.rows.map(\.testDescription)).count == Self.rows.count)
        #expect(try ProviderRecipe.all().map(\.title) == ProviderForm.all.map(\.title))
    }

    @Test(arguments: rows)
    func `are taken or refused as the recipe says`(row: Row) throws {
        let verifier = try Self.served(row.form, row.settings).verifier
        let token = try row.make(row.form)
        do throws(TokenFault) {
            let user = try verifier.verify(token, now: 1_000)
            guard case .user(let id) = row.answer else {
                Issue.record("it is \(user.id)'s")
                return
            }
            #expect(user.id == id)
            // Whatever a provider tells of roles makes nobody an admin here.
            #expect(IdentityClaims.kept(of: token)["roles"] == nil && IdentityClaims.kept(of: token)["role"] == nil)
        } catch {
            let words = verifier.words(for: error, of: token, now: 1_000)
            guard case .fault(let fault, let claim) = row.answer else {
                Issue.record("\(words)")
                return
            }
            #expect(error == fault, "\(words)")
            if let claim { #expect(words.contains("Its \(claim) is ") && words.contains("; wanted is "), "\(words)") }
        }
    }

    @Test(arguments: ProviderForm.all)
    func `are what a check says, without a warning`(form: ProviderForm) throws {
        let (recipe, configuration, _) = try Self.served(form)
        let told = configuration.explanations.filter { $0.key?.hasPrefix("auth.providers.") == true }
        #expect(told.map(\.sentence) == [recipe.check])
        #expect(configuration.warnings.isEmpty, "\(configuration.warnings)")
    }

    @Test(arguments: [
        ("https://login.microsoftonline.com/common/v2.0", "sub", "for the users of any tenant write"),
        ("https://login.microsoftonline.com/organizations/v2.0", "sub", "for the users of any tenant write"),
        ("https://login.microsoftonline.com/consumers/v2.0", "sub", "that of personal accounts is"),
        ("https://login.microsoftonline.com/{tenantId}/v2.0", "sub", "what stands for any tenant is {tenantid}"),
        ("https://login.microsoftonline.com/{tenantid}/v2.0", "email", "can give anybody any email"),
        ("https://login.microsoftonline.com/{tenantid}/v2.0", "email", "what the provider vouches for (xms_edov)"),
        ("https://login.microsoftonline.com/{tenantid}/v2.0", "upn", "any upn, and so be anybody here;"),
        ("https://todo.eu.auth0.com", "sub", "Auth0's ends with a slash"),
    ])
    func `no issuer that no token has goes by without a word`(issuer: String, claim: String, words: String) throws {
        let form = ProviderForm.all[0]
        let directory = try ConfigurationDirectory([
            "zumod.yaml": """
            auth:
              signingKey: \(String(repeating: "1f", count: 32))
              providers: { x: { keySet: x.json, issuer: "\(issuer)", audience: a, userClaim: \(claim) } }
            """, "x.json": form.keySet,
        ])
        let warnings = try directory.read().warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.sentence.contains(words) == true, "\(warnings)")
    }

    @Test func `tenants of one issuer that are each named don't vouch for each other's people`() throws {
        func warnings(_ issuers: [String], _ claim: String) throws -> [String] {
            try ConfigurationDirectory([
                "zumod.yaml": "auth: { signingKey: \(String(repeating: "1f", count: 32)), providers: { aad: "
                    + "{ keySet: x.json, issuer: \(issuers), audience: a, userClaim: \(claim) } } }",
                "x.json": ProviderForm.all[0].keySet,
            ]).read().warnings.map(\.sentence)
        }
        let one = ["\(Self.tenant)\(Self.other)/v2.0", "https://sts.windows.net/\(Self.other)/"]
        #expect(try warnings(one, "email").isEmpty)
        #expect(try warnings(one + ["\(Self.tenant)\(Self.personal)/v2.0"], "oid").isEmpty)
        let two = try warnings(one + ["\(Self.tenant)\(Self.personal)/v2.0"], "email")
        #expect(two.first?.contains("be a user of another tenant") == true, "\(two)")
    }

    @Test func `a file that is no key set by its size isn't read`() throws {
        let directory = try ConfigurationDirectory([
            "zumod.yaml": "auth: { signingKey: \(String(repeating: "1f", count: 32)), providers: "
                + "{ x: { keySet: x.json, issuer: i, audience: a } } }",
            "x.json": ProviderForm.all[0].keySet + String(repeating: " ", count: 1 << 20),
        ])
        let warnings = try directory.read().warnings.map(\.sentence)
        #expect(warnings.first?.hasSuffix("x.json is larger than 1 MiB, as no key set is") == true, "\(warnings)")
    }

    @Test func `a provider that no client would find isn't taken`() throws {
        let lines = "auth:\n  providers:\n    WindowsAzureActiveDirectory: { keySet: x.json, issuer: i, audience: a }"
        let faults = try ConfigurationDirectory.faults(in: lines)
        #expect(faults.first?.contains("is called aad here") == true, "\(faults)")
    }

    @Test func `one person of two apps of a Microsoft tenant has to be one`() throws {
        let form = ProviderForm.all[0]
        func warnings(_ audiences: String, _ claim: String) throws -> [String] {
            let issuer = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"
            return try ConfigurationDirectory([
                "zumod.yaml": "auth: { signingKey: \(String(repeating: "1f", count: 32)), providers: { aad: "
                    + "{ keySet: x.json, issuer: \"\(issuer)\", audience: \(audiences), userClaim: \(claim) } } }",
                "x.json": form.keySet,
            ]).read().warnings.map(\.sentence)
        }
        #expect(try warnings("[ a, b ]", "sub").first?.contains("another sub for each app") == true)
        #expect(try warnings("[ a, b ]", "oid").isEmpty)
        #expect(try warnings("[ a, \"api://a\" ]", "sub").isEmpty)
    }
}
