import ByteText
import Testing

@Suite struct `Base64 of bytes` {
    private func url(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        Base64.appendURL(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private func standard(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = [UInt8(ascii: "-")]
        Base64.appendStandard(bytes, to: &text)
        return String(decoding: text.dropFirst(), as: UTF8.self)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `is that of RFC 4648`(text: String, encoded: String) {
        let unpadded = encoded.filter { $0 != "=" }
        #expect(Base64.decode(encoded.utf8, .standard) == Array(text.utf8))
        #expect(Base64.decode(unpadded.utf8, .url) == Array(text.utf8))
        #expect(url(Array(text.utf8)) == unpadded)
        #expect(standard(Array(text.utf8)) == encoded)
    }

    @Test func `brings back all bytes`() {
        for count in 0...64 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 251 + count) }
            #expect(Base64.decode(url(bytes).utf8, .url) == bytes)
            #expect(Base64.decode(standard(bytes).utf8, .standard) == bytes)
        }
    }

    @Test(arguments: ["Zg=", "Zh", "Z", "Zg\n", "Z+", "Zg=="])
    func `has one text for every value`(other: String) {
        #expect(Base64.decode(other.utf8, .url) == nil)
    }
}
