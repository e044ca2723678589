import Cryptography
import Testing
import TokenTesting

@testable import Access

@Suite("Key sets")
struct PublicKeySetTests {
    static let ed25519 = keyMembers(TokenForge.ed25519.point)
    static let zeros32 = String(repeating: "A", count: 43)

    static func keyMembers(_ point: [UInt8]) -> String {
        #""kty":"OKP","crv":"Ed25519","x":"\#(TokenForge.text(point))""#
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#, "-----BEGIN PUBLIC KEY-----", #"{"keys":null}"#,
    ])
    func `what is no set is refused`(text: String) {
        #expect(throws: PublicKeyFault.notAKeySet) { try PublicKeySet(jwks: text) }
    }

    struct OddKey: Sendable, CustomTestStringConvertible {
        let key: String
        /// A part of what is said of it; nil where it is nobody's business.
        let remark: String?

        init(_ key: String, _ remark: String?) {
            self.key = key
            self.remark = remark
        }

        var testDescription: String { String(key.prefix(80)) }
    }

    private static let certificate = #""x5c":["MIIC"]"#
    private static let n1024 = "w\(String(repeating: "A", count: 169))E"
    private static let p256 = keyMembers(of: TokenForge.p256.point)

    private static func keyMembers(of point: [UInt8], half: Int = 32, curve: String = "P-256") -> String {
        let (x, y) = (TokenForge.text(Array(point[1...].prefix(half))), TokenForge.text(Array(point.suffix(half))))
        return #""kty":"EC","crv":"\#(curve)","x":"\#(x)","y":"\#(y)""#
    }

    @Test(arguments: [
        OddKey("1", "is no object"), OddKey("null", "is no object"), OddKey(#""a""#, "is no object"),
        OddKey("{}", "of a kind that isn't understood: absent"),
        OddKey(#"{"kty":"LWE"}"#, #"of a kind that isn't understood: "LWE""#),
        // A secret in a set of public keys is no HMAC key.
        OddKey(#"{"kty":"oct","k":"AAECAw"}"#, nil),
        OddKey(#"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#, #"with the curve "secp256k1""#),
        OddKey(#"{"kty":"OKP","crv":"X25519","x":"\#(zeros32)"}"#, #"with the curve "X25519""#),
        OddKey("{\(ed25519),\"use\":\"enc\"}", nil), OddKey(#"{\#(ed25519),"key_ops":["sign"]}"#, nil),
        OddKey(#"{\#(ed25519),"key_ops":"verify"}"#, nil), OddKey(#"{\#(ed25519),"use":["sig"]}"#, nil),
        OddKey(#"{\#(ed25519),"alg":"ES256"}"#, #"for the algorithm "ES256""#),
        OddKey(#"{\#(ed25519),"alg":"ML-DSA-44"}"#, #"for the algorithm "ML-DSA-44""#),
        OddKey(#"{\#(p256),"alg":"ES384"}"#, #"for the algorithm "ES384""#),
        OddKey(#"{\#(ed25519),"d":"\#(zeros32)"}"#, "has its private part"),
        OddKey(#"{"kty":"OKP","crv":"Ed25519"}"#, "has no x"),
        OddKey(#"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#, "is no Ed25519 key"),
        OddKey(#"{"kty":"OKP","crv":"Ed25519","x":1}"#, "has no x"),
        OddKey(#"{"kty":"OKP","kty":"OKP","crv":"Ed25519"}"#, "has a member twice"),
        // No point of the curve.
        OddKey(#"{"kty":"EC","crv":"P-256","x":"\#(zeros32)","y":"\#(zeros32)"}"#, "is no point of P-256"),
        OddKey(#"{"kty":"EC","crv":"P-256","x":"\#(zeros32)"}"#, "has no y"),
        OddKey(#"{"kty":"EC","crv":"P-256","x":"\#(zeros32)\#(zeros32)","y":"\#(zeros32)"}"#, "is no point of P-256"),
        OddKey(#"{"kty":"EC","crv":"P-384","x":"\#(zeros32)","y":"\#(zeros32)"}"#, "is no point of P-384"),
        OddKey(#"{"kty":"RSA","n":"AQAB"}"#, "has no e"), OddKey(#"{"kty":"RSA","n":"","e":""}"#, "has no n"),
        OddKey(#"{"kty":"RSA","n":"\#(n1024)","e":"AQAB"}"#, "no RSA key of 2,048 to 8,192 bits (it has about 1024)"),
        OddKey(#"{"kty":"RSA","n":"a+b/","e":"AQAB"}"#, "has an n that is no base64url"),
        OddKey(#"{"kty":"RSA",\#(certificate),"kid":"c"}"#, "kid c) is passed over: it has no n, but a certificate"),
        OddKey(#"{"kty":"RSA","n":null,"e":null,\#(certificate)}"#, "has no n, but a certificate"),
    ])
    func `a key that can't be used is passed over, and the others aren't`(odd: OddKey) throws {
        let set = try PublicKeySet(jwks: #"{"keys":[\#(odd.key),{\#(Self.ed25519)}]}"#)
        #expect(set.count == 1)
        #expect(set.remarks.count == (odd.remark == nil ? 0 : 1))
        if let remark = odd.remark { #expect(set.remarks.first?.contains(remark) == true, "\(set.remarks)") }
        #expect(throws: PublicKeyFault.noUsableKey(set.remarks)) { try PublicKeySet(jwks: #"{"keys":[\#(odd.key)]}"#) }
    }

    private static let rsa =
        #""kty":"RSA","n":"\#(TokenForge.text(TokenForge.rsa.modulus))","e":"AQAB""#
    private static let paddedP256: String = {
        let point = TokenForge.p256.point
        let (x, y) = ([0, 0] + point[1..<33], [0, 0] + point[33...])
        return #""kty":"EC","crv":"P-256","x":"\#(TokenForge.text(x))","y":"\#(TokenForge.text(y))==""#
    }()
    private static let nothing = #""use":null,"alg":null,"kid":"","key_ops":[],"x5c":[],"oth":null,"d":null"#

    @Test(arguments: [
        #"{\#(ed25519),"use":"sig","key_ops":["verify"]}"#, #"{\#(ed25519),"alg":"Ed25519"}"#,
        #"{\#(ed25519),"alg":"EdDSA","use":""}"#, #"{\#(rsa)}"#, #"{\#(rsa),\#(certificate),"alg":"RS256"}"#,
        // As .NET writes what it hasn't.
        #"{\#(rsa),\#(nothing)}"#, #"{\#(p256),\#(nothing)}"#, #"{\#(ed25519),\#(nothing),"y":null}"#,
        #"{\#(rsa),"alg":"PS512","more":{"a":1}}"#, #"{\#(rsa.replacing("AQAB", with: "AAEAAQ"))}"#,
        #"{\#(rsa.replacing("AQAB", with: "AAEAAQ=="))}"#,
        #"{\#(ed25519.dropLast())="}"#,
        #"{\#(paddedP256)}"#,
    ])
    func `a key that is written in another way is taken`(key: String) throws {
        let set = try PublicKeySet(jwks: #"{"keys":[\#(key)],"more":1,"more":2}"#)
        #expect(set.count == 1)
        #expect(set.remarks == [])
        #expect(try PublicKeySet(jwks: "\u{FEFF}" + #"{"keys":[\#(key)]}"#).count == 1)
    }

    @Test func `of two keys with one kid each is tried`() throws {
        let (one, other) = (TestIssuer(keyID: "a"), TestIssuer(keyID: "a"))
        let keys = [one, other].map { $0.keySet.dropFirst(#"{"keys":["#.utf8.count).dropLast(2) }
        let set = try PublicKeySet(jwks: #"{"keys":[\#(keys.joined(separator: ","))]}"#)
        #expect(
            set.remarks == ["key 1 (counted from 0; kid a) has the kid of an earlier key: tokens are tried with both"])
        let verifier = TokenVerifier(publicKeys: [TrustedKeySet(set)], issuers: ["i"], audiences: ["a"])
        for issuer in [one, other] {
            #expect(try verifier.verify(issuer.token(#""sub":"1","iss":"i","aud":"a""#), now: 0).id == "1")
        }
    }

    struct Algorithm: Sendable {
        let name: String
        let key: PrivateKey
        let members: String
        let hash: MessageKey.Hash
        let isPSS: Bool
    }

    private static let algorithms: [Algorithm] = {
        let (p384, p521) = (PrivateKey(.p384), PrivateKey(.p521))
        let hashes: [(Int, MessageKey.Hash)] = [(256, .sha256), (384, .sha384), (512, .sha512)]
        return hashes.flatMap { bits, hash in
            [("RS", false), ("PS", true)].map { name, isPSS in
                Algorithm(name: "\(name)\(bits)", key: TokenForge.rsa, members: rsa, hash: hash, isPSS: isPSS)
            }
        } + [
            Algorithm(name: "ES256", key: TokenForge.p256, members: p256, hash: .sha256, isPSS: false),
            Algorithm(
                name: "ES384", key: p384, members: keyMembers(of: p384.point, half: 48, curve: "P-384"), hash: .sha384,
                isPSS: false),
            Algorithm(
                name: "ES512", key: p521, members: keyMembers(of: p521.point, half: 66, curve: "P-521"), hash: .sha512,
                isPSS: false),
            Algorithm(name: "EdDSA", key: TokenForge.ed25519, members: ed25519, hash: .sha256, isPSS: false),
            Algorithm(name: "Ed25519", key: TokenForge.ed25519, members: ed25519, hash: .sha256, isPSS: false),
        ]
    }()

    @Test(arguments: algorithms)
    func `a key checks tokens of the algorithms that go with it, or of the one that it names`(algorithm: Algorithm)
        throws
    {
        func verifier(_ rest: String = "") throws -> TokenVerifier {
            let set = try PublicKeySet(jwks: #"{"keys":[{\#(algorithm.members)\#(rest)}]}"#)
            return TokenVerifier(publicKeys: [TrustedKeySet(set)], issuers: ["i"], audiences: ["a"])
        }
        func token(_ name: String) throws -> String {
            let message =
                TokenForge.text(Array(#"{"alg":"\#(name)"}"#.utf8)) + "."
                + TokenForge.text(Array(#"{"sub":"1","iss":"i","aud":"a"}"#.utf8))
            let signature = try algorithm.key.signature(
                of: Array(message.utf8), algorithm.hash, isPSS: algorithm.isPSS)
            return message + "." + TokenForge.text(signature)
        }
        let good = try token(algorithm.name)
        #expect(try verifier().verify(good, now: 0).id == "1")
        #expect(try verifier(#","alg":"\#(algorithm.name)""#).verify(good, now: 0).id == "1")
        for other in Self.algorithms where other.members == algorithm.members && other.hash != algorithm.hash {
            let named = try verifier(#","alg":"\#(other.name)""#)
            #expect(throws: TokenFault.unknownKey) { try named.verify(good, now: 0) }
        }
        // The same bytes under another name are no signature by it.
        for other in Self.algorithms
        where other.key !== algorithm.key || other.hash != algorithm.hash || other.isPSS != algorithm.isPSS {
            #expect(throws: TokenFault.self) { try verifier().verify(token(other.name), now: 0) }
        }
    }

    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
    func `an Ed25519 key with which anybody can sign is refused`(digits: String) throws {
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
        let text = #"{"keys":[{\#(Self.keyMembers(bytes))}]}"#
        #expect(throws: PublicKeyFault.self) { try PublicKeySet(jwks: text) }
    }

    @Test func `a set of many keys that can't be used is told in few lines`() throws {
        let odd = Array(repeating: #"{"kty":"X"}"#, count: 1_000).joined(separator: ",")
        let set = try PublicKeySet(jwks: #"{"keys":[\#(odd),{\#(Self.ed25519)}]}"#)
        #expect(set.count == 1)
        #expect(set.remarks.count == 33)
        #expect(set.remarks.last == "968 more of its keys are passed over or odd")
    }

    @Test func `a set holds as many keys as the limit, and not one more`() throws {
        func set(_ count: Int) -> String {
            #"{"keys":["# + Array(repeating: "{\(Self.ed25519)}", count: count).joined(separator: ",") + "]}"
        }
        #expect(try PublicKeySet(jwks: set(PublicKeySet.maximumKeys)).count == PublicKeySet.maximumKeys)
        let more = try PublicKeySet(jwks: set(PublicKeySet.maximumKeys + 1))
        #expect(more.count == PublicKeySet.maximumKeys)
        #expect(more.remarks == ["key 32 (counted from 0) is passed over: 32 keys are the most"])
    }

    @Test func `tokens of any of several sets are accepted`() throws {
        let other = Self.keyMembers(PrivateKey(.ed25519).point)
        let sets = [
            try PublicKeySet(jwks: "{\"keys\":[{\(other)}]}"),
            try PublicKeySet(jwks: TokenForge.keySet()),
        ]
        let verifier = TokenVerifier(
            publicKeys: sets.map { TrustedKeySet($0) }, issuers: [TokenForge.issuer], audiences: [TokenForge.audience])
        let token = try TokenForge.token(#"{"alg":"EdDSA"}"#, by: .ed25519)
        #expect(try verifier.verify(token, now: TokenForge.now).id == "sid:1")
        // Without a signing key no HMAC token has a key.
        let hmac = try TokenForge.token()
        #expect(throws: TokenFault.unknownKey) { try verifier.verify(hmac, now: TokenForge.now) }
    }
}
