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

    struct BadSet: Sendable {
        let text: String
        let fault: PublicKeyFault
    }

    @Test(arguments: [
        BadSet(text: "", fault: .notAKeySet),
        BadSet(text: "[]", fault: .notAKeySet),
        BadSet(text: "{}", fault: .notAKeySet),
        BadSet(text: #"{"keys":{}}"#, fault: .notAKeySet),
        BadSet(text: #"{"keys":[],"keys":[]}"#, fault: .notAKeySet),
        BadSet(text: "-----BEGIN PUBLIC KEY-----", fault: .notAKeySet),
        BadSet(text: #"{"keys":[]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[1]}"#, fault: .invalidKey(index: 0)),
        // A secret in a set of public keys is no HMAC key.
        BadSet(text: #"{"keys":[{"kty":"oct","k":"AAECAw"}]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[{"kty":"EC","crv":"P-521","x":"AA","y":"AA"}]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[{"kty":"OKP","crv":"X25519","x":"\#(zeros32)"}]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[{\#(ed25519),"use":"enc"}]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[{\#(ed25519),"alg":"ES256"}]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[{\#(ed25519),"key_ops":["sign"]}]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[{\#(ed25519),"key_ops":"verify"}]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[{\#(ed25519),"use":["sig"]}]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB","alg":"RS384"}]}"#, fault: .noUsableKey),
        BadSet(text: #"{"keys":[{\#(ed25519),"d":"\#(zeros32)"}]}"#, fault: .privateKey(index: 0)),
        BadSet(text: #"{"keys":[{"kty":"OKP","crv":"Ed25519"}]}"#, fault: .invalidKey(index: 0)),
        BadSet(text: #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AAAA"}]}"#, fault: .invalidKey(index: 0)),
        BadSet(text: #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":1}]}"#, fault: .invalidKey(index: 0)),
        BadSet(text: #"{"keys":[{"kty":"OKP","kty":"OKP","crv":"Ed25519"}]}"#, fault: .notAKeySet),
        // No point of the curve.
        BadSet(
            text: #"{"keys":[{"kty":"EC","crv":"P-256","x":"\#(zeros32)","y":"\#(zeros32)"}]}"#,
            fault: .invalidKey(index: 0)),
        BadSet(text: #"{"keys":[{"kty":"RSA","n":"AQAB"}]}"#, fault: .invalidKey(index: 0)),
        BadSet(text: #"{"keys":[{"kty":"RSA","n":"","e":""}]}"#, fault: .invalidKey(index: 0)),
        // 1024 bits.
        BadSet(
            text: #"{"keys":[{"kty":"RSA","n":"w\#(String(repeating: "A", count: 169))E","e":"AQAB"}]}"#,
            fault: .invalidKey(index: 0)),
        BadSet(
            text: #"{"keys":[{\#(ed25519),"kid":"a"},{\#(ed25519),"kid":"a"}]}"#, fault: .duplicateKeyID(index: 1)),
    ])
    func `a set that can't be meant is refused`(bad: BadSet) {
        #expect(throws: bad.fault) { try PublicKeySet(jwks: bad.text) }
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
        #expect(throws: PublicKeyFault.invalidKey(index: 0)) { try PublicKeySet(jwks: text) }
    }

    @Test func `a key that says that it verifies is taken`() throws {
        let text = #"{"keys":[{\#(Self.ed25519),"use":"sig","key_ops":["verify"]}]}"#
        #expect(try PublicKeySet(jwks: text).count == 1)
    }

    @Test func `keys for other purposes are skipped`() throws {
        let text = #"{"keys":[{"kty":"oct","k":"AA"},{"kty":"new"},{},{\#(Self.ed25519)}],"more":1}"#
        #expect(try PublicKeySet(jwks: text).count == 1)
    }

    @Test func `a set holds as many keys as the limit, and not one more`() throws {
        func set(_ count: Int) -> String {
            #"{"keys":["# + Array(repeating: "{\(Self.ed25519)}", count: count).joined(separator: ",") + "]}"
        }
        #expect(try PublicKeySet(jwks: set(PublicKeySet.maximumKeys)).count == PublicKeySet.maximumKeys)
        #expect(throws: PublicKeyFault.tooManyKeys(limit: PublicKeySet.maximumKeys)) {
            try PublicKeySet(jwks: set(PublicKeySet.maximumKeys + 1))
        }
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
