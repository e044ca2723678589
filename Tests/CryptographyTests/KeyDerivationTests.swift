import ByteText
import Cryptography
import Testing

@Suite("Keys out of secrets")
struct KeyDerivationTests {
    /// Its test case 3, the one without a salt: the first 32 of its bytes, as no more were asked for.
    @Test func `HKDF gives the answer of RFC 5869`() {
        let secret = [UInt8](repeating: 0x0B, count: 22)
        #expect(
            KeyDerivation.key(from: secret.span, for: "").hexText
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    }

    /// By RFC 5869's two steps with Python's hmac.
    @Test func `a purpose has a key of its own`() throws {
        let secret = try bytes("74ca4ce8d35d4a0efaac606336f3fedb8cad1880ce1cef3eab107684f7295c47")
        let key = KeyDerivation.key(from: secret.span, for: "zumod data page session 1")
        #expect(key.hexText == "b9c982774ca8664482e63a059dc78ba9caa651986fc7ca061d06daf1c7978623")
        #expect(KeyDerivation.key(from: secret.span, for: "zumod data page session 2") != key)
        #expect(KeyDerivation.key(from: Array(secret.reversed()).span, for: "zumod data page session 1") != key)
    }
}

@Suite("scrypt")
struct ScryptTests {
    struct Known: Sendable, CustomTestStringConvertible {
        let password: String
        let salt: String
        let cost: Int
        let blockSize: Int
        let lanes: Int
        let key: String

        var testDescription: String { "\(cost), \(blockSize), \(lanes)" }
    }

    /// Section 12 has 64 bytes of each, which begin with the 32 that are asked for here; its last takes a gigabyte.
    @Test(arguments: [
        Known(
            password: "", salt: "", cost: 16, blockSize: 1, lanes: 1,
            key: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
        Known(
            password: "password", salt: "NaCl", cost: 1_024, blockSize: 8, lanes: 16,
            key: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
        Known(
            password: "pleaseletmein", salt: "SodiumChloride", cost: 16_384, blockSize: 8, lanes: 1,
            key: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"),
    ])
    func `gives the answers of RFC 7914`(known: Known) {
        let key = Scrypt.key(
            of: known.password, salt: known.salt, cost: known.cost,
            blockSize: known.blockSize, lanes: known.lanes)
        #expect(key?.hexText == known.key)
    }

    @Test(arguments: [
        (0, 8, 1), (1, 8, 1), (-2, 8, 1), (1_000, 8, 1), (16, 0, 1), (16, 8, 0), (16, -1, 1), (16, 8, -1),
    ])
    func `has no key of parameters that are none`(cost: Int, blockSize: Int, lanes: Int) {
        #expect(Scrypt.key(of: "", salt: "", cost: cost, blockSize: blockSize, lanes: lanes) == nil)
    }

    @Test func `has no key that takes 128 MiB`() {
        #expect(Scrypt.key(of: "", salt: "", cost: 1 << 17, blockSize: 8, lanes: 1) == nil)
        #expect(Scrypt.key(of: "", salt: "", cost: 1 << 20, blockSize: 32, lanes: 16) == nil)
    }
}
