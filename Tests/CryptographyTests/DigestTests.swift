import ByteText
import Cryptography
import Testing

@Suite("Digests")
struct DigestTests {
    struct Known: Sendable {
        let text: String
        let digest: String
    }

    /// FIPS 180-4's own examples (NIST's "SHA256 examples").
    @Test(arguments: [
        Known(text: "", digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Known(text: "abc", digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Known(
            text: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        Known(
            text: String(repeating: "a", count: 1_000_000),
            digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `SHA-256 gives the known answers`(known: Known) {
        #expect(Digest.sha256(known.text.utf8Span.span).hexText == known.digest)
    }

    @Test func `bytes in two parts have the digest of the whole`() {
        let whole = (0..<200).map { UInt8($0) }
        for cut in 0...whole.count {
            let (first, second) = (Array(whole[..<cut]), Array(whole[cut...]))
            #expect(Digest.sha256(first.span, second.span) == Digest.sha256(whole.span))
        }
    }
}

@Suite("Comparison in constant time")
struct ConstantTimeTests {
    @Test func `bytes are equal to themselves alone`() {
        let secret = (0..<32).map { UInt8($0) }
        #expect(ConstantTime.isEqual(secret, Array(secret)))
        for other in secret.oneBitOff { #expect(!ConstantTime.isEqual(secret, other)) }
    }

    @Test func `of two lengths none is equal, not even to nothing`() {
        let secret = [UInt8](repeating: 0, count: 32)
        for count in 0..<32 {
            #expect(!ConstantTime.isEqual(secret, Array(secret.prefix(count))))
            #expect(!ConstantTime.isEqual(Array(secret.prefix(count)), secret))
        }
        #expect(ConstantTime.isEqual([], []))
    }
}
