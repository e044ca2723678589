import Testing
import TokenTesting

@testable import Access

@Suite("Tokens of v1")
struct MobileServicesTokenTests {
    // The first v1 tokens had the key id as a number, and ver 1.
    @Test(arguments: [
        #"{"alg":"HS256","typ":"JWT","kid":"0"}"#, #"{"alg":"HS256","typ":"JWT","kid":0}"#, #"{"alg":"HS256"}"#,
    ])
    func `a token signed with the derived key is accepted`(header: String) throws {
        let user = try TokenForge.verifier().verify(TokenForge.mobileServicesToken(header), now: TokenForge.now)
        #expect(user.id == "Custom:1")
        #expect(user.claims["aud"] == "Custom")
    }

    @Test func `without a master key v1 tokens are refused`() throws {
        let verifier = TokenVerifier(
            signingKey: try SigningKey(TokenForge.secret), issuers: [TokenForge.issuer],
            audiences: [TokenForge.audience])
        let token = try TokenForge.mobileServicesToken()
        #expect(throws: TokenFault.badSignature) { try verifier.verify(token, now: TokenForge.now) }
    }

    @Test func `the key of another master key is refused`() throws {
        let verifier = TokenVerifier(masterKeyDerivedKey: try .derived(fromMasterKey: TokenForge.masterKey + "2"))
        let token = try TokenForge.mobileServicesToken()
        #expect(throws: TokenFault.badSignature) { try verifier.verify(token, now: TokenForge.now) }
    }

    @Test func `the derived key signs no tokens of v2`() throws {
        let verifier = try TokenForge.verifier()
        let token = try TokenForge.mobileServicesToken(TokenForge.goodHeader, TokenForge.goodPayload)
        #expect(throws: TokenFault.wrongIssuer) { try verifier.verify(token, now: TokenForge.now) }
    }

    @Test func `a token signed with the derived key gets no new one, as the server gave it to nobody`() throws {
        let verifier = try TokenForge.verifier()
        let token = try TokenForge.mobileServicesToken()
        #expect(throws: TokenFault.badSignature) {
            try verifier.verifyForRefresh(token, grace: .zero, now: TokenForge.now)
        }
    }

    @Test func `the derived key is the hash of the master key and a suffix`() throws {
        let key = try SigningKey.derived(fromMasterKey: "master")
        #expect(key.form == .derived && key.byteCount == 32)
        // SHA-256 of the text masterJWTSig, computed apart.
        let same = try SigningKey("8bfa0c33e5a25d666f8d7617a04f91d90d5bdaab63295fc3627e763577ed60ca")
        #expect(key.signature(of: [1, 2, 3], .sha256) == same.signature(of: [1, 2, 3], .sha256))
    }
}
