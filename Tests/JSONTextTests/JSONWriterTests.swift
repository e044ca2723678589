import JSONText
import Testing

@Suite struct `Writing JSON` {
    private static func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(capacity: 0)
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(arguments: [0, 1, -1, 9, 10, -10, 1_234_567_890, .max, .min] as [Int64])
    func `a whole number is all its digits`(_ value: Int64) throws {
        let text = Self.written { $0.integer(value) }
        #expect(text == String(value))
        #expect(try JSONReader.parse(Array(text.utf8)) == .integer(value))
    }

    @Test(
        arguments: [
            (0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (-2.5, "-2.5"), (1e15, "1000000000000000"),
            (9_007_199_254_740_992, "9007199254740992"), (1e-7, "1e-07"), (1e300, "1e+300"), (.nan, "null"),
            (.infinity, "null"), (-.infinity, "null"),
        ] as [(Double, String)])
    func `a double is written as short as it can be read back`(_ value: Double, _ text: String) {
        #expect(Self.written { $0.number(value) } == text)
    }

    @Test(arguments: [
        0.1, 1.0 / 3, .leastNonzeroMagnitude, 2.2250738585072014e-308, 1.7976931348623157e308, 1e21, 4.6e18, 9.3e18,
        123_456_789.125,
        -1e-5, 0.3e-6,
    ])
    func `a double comes back as it was`(_ value: Double) throws {
        let text = Self.written { $0.number(value) }
        switch try JSONReader.parse(Array(text.utf8)) {
        case .integer(let whole): #expect(Double(whole) == value)
        case .number(let number), .precise(_, let number): #expect(number == value)
        default: Issue.record("\(text)")
        }
    }

    @Test(arguments: [
        ("", #""""#), ("tea", #""tea""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{1}\u{B}\u{1F}", #""\u0001\u000b\u001f""#), ("\u{8}\u{C}", #""\u0008\u000c""#),
        ("\u{7F}é日😀", "\"\u{7F}é日😀\""),
        ("a\"b\"c", #""a\"b\"c""#),
    ])
    func `a string escapes quotes, backslashes and control characters`(_ value: String, _ text: String) {
        #expect(Self.written { $0.string(value) } == text)
    }

    @Test func `every ASCII character comes back as it was`() throws {
        let value = String(decoding: (1...127).map { UInt8($0) }, as: UTF8.self)
        let text = Self.written { $0.string(value) }
        #expect(try JSONReader.parse(Array(text.utf8)) == .string(value))
    }

    @Test func `words, punctuation and values follow one another`() {
        let text = Self.written {
            $0.raw("{\"a\":")
            $0.boolean(true)
            $0.raw(UInt8(ascii: ","))
            $0.raw(Array("\"b\":".utf8)[...])
            $0.boolean(false)
            $0.building { $0.append(contentsOf: Array("}".utf8)) }
        }
        #expect(text == #"{"a":true,"b":false}"#)
    }
}
