import Access
import Cryptography
import Testing

@Suite("Configured keys")
struct KeyTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        let text: String
        let form: SigningKey.Form
        let byteCount: Int

        var testDescription: String { text }
    }

    @Test(arguments: [
        // An even number of hexadecimal digits, in any case.
        Reading(text: String(repeating: "0f", count: 32), form: .hexadecimal, byteCount: 32),
        Reading(text: "DEADbeef", form: .hexadecimal, byteCount: 4),
        Reading(text: "cafe", form: .hexadecimal, byteCount: 2),
        // Valid base64 too, and still hexadecimal.
        Reading(text: "0123456789abcdef", form: .hexadecimal, byteCount: 8),
        Reading(text: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", form: .base64, byteCount: 32),
        Reading(text: "c2VjcmV0cw==", form: .base64, byteCount: 7),
        Reading(text: "password", form: .base64, byteCount: 6),
        Reading(text: "+/+/", form: .base64, byteCount: 3),
        Reading(text: "secret", form: .text, byteCount: 6),
        Reading(text: "abc", form: .text, byteCount: 3),
        Reading(text: "pass word", form: .text, byteCount: 9),
        Reading(text: "größer", form: .text, byteCount: 8),
        // Base64 for URLs, unpadded, over-padded, or with loose bits: none is what .NET took for base64.
        Reading(text: "-_-_", form: .text, byteCount: 4),
        Reading(text: "c2VjcmV0cw", form: .text, byteCount: 10),
        Reading(text: "c===", form: .text, byteCount: 4),
        Reading(text: "c2VjcmV0cx==", form: .text, byteCount: 12),
        Reading(text: "====", form: .text, byteCount: 4),
    ])
    func `a signing key is hexadecimal, else base64, else text`(reading: Reading) throws {
        let key = try SigningKey(reading.text)
        #expect(key.form == reading.form)
        #expect(key.byteCount == reading.byteCount)
    }

    // What `openssl rand -hex 32` and `-base64 48` print is a text for one server and bytes for another.
    @Test(arguments: [
        ("0f1e2d3c", SigningKey.SaidForm.text, "0f1e2d3c"), ("0f1e2d3c", .hex, "\u{F}\u{1E}-<"),
        ("MDEyMzQ1", .text, "MDEyMzQ1"), ("MDEyMzQ1", .base64, "012345"), ("MDEyMw==", .base64, "0123"),
        ("MDEyMw", .base64, "0123"), ("Pz8-Pz8_", .base64, "??>???"), ("Pz8+Pz8/", .base64, "??>???"),
    ])
    func `a key whose form is said is read so`(text: String, form: SigningKey.SaidForm, bytes: String) throws {
        let audience = "urn:a"
        let minter = TokenMinter(key: try SigningKey(text, as: form), issuer: audience, audience: audience)
        let token = try minter.mint(user: "sid:1", lifetime: nil, now: 0)
        let same = TokenVerifier(
            signingKey: try SigningKey(bytes, as: .text), issuers: [audience], audiences: [audience])
        #expect(try same.verify(token, now: 0).id == "sid:1")
    }

    @Test(arguments: [
        ("0f1", SigningKey.SaidForm.hex, KeyFault.notHexadecimal), ("0g", .hex, .notHexadecimal),
        ("a", .base64, .notBase64), ("MDEy=Mw=", .base64, .notBase64), ("M DEy", .base64, .notBase64),
        ("0000", .hex, .allZero), ("AAAA", .base64, .allZero), ("", .text, .empty),
        (" a", .text, .surroundingWhiteSpace),
        ("0f\n", .hex, .surroundingWhiteSpace),
    ])
    func `a key that is not what is said of it is refused`(text: String, form: SigningKey.SaidForm, fault: KeyFault) {
        #expect(throws: fault) { try SigningKey(text, as: form) }
    }

    @Test func `tokens of older keys are good, and newer ones have the newest`() throws {
        let (old, new) = (try SigningKey("an old key", as: .text), try SigningKey("a new key", as: .text))
        func token(_ key: SigningKey) throws -> String {
            try TokenMinter(key: key, issuer: "i", audience: "a").mint(user: "sid:1", lifetime: nil, now: 0)
        }
        let verifier = TokenVerifier(signingKey: new, oldSigningKeys: [old], issuers: ["i"], audiences: ["a"])
        for key in [old, new] {
            #expect(try verifier.verify(token(key), now: 0).id == "sid:1")
            #expect(try verifier.verifyForRefresh(token(key), grace: .zero, now: 0).id == "sid:1")
        }
        let gone = TokenVerifier(signingKey: new, issuers: ["i"], audiences: ["a"])
        #expect(throws: TokenFault.badSignature) { try gone.verify(token(old), now: 0) }
    }

    @Test(arguments: [
        ("", KeyFault.empty), (" ", .surroundingWhiteSpace), ("secret\n", .surroundingWhiteSpace),
        (" secret", .surroundingWhiteSpace), ("secret\u{A0}", .surroundingWhiteSpace), ("0000", .allZero),
        ("AA==", .allZero), ("00", .allZero),
    ])
    func `a signing key that protects nothing is refused`(text: String, fault: KeyFault) {
        #expect(throws: fault) { try SigningKey(text) }
    }

    @Test(arguments: [("", KeyFault.empty), ("key\n", .surroundingWhiteSpace), ("\tkey", .surroundingWhiteSpace)])
    func `a secret that no header can carry is refused`(text: String, fault: KeyFault) {
        #expect(throws: fault) { try SharedSecret(text) }
        #expect(throws: fault) { try SigningKey.derived(fromMasterKey: text) }
    }

    @Test func `a key in hexadecimal, in base64 and as text is the same key`() throws {
        let audience = "urn:a"
        let token = try TokenMinter(key: try SigningKey("a secret of mine"), issuer: audience, audience: audience)
            .mint(user: "sid:1", lifetime: nil, now: 0)
        for same in ["6120736563726574206f66206d696e65", "YSBzZWNyZXQgb2YgbWluZQ=="] {
            let verifier = TokenVerifier(signingKey: try SigningKey(same), issuers: [audience], audiences: [audience])
            #expect(try verifier.verify(token, now: 0).id == "sid:1")
        }
    }

    // The last two are equal as text, not as bytes.
    @Test(arguments: ["key", "Key", "ke", "keyy", "yek", "k\u{0}y", "clé", "cle\u{301}"])
    func `a secret matches its own bytes only`(text: String) throws {
        let candidates = ["key", "Key", "ke", "keyy", "", "yek", "key ", " key", "k\u{0}y", "clé", "cle\u{301}"]
        let secret = try SharedSecret(text)
        #expect(secret.matches(text))
        for candidate in candidates where !candidate.utf8.elementsEqual(text.utf8) {
            #expect(!secret.matches(candidate))
        }
    }

    @Test func `a secret differs from those that differ in one bit`() throws {
        let bytes = Array("5a0f3bd1-application-key".utf8)
        let secret = try SharedSecret(String(decoding: bytes, as: UTF8.self))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(!secret.matches(String(decoding: other, as: UTF8.self)))
        }
    }

    @Test func `printing a key shows nothing of it`() throws {
        let key = try SigningKey("my own words, not base64")
        #expect("\(key)" == "SigningKey(text, 24 bytes)")
        let secret = try SharedSecret("my own words, not base64")
        for text in ["\(secret)", String(reflecting: secret), String(reflecting: key)] {
            #expect(!text.contains("own"))
        }
        var dump = ""
        Swift.dump([key], to: &dump)
        Swift.dump([secret], to: &dump)
        let seal = SealingKey(Array(repeating: 77, count: 32))
        Swift.dump([seal], to: &dump)
        #expect(!dump.contains("digest") && !dump.contains("77") && !"\(seal)".contains("77"))
    }
}
