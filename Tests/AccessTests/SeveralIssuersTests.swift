import Testing
import TokenTesting

@testable import Access

/// Lists of issuers and audiences, tenants, and keys that stand in several entries.
@Suite("Several issuers, audiences and entries")
struct SeveralIssuersTests {
    private static let issuer = TestIssuer(keyID: "k")
    private static let tenants = "https://login.microsoftonline.com/{tenantid}/v2.0"
    private static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private static func set(
        _ issuers: [String], _ audiences: [String], keyIssuer: String? = nil, tellsLogin: Bool = true
    ) throws -> TrustedKeySet {
        let text = keyIssuer.map { issuer.keySet.replacing("\"kid\"", with: "\"issuer\":\"\($0)\",\"kid\"") }
        return TrustedKeySet(
            try PublicKeySet(jwks: text ?? issuer.keySet), issuers: issuers, audiences: audiences,
            tellsLogin: tellsLogin)
    }

    private static func claims(_ issuer: String, _ audience: String, _ rest: String = "") -> String {
        #""sub":"77","exp":4000000000,"iss":"\#(issuer)","aud":"\#(audience)"\#(rest)"#
    }

    @Test(arguments: ["https://a.example", "a.example"], ["ios", "web"])
    func `each issuer goes with each audience, and it is one person`(_ name: String, _ audience: String) throws {
        let verifier = TokenVerifier(publicKeys: [
            try Self.set(["https://a.example", "a.example"], ["web", "ios"])
        ])
        let token = try Self.issuer.token(Self.claims(name, audience))
        #expect(try verifier.verify(token, now: 1_000).id == "77")
        for (name, audience) in [(name, "tv"), ("https://b.example", audience)] {
            let other = try Self.issuer.token(Self.claims(name, audience))
            #expect(throws: TokenFault.self) { try verifier.verify(other, now: 1_000) }
        }
    }

