import HTTPModel
import Testing

@Suite("Percent encoding")
struct PercentEncodingTests {
    @Test(arguments: [
        ("plain-._~9", "plain-._~9"), ("a b", "a%20b"), ("a/b", "a%2Fb"), ("é", "%C3%A9"), ("100%", "100%25"),
        ("a+b&c=d", "a%2Bb%26c%3Dd"), ("😀", "%F0%9F%98%80"), ("", ""),
    ])
    func `what is encoded is decoded to itself`(text: String, encoded: String) throws {
        var output: [UInt8] = []
        PercentEncoding.encode(text, into: &output)
        #expect(String(decoding: output, as: UTF8.self) == encoded)
        #expect(try PercentEncoding.decode(output[...], plusIsBlank: false) == text)
        #expect(try PercentEncoding.decode(output[...], plusIsBlank: true) == text)
    }

    @Test func `characters to keep stay as they are`() {
        var output: [UInt8] = []
        PercentEncoding.encode("$filter=a b'c'", keeping: "$='", into: &output)
        #expect(String(decoding: output, as: UTF8.self) == "$filter=a%20b'c'")
    }

    @Test func `a plus is a blank only where told so`() throws {
        #expect(try PercentEncoding.decode(Array("a+b%2B".utf8)[...], plusIsBlank: true) == "a b+")
        #expect(try PercentEncoding.decode(Array("a+b%2B".utf8)[...], plusIsBlank: false) == "a+b+")
    }

    @Test func `both cases of hexadecimal digits are read`() throws {
        #expect(try PercentEncoding.decode(Array("%c3%A9".utf8)[...], plusIsBlank: false) == "é")
    }

    @Test func `a slice is decoded within its bounds`() {
        let bytes = Array("xx%41".utf8)
        #expect(throws: RequestTarget.Fault.percentEncoding) {
            try PercentEncoding.decode(bytes[2..<4], plusIsBlank: false)
        }
    }
}
