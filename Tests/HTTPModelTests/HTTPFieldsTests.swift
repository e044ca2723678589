import HTTPModel
import Testing

@Suite("Header fields")
struct HTTPFieldsTests {
    @Test func `names compare without regard to case, and the first of several is the value`() {
        var fields = HTTPFields()
        fields.append("X-Zumo-Auth", "one")
        fields.append("x-zumo-auth", "two")
        fields.append("X-Zumo", "three")
        #expect(fields["x-ZUMO-auth"] == "one")
        #expect(fields.values("X-ZUMO-AUTH") == ["one", "two"])
        #expect(fields["X-Zumo-Aut"] == nil)
        #expect(fields.contains("x-zumo"))
        #expect(!fields.contains("x"))
        #expect(fields.count == 3)
    }

    @Test func `characters that only case folding of letters would join stay apart`() {
        var fields = HTTPFields()
        fields.append("a^b", "1")
        #expect(fields["a~b"] == nil)
    }

    @Test func `fields from the wire keep their bytes and their order`() {
        var fields = HTTPFields()
        let name = Array("Host".utf8)
        let value = Array("example.org".utf8)
        fields.append(name: name.span, value: value.span)
        fields.append("Accept", "*/*")
        #expect(fields.all.map(\.name) == ["Host", "Accept"])
        #expect(fields.all.map(\.value) == ["example.org", "*/*"])
    }

    @Test func `they are written as lines`() {
        var fields = HTTPFields()
        fields.append("ETag", "\"a\"")
        fields.append("Link", building: { $0.append(contentsOf: "<x>; rel=next".utf8) })
        var output: [UInt8] = []
        fields.encode(into: &output)
        #expect(String(decoding: output, as: UTF8.self) == "ETag: \"a\"\r\nLink: <x>; rel=next\r\n")
    }

    @Test(arguments: 0...3)
    func `fields that were put together before are as if appended one by one`(count: Int) {
        var (others, fields, oneByOne) = (HTTPFields(), HTTPFields(), HTTPFields())
        oneByOne.append("First", "1")
        for _ in 0..<count {
            others.append("Other", "")
            oneByOne.append("Other", "")
        }
        others.append("Gone", "x")
        others.removeAll("Gone")
        others.append("Last", "\u{E9}")
        oneByOne.append("Last", "\u{E9}")
        fields.append("First", "1")
        fields.append(contentsOf: others)
        fields.append(contentsOf: HTTPFields())
        #expect(fields.all.map(\.name) == oneByOne.all.map(\.name))
        #expect(fields.all.map(\.value) == oneByOne.all.map(\.value))
        #expect(fields["last"] == "\u{E9}" && fields.values("OTHER") == Array(repeating: "", count: count))
        var (output, expected): ([UInt8], [UInt8]) = ([], [])
        fields.encode(into: &output)
        oneByOne.encode(into: &expected)
        #expect(output == expected)
    }

    @Test(arguments: ["a\r\nSet-Cookie: b", "a\nb", "a\u{0}b", "a\u{7F}b"])
    func `a control character in a value cannot end its line`(value: String) {
        var fields = HTTPFields()
        fields.append("Location", value)
        var output: [UInt8] = []
        fields.encode(into: &output)
        #expect(!output.dropLast(2).contains { $0 < 32 || $0 == 127 })
    }
}
