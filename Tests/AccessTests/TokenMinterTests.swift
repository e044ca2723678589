import ByteText
import Testing

@testable import Access

@Suite("Minting tokens")
struct TokenMinterTests {
    private func minter(keyLength: Int) throws -> (TokenMinter, TokenVerifier) {
        let key = try SigningKey(String(repeating: "5a", count: keyLength))
        return (
            TokenMinter(key: key, issuer: "urn:i", audience: "urn:a"),
            TokenVerifier(signingKey: key, issuers: ["urn:i"], audiences: ["urn:a"])
        )
    }

    private func parts(_ token: String) throws -> [String] {
        try token.split(separator: ".").prefix(2).map {
            String(decoding: try #require(Base64.decode($0.utf8, .url)), as: UTF8.self)
        }
    }

    @Test(arguments: [
        (1, "HS256"), (32, "HS256"), (33, "HS384"), (48, "HS384"), (49, "HS512"), (64, "HS512"), (200, "HS512"),
    ])
    func `the hash grows with the key`(keyLength: Int, algorithm: String) throws {
        let (minter, verifier) = try minter(keyLength: keyLength)
        let token = try minter.mint(user: "sid:1", lifetime: .seconds(60), now: 1000)
        #expect(try parts(token)[0] == #"{"alg":"\#(algorithm)","typ":"JWT"}"#)
        #expect(try verifier.verify(token, now: 1000).id == "sid:1")
    }

    @Test func `the claims are those of the .NET server`() throws {
        let (minter, _) = try minter(keyLength: 32)
        let token = try minter.mint(
            user: "Custom:\"1\"", claims: ["name": "Zoë", "idp": "custom"], lifetime: .seconds(86400), now: 1000)
        #expect(
            try parts(token)[1]
                == #"{"sub":"Custom:\"1\"","iss":"urn:i","aud":"urn:a","ver":"3","idp":"custom","name":"Zoë","#
                + #""iat":1000,"nbf":1000,"exp":87400}"#)
    }

    @Test func `a token without a lifetime never expires`() throws {
        let (minter, verifier) = try minter(keyLength: 32)
        let token = try minter.mint(user: "sid:1", lifetime: nil, now: 1000)
        #expect(try !parts(token)[1].contains("exp"))
        #expect(try verifier.verify(token, now: .max).id == "sid:1")
    }

    @Test(arguments: TokenMinter.reservedClaims.sorted())
    func `a claim of the minter's own can't be given`(claim: String) throws {
        let (minter, _) = try minter(keyLength: 32)
        #expect(throws: MintFault.reservedClaim(claim)) {
            try minter.mint(user: "sid:1", claims: ["a": "b", claim: "x"], lifetime: nil, now: 0)
        }
    }

    @Test func `a token for nobody is not made`() throws {
        let (minter, _) = try minter(keyLength: 32)
        #expect(throws: MintFault.noUser) { try minter.mint(user: "", lifetime: nil, now: 0) }
    }

    @Test(arguments: [
        (Duration.zero, Int64(0)), (.seconds(-1), 0), (.milliseconds(999), 0), (.seconds(1), .max),
        (.seconds(Int64.max), 1),
    ])
    func `a lifetime of nothing or beyond all time is refused`(lifetime: Duration, now: Int64) throws {
        let (minter, _) = try minter(keyLength: 32)
        #expect(throws: MintFault.invalidLifetime) { try minter.mint(user: "sid:1", lifetime: lifetime, now: now) }
    }

    @Test func `a token that no verifier would take is not made`() throws {
        let (minter, verifier) = try minter(keyLength: 32)
        let largest = 12_100
        let token = try minter.mint(user: String(repeating: "u", count: largest), lifetime: nil, now: 0)
        #expect(token.utf8.count <= TokenVerifier.maximumTokenBytes)
        #expect(try verifier.verify(token, now: 0).id.utf8.count == largest)
        #expect(throws: MintFault.tooLarge) {
            try minter.mint(user: String(repeating: "u", count: largest + 200), lifetime: nil, now: 0)
        }
    }
}
