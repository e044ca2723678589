import Access
import ByteText
import Cryptography
import Testing

/// Keys by which scripts sign tokens for users of their own.
@Suite struct `Keys of scripts` {
    private static let server = "5a175a175a175a175a175a175a175a175a175a175a175a175a175a175a175a17"
    private static let now: Int64 = 1_800_000_000

    private static func key(_ text: String = server) throws -> ScriptKey {
        try #require(ScriptKey(of: try SigningKey(text)))
    }

    /// A token as a script makes it, by the text of its key alone.
    private static func token(_ claims: String, by key: ScriptKey) throws -> String {
        let bytes = try #require([UInt8](hexDigits: Array(key.text.utf8)))
        let signed = "\(Base64.url("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".utf8)).\(Base64.url(claims.utf8))"
        let code = MessageKey(bytes.span, .sha256).code(of: signed.utf8Span.span)
        return "\(signed).\(Base64.url(code))"
    }

    private static func verifier(trusting keys: [ScriptKey]) throws -> TokenVerifier {
        TokenVerifier(
            signingKey: try SigningKey(server), scriptKeys: keys, issuers: ["urn:other"], audiences: ["urn:other"])
    }

    @Test func `follow from the server's, and are not it`() throws {
        let key = try Self.key()
        #expect(key.text == (try Self.key()).text)
        #expect(key.text.utf8.count == 64)
        #expect(key.text != Self.server)
        #expect(key.text != (try Self.key("cafe" + Self.server)).text)
    }

    @Test func `sign for whoever a script names`() throws {
        let claims = "{\"sub\":\"joe\",\"iss\":\"me\",\"team\":\"east\",\"exp\":\(Self.now + 60)}"
        let key = try Self.key()
        let token = try Self.token(claims, by: key)
        let user = try Self.verifier(trusting: [key]).verify(token, now: Self.now)
        #expect(user.id == "joe")
        #expect(user.claims["team"] == "east")
        #expect(throws: TokenFault.self) { try Self.verifier(trusting: []).verify(token, now: Self.now) }
        #expect(throws: TokenFault.expired) { try Self.verifier(trusting: [key]).verify(token, now: Self.now + 200) }
        let other = try Self.key("cafe" + Self.server)
        #expect(throws: TokenFault.self) { try Self.verifier(trusting: [other]).verify(token, now: Self.now) }
    }

    @Test func `make nobody an operator`() throws {
        let key = try Self.key()
        let verifier = try Self.verifier(trusting: [key])
        for role in ["\"role\":\"admin\"", "\"roles\":[\"admin\"]"] {
            let token = try Self.token("{\"sub\":\"joe\",\(role)}", by: key)
            #expect(try !verifier.verify(token, now: Self.now).isAdmin)
            #expect(throws: TokenFault.self) {
                try verifier.verifyForRefresh(token, grace: .seconds(60), now: Self.now)
            }
        }
        // Nor do they make anybody a user of the server's own.
        for claims in ["{\"iss\":\"me\"}", "{\"sub\":\"local:ann\"}"] {
            #expect(throws: TokenFault.missingUser) {
                try verifier.verify(try Self.token(claims, by: key), now: Self.now)
            }
        }
    }
}
