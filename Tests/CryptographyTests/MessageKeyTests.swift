import ByteText
import Cryptography
import Testing

@Suite("Message codes")
struct MessageKeyTests {
    struct Known: Sendable, CustomTestStringConvertible {
        let number: Int
        let key: [UInt8]
        let message: [UInt8]
        /// By SHA-256, SHA-384 and SHA-512, or what there is of them.
        let codes: [String]

        init(_ number: Int, key: [UInt8], _ message: [UInt8], _ codes: [String]) {
            self.number = number
            self.key = key
            self.message = message
            self.codes = codes
        }

        init(_ number: Int, key: [UInt8], _ message: String, _ codes: [String]) {
            self.init(number, key: key, Array(message.utf8), codes)
        }

        var testDescription: String { "\(number)" }
    }

    private static func times(_ count: Int, _ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: count) }

    static let hashes: [MessageKey.Hash] = [.sha256, .sha384, .sha512]

    /// RFC 4231 sections 4.2 to 4.8.
    static let known = [
        Known(
            1, key: times(20, 0x0B), "Hi There",
            [
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
                "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
                """
                87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4\
                be9d914eeb61f1702e696c203a126854
                """,
            ]),
        Known(
            2, key: Array("Jefe".utf8), "what do ya want for nothing?",
            [
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
                """
                164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fd\
                caeab1a34d4a6b4b636e070a38bce737
                """,
            ]),
        Known(
            3, key: times(20, 0xAA), times(50, 0xDD),
            [
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
                "88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b2a5ab39dc13814b94e3ab6e101a34f27",
                """
                fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807\
                b946a337bee8942674278859e13292fb
                """,
            ]),
        Known(
            4, key: Array(1...25), times(50, 0xCD),
            [
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
                "3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e6801dd23c4a7d679ccf8a386c674cffb",
                """
                b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063\
                a5f19741120c4f2de2adebeb10a298dd
                """,
            ]),
        Known(
            5, key: times(20, 0x0C), "Test With Truncation",
            [
                "a3b6167473100ee06e0c796c2955552b", "3abf34c3503b2a23a46efc619baef897",
                "415fad6271580a531d4179bc891d87a6",
            ]),
        Known(
            6, key: times(131, 0xAA), "Test Using Larger Than Block-Size Key - Hash Key First",
            [
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
                "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952",
                """
                80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e52\
                95e64f73f63f0aec8b915a985d786598
                """,
            ]),
        Known(
            7, key: times(131, 0xAA),
            "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
                + "hashed before being used by the HMAC algorithm.",
            [
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
                "6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5a678cc31e799176d3860e6110c46523e",
                """
                e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15\
                134676fb6de0446065c97440fa8c6a58
                """,
            ]),
    ]

    @Test(arguments: known)
    func `HMAC gives the answers of RFC 4231`(known: Known) throws {
        for (hash, digits) in zip(Self.hashes, known.codes) {
            let key = MessageKey(known.key, hash)
            let code = try bytes(digits)
            #expect(Array(key.code(of: known.message).prefix(code.count)) == code)
            // Once more, as a key is there for many messages.
            #expect(key.isCode(key.code(of: known.message), of: known.message))
        }
    }

    @Test func `a code has the length of its hash`() {
        let key: [UInt8] = [1]
        let counts = Self.hashes.map { MessageKey(key, $0).code(of: []).count }
        #expect(counts == [32, 48, 64])
    }

    @Test(arguments: hashes)
    func `a code that differs in one bit, is longer or shorter is none`(hash: MessageKey.Hash) {
        let (secret, message) = (Array("secret".utf8), Array("message".utf8))
        let key = MessageKey(secret, hash)
        let code = key.code(of: message)
        #expect(key.isCode(code, of: message))
        for other in code.oneBitOff { #expect(!key.isCode(other, of: message)) }
        for count in 0..<code.count { #expect(!key.isCode(Array(code.prefix(count)), of: message)) }
        #expect(!key.isCode((code + [0]), of: message))
        for other in message.oneBitOff { #expect(!key.isCode(code, of: other)) }
    }

    /// By Python's hmac.
    @Test func `a key of no bytes is a key, and no message is a message`() throws {
        // A span of nothing has no address, an array without elements may have one.
        for key in [MessageKey(Span(), .sha256), MessageKey([], .sha256)] {
            #expect(key.code(of: []).hexText == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
            let code = key.code(of: Span())
            #expect(code == key.code(of: []))
        }
        let message = Array("The quick brown fox jumps over the lazy dog".utf8)
        #expect(
            MessageKey(Array("key".utf8), .sha256).code(of: message).hexText
                == "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8")
    }

    @Test func `keys are equal where they make the same codes`() {
        let key = MessageKey(Array("key".utf8), .sha256)
        #expect(key == MessageKey(Array("key".utf8), .sha256))
        #expect(key != MessageKey(Array("kez".utf8), .sha256))
        #expect(key != MessageKey(Array("key".utf8), .sha512))
    }
}
