import ByteText
import Testing

@testable import Cryptography

@Suite("Sealed bytes")
struct SealingKeyTests {
    struct Known: Sendable, CustomTestStringConvertible {
        let number: Int
        let key: String
        let nonce: String
        let bytes: String
        let sealed: String

        var testDescription: String { "\(number)" }
    }

    /// Those for 256 bits without further data in "The Galois/Counter Mode of Operation (GCM)", on which NIST's standard is
    /// built.
    @Test(arguments: [
        Known(
            number: 13, key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12), bytes: "",
            sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
        Known(
            number: 14, key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
            bytes: String(repeating: "00", count: 16),
            sealed: "cea7403d4d606b6e074ec5d3baf39d18 d0d1c8a799996bf0265b98b5d48ab919"),
        Known(
            number: 15, key: "feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            bytes: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
            sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad b094dac5d93471bdec1a502270e3cc6c"),
    ])
    func `AES-256-GCM gives the known answers`(known: Known) throws {
        let key = SealingKey(try bytes(known.key))
        let (nonce, text) = (try bytes(known.nonce), try bytes(known.bytes))
        let sealed = key.seal(text, nonce: nonce)
        #expect(sealed == (try nonce + bytes(known.sealed)))
        #expect(key.open(sealed) == text)
    }

    @Test func `come back as they were, whatever their number`() {
        let key = SealingKey((0..<32).map { $0 })
        for count in [0, 1, 15, 16, 17, 1_000, 4_096] {
            let bytes = (0..<count).map { UInt8($0 & 255) }
            #expect(key.open(key.seal(bytes)) == bytes)
        }
    }

    @Test func `never look the same`() {
        let key = SealingKey((0..<32).map { $0 })
        let all = Set((0..<1_000).map { _ in key.seal([1]).prefix(12) })
        #expect(all.count == 1_000)
    }

    @Test func `are refused where one bit differs, and where they are shorter or longer`() {
        let key = SealingKey((0..<32).map { $0 })
        let sealed = key.seal(Array("a session".utf8))
        for other in sealed.oneBitOff { #expect(key.open(other) == nil) }
        for count in 0..<sealed.count { #expect(key.open(Array(sealed.prefix(count))) == nil) }
        #expect(key.open(sealed + [0]) == nil)
    }

    @Test func `are refused by every other key`() {
        let bytes: [UInt8] = (0..<32).map { $0 }
        let sealed = SealingKey(bytes).seal([1, 2, 3])
        for other in bytes.oneBitOff { #expect(SealingKey(other).open(sealed) == nil) }
    }
}