    @Test(arguments: [
        (#","azp":"android""#, true), (#","azp":["web"]"#, true), (#","azp":null"#, true), ("", true),
    ])
    func `who asked for a token is no reason to refuse it`(_ party: String, _ isGood: Bool) throws {
        let verifier = TokenVerifier(publicKeys: [try Self.set(["https://a.example"], ["web"])])
        let token = try Self.issuer.token(Self.claims("https://a.example", "web", party))
        #expect((try? verifier.verify(token, now: 1_000)) != nil)
        let foreign = try Self.issuer.token(Self.claims("https://a.example", "android", #","azp":"web""#))
        #expect(throws: TokenFault.wrongAudience) { try verifier.verify(foreign, now: 1_000) }
    }

    struct Tenant: Sendable {
        let name: String
        let tid: String?
        let keyIssuer: String?
        let isGood: Bool
    }

    @Test(arguments: [
        Tenant(name: tenant, tid: tenant, keyIssuer: nil, isGood: true),
        Tenant(name: personal, tid: personal, keyIssuer: nil, isGood: true),
        Tenant(name: tenant, tid: tenant, keyIssuer: tenants, isGood: true),
        Tenant(
            name: personal, tid: personal, keyIssuer: "https://login.microsoftonline.com/\(personal)/v2.0", isGood: true
        ),
        // A key for the users of one tenant doesn't speak for those of another.
        Tenant(
            name: tenant, tid: tenant, keyIssuer: "https://login.microsoftonline.com/\(personal)/v2.0", isGood: false),
        Tenant(name: tenant, tid: personal, keyIssuer: nil, isGood: false),
        Tenant(name: tenant, tid: nil, keyIssuer: nil, isGood: false),
        Tenant(name: "{tenantid}", tid: "{tenantid}", keyIssuer: nil, isGood: false),
        Tenant(name: "", tid: "", keyIssuer: nil, isGood: false),
        Tenant(name: "a/../b", tid: "a/../b", keyIssuer: nil, isGood: false),
    ])
    func `a tenant of an issuer with many is the one that the token names`(_ tenant: Tenant) throws {
        let verifier = TokenVerifier(publicKeys: [try Self.set([Self.tenants], ["app"], keyIssuer: tenant.keyIssuer)])
        let issuer = Self.tenants.replacing("{tenantid}", with: tenant.name)
        let token = try Self.issuer.token(
            Self.claims(issuer, "app", tenant.tid.map { #","tid":"\#($0)""# } ?? ""))
        if tenant.isGood {
            #expect(try verifier.verify(token, now: 1_000).id == "77")
        } else {
            #expect(throws: TokenFault.wrongIssuer) { try verifier.verify(token, now: 1_000) }
        }
    }

    @Test func `an issuer that is written out takes no other tenant`() throws {
        let own = Self.tenants.replacing("{tenantid}", with: Self.tenant)
        let verifier = TokenVerifier(publicKeys: [try Self.set([own], ["app"])])
        let token = try Self.issuer.token(Self.claims(own, "app", #","tid":"\#(Self.tenant)""#))
        #expect(try verifier.verify(token, now: 1_000).id == "77")
        let other = try Self.issuer.token(
            Self.claims(
                Self.tenants.replacing("{tenantid}", with: Self.personal), "app", #","tid":"\#(Self.personal)""#))
        #expect(throws: TokenFault.wrongIssuer) { try verifier.verify(other, now: 1_000) }
    }

    @Test func `a token is judged by every entry whose key verifies it`() throws {
        let verifier = TokenVerifier(publicKeys: [
            try Self.set(["https://sts.windows.net/t/"], ["api://app"], tellsLogin: false),
            try Self.set(["https://login.microsoftonline.com/t/v2.0"], ["app"]),
        ])
        let first = try Self.issuer.token(Self.claims("https://sts.windows.net/t/", "api://app"))
        let second = try Self.issuer.token(Self.claims("https://login.microsoftonline.com/t/v2.0", "app"))
        #expect(try verifier.verify(first, now: 1_000).id == "77")
        #expect(try verifier.verify(second, now: 1_000).id == "77")
        // The issuer of one goes with the audience of no other.
        let mixed = try Self.issuer.token(Self.claims("https://sts.windows.net/t/", "app"))
        #expect(throws: TokenFault.wrongAudience) { try verifier.verify(mixed, now: 1_000) }
        // What is told is what the entry says that means the issuer.
        let old = try Self.issuer.token(
            #""sub":"77","exp":100,"iss":"https://login.microsoftonline.com/t/v2.0","aud":"app""#)
        #expect(throws: TokenFault.expired) { try verifier.verify(old, now: 1_000) }
        let foreign = try Self.issuer.token(Self.claims("https://c.example", "app"))
        #expect(
            verifier.words(for: .wrongIssuer, of: foreign, now: 1_000)
                == "The token's issuer is not accepted. Its iss is \"https://c.example\"; wanted is "
                + "https://sts.windows.net/t/ or https://login.microsoftonline.com/t/v2.0.")
    }

    @Test(arguments: [
        (
            #""sub":"1","exp":4000000000,"iss":"urn:i","aud":["x","y"]"#, TokenFault.wrongAudience,
            #"The token is not for this server. Its aud is ["x","y"]; wanted is a or b."#
        ),
        (
            #""sub":"1","exp":500,"iss":"urn:i","aud":"a""#, .expired,
            "The token has expired. Its exp is 500; wanted is a time after 1000."
        ),
        (
            #""sub":"1","iss":"urn:i","aud":"a""#, .missingExpiry,
            "The token never expires. Its exp is absent; wanted is a time."
        ),
        (
            #""sub":1,"exp":4000000000,"iss":"urn:i","aud":"a""#, .missingUser,
            "The token names no user. Its sub is 1; wanted is a text."
        ),
        (
            #""sub":"1","exp":4000000000,"nbf":3000,"iss":"urn:i","aud":"a""#, .notYetValid,
            "The token is not valid yet. Its nbf is 3000; wanted is a time before 1000."
        ),
    ])
    func `the log is told the claim, its value and what was wanted`(
        _ claims: String, _ fault: TokenFault, _ words: String
    ) throws {
        let verifier = TokenVerifier(publicKeys: [try Self.set(["urn:i"], ["a", "b"])])
        let token = try Self.issuer.token(claims)
        #expect(throws: fault) { try verifier.verify(token, now: 1_000) }
        #expect(verifier.words(for: fault, of: token, now: 1_000) == words)
        // Of what nobody signed whom the server trusts nothing is told.
        let forged = String(token.dropLast(8)) + "AAAAAAAA"
        #expect(throws: TokenFault.badSignature) { try verifier.verify(forged, now: 1_000) }
        #expect(verifier.words(for: .badSignature, of: forged, now: 1_000) == TokenFault.badSignature.rawValue)
    }

    @Test func `of a key that isn't known its name is told, and those that are`() throws {
        let verifier = TokenVerifier(publicKeys: [try Self.set(["urn:i"], ["a"])])
        let token = try TestIssuer(keyID: String(repeating: "z", count: 500)).token(Self.claims("urn:i", "a"))
        #expect(throws: TokenFault.unknownKey) { try verifier.verify(token, now: 1_000) }
        let words = verifier.words(for: .unknownKey, of: token, now: 1_000)
        #expect(
            words.hasPrefix("The token's key is not known. Its kid is \"zzzz")
                && words.hasSuffix("…; wanted is \"k\" for EdDSA.")
        )
        #expect(words.utf8.count < 250)
    }
}
