import Testing
import TokenTesting

@testable import Access

@Suite("Tokens")
struct TokenVerifierTests {
    @Test(arguments: ForgedToken.all)
    func `a forged or malformed token is refused`(forged: ForgedToken) throws {
        let verifier = try TokenForge.verifier()
        let token = try forged.make()
        #expect(throws: forged.fault) { try verifier.verify(token, now: TokenForge.now) }
    }

    @Test func `the forged tokens are many, and each has a name of its own`() {
        #expect(ForgedToken.all.count >= 100)
        #expect(Set(ForgedToken.all.map(\.name)).count == ForgedToken.all.count)
        // Every fault is the reason for some refusal.
        #expect(Set(ForgedToken.all.map(\.fault)) == Set(TokenFault.allCases))
    }

    @Test func `no change of one character makes another token good`() throws {
        let verifier = try TokenForge.verifier()
        let token = Array(try TokenForge.token().utf8)
        for index in token.indices {
            for replacement in ["A", "z", ".", "=", "-"].flatMap(\.utf8) where token[index] != replacement {
                var other = token
                other[index] = replacement
                let text = String(decoding: other, as: UTF8.self)
                #expect(throws: TokenFault.self) { try verifier.verify(text, now: TokenForge.now) }
            }
        }
    }

    struct GoodToken: Sendable, CustomTestStringConvertible {
        let header: String
        let signer: TokenForge.Signer

        var testDescription: String { header }
    }

    @Test(arguments: [
        GoodToken(header: #"{"alg":"HS256","typ":"JWT"}"#, signer: .secret(.sha256)),
        GoodToken(header: #"{"alg":"HS384"}"#, signer: .secret(.sha384)),
        GoodToken(header: #"{"alg":"HS512"}"#, signer: .secret(.sha512)),
        GoodToken(header: #"{"alg":"HS256","kid":"any"}"#, signer: .secret(.sha256)),
        GoodToken(header: #"{"alg":"RS256","kid":"r"}"#, signer: .rsa),
        GoodToken(header: #"{"alg":"RS256"}"#, signer: .rsa),
        GoodToken(header: #"{"alg":"ES256","kid":"e"}"#, signer: .p256),
        GoodToken(header: #"{"alg":"ES256"}"#, signer: .p256),
        GoodToken(header: #"{"alg":"EdDSA","kid":"o"}"#, signer: .ed25519),
        GoodToken(header: #"{"alg":"EdDSA"}"#, signer: .ed25519),
        // Thumbprints name a key and bring none; Azure AD's tokens have them.
        GoodToken(header: #"{"alg":"RS256","kid":"r","x5t":"AAAA"}"#, signer: .rsa),
        GoodToken(header: " { \"unknown\" : [ 1, null ] , \"alg\" : \"HS256\" } ", signer: .secret(.sha256)),
    ])
    func `a good token of each algorithm is accepted`(good: GoodToken) throws {
        let verifier = try TokenForge.verifier()
        let token = try TokenForge.token(good.header, by: good.signer)
        #expect(try verifier.verify(token, now: TokenForge.now).id == "sid:1")
    }

    @Test(arguments: ["Bearer ", "bearer ", "BEARER ", "bEaReR  "])
    func `the scheme before a token is dropped in any case`(prefix: String) throws {
        let verifier = try TokenForge.verifier()
        #expect(try verifier.verify(prefix + TokenForge.token(), now: TokenForge.now).id == "sid:1")
    }

    @Test(arguments: [
        #"{"sub":"sid:1","iss":"urn:issuer","aud":"urn:audience"}"#,
        #"{"sub":"sid:1","iss":"urn:other","aud":"urn:other","exp":2000.5,"nbf":0.5}"#,
        #"{"sub":"sid:1","iss":"urn:issuer","aud":["urn:x",1,"urn:audience"],"exp":2e3}"#,
        #"{"sub":"sid:1","iss":"urn:issuer","aud":"urn:audience","iat":99999,"ver":"3","stable_sid":"sid:0"}"#,
    ])
    func `good claims are accepted`(payload: String) throws {
        let verifier = try TokenForge.verifier()
        let token = try TokenForge.token(TokenForge.goodHeader, payload)
        #expect(try verifier.verify(token, now: TokenForge.now).id == "sid:1")
    }

    @Test func `the user has the claims that are text`() throws {
        let payload =
            #"{"sub":"Föö:\u0031","iss":"urn:issuer","aud":"urn:audience","exp":2000,"idp":"aad","a":[],"b":{"c":"d"}}"#
        let token = try TokenForge.token(TokenForge.goodHeader, payload)
        let user = try TokenForge.verifier().verify(token, now: TokenForge.now)
        #expect(user.id == "Föö:1")
        #expect(user.claims == ["sub": "Föö:1", "iss": "urn:issuer", "aud": "urn:audience", "idp": "aad"])
    }

    @Test(arguments: [
        (#""role":"admin""#, true), (#""roles":"admin""#, true), (#""roles":["user","admin"]"#, true),
        (#""role":["admin"]"#, true), (#""role":["user",1,"admin"]"#, true),
        (#""role":"user","roles":["admin"]"#, true),
        (#""http://schemas.microsoft.com/ws/2008/06/identity/claims/role":"admin""#, true),
        (#""http://schemas.microsoft.com/ws/2008/06/identity/claims/role":["user","admin"]"#, true),
        (#""http://schemas.microsoft.com/ws/2008/06/identity/claims/role":"user""#, false),
        (#""idp_roles":"[\"admin\"]""#, false), (#""roles":"user admin""#, false), (#""roles":[]"#, false),
        (#""role":"Admin""#, false), (#""role":true"#, false), (#""roles":{"admin":true}"#, false),
        (#""roles":[["admin"]]"#, false), (#""admin":"admin""#, false),
    ])
    func `the admin role is a text or stands in a list, by each of the names for roles`(claim: String, isAdmin: Bool)
        throws
    {
        let token = try TokenForge.token(
            TokenForge.goodHeader, #"{"sub":"sid:1","iss":"urn:issuer","aud":"urn:audience",\#(claim)}"#)
        #expect(try TokenForge.verifier().verify(token, now: TokenForge.now).isAdmin == isAdmin)
    }

    @Test func `a token as large as the limit is accepted`() throws {
        let verifier = try TokenForge.verifier()
        for filler in [11_000, 12_100, 12_107, 12_110] {
            let payload = TokenForge.goodPayload.replacing(
                "}", with: #","a":""# + String(repeating: "a", count: filler) + #""}"#)
            let token = try TokenForge.token(TokenForge.goodHeader, payload)
            let room = TokenVerifier.maximumTokenBytes - token.utf8.count
            let padded = "Bearer" + String(repeating: " ", count: room - 6)
            #expect(try verifier.verify(padded + token, now: TokenForge.now).id == "sid:1")
            #expect(throws: TokenFault.tooLarge) { try verifier.verify(padded + " " + token, now: TokenForge.now) }
        }
    }

    @Test func `faults say nothing of keys or tokens`() {
        for fault in TokenFault.allCases {
            #expect(fault.rawValue.hasPrefix("The token") && fault.rawValue.hasSuffix("."))
        }
    }
}
