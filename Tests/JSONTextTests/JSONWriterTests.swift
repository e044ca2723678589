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

@Suite struct `A sink of JSON` {
    private static func written(atMost capacity: Int, _ body: (inout JSONSink) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: 0)
        writer.raw("[")
        writer.sink(atMost: capacity, body)
        writer.raw("]")
        return Array(writer.bytes.dropFirst().dropLast())
    }

    /// The bytes of a string of its own bound, beside those of the writer.
    private static func both(_ text: [UInt8]) -> (sink: [UInt8], writer: [UInt8]) {
        var writer = JSONWriter()
        writer.string(text.span)
        let sink = unsafe text.withUnsafeBufferPointer { text in
            unsafe written(atMost: JSONSink.bound(of: text)) { unsafe $0.string(text) }
        }
        return (sink, writer.bytes)
    }

    @Test func `writes every byte at every place as the writer does`() {
        for length in 0..<20 {
            for place in 0..<length {
                for byte in 0...UInt8.max {
                    var text = Array(repeating: UInt8(ascii: "x"), count: length)
                    text[place] = byte
                    let (sink, writer) = Self.both(text)
                    if sink != writer { Issue.record("\(text)") }
                }
            }
        }
    }

    @Test func `writes plain text of every length as the writer does, with no byte of room to spare`() {
        for length in 0...130 {
            let text = (0..<length).map { UInt8(ascii: "A") + UInt8($0 % 26) }
            var writer = JSONWriter()
            writer.string(text.span)
            let sink = unsafe text.withUnsafeBufferPointer { text in
                Self.written(atMost: length + 2) { unsafe $0.plain(text) }
            }
            #expect(sink == writer.bytes)
        }
    }

    @Test func `copies padded bytes of every length and nothing of what is behind them`() {
        let source = (0..<100).map { UInt8($0) }
        for length in 1...(source.count - 15) {
            let sink = unsafe source.withUnsafeBufferPointer { source in
                Self.written(atMost: length + 15) { sink in
                    if let start = source.baseAddress { unsafe sink.raw(padded: start, count: length) }
                }
            }
            #expect(sink == Array(source[..<length]))
        }
    }

    @Test func `takes no padded bytes that are none, since sixteen would be written where fifteen have room`() async {
        await #expect(processExitsWith: .failure) {
            let source = [UInt8](repeating: 1, count: 16)
            var writer = JSONWriter()
            writer.sink(atMost: 15) { sink in
                unsafe source.withUnsafeBufferPointer { source in
                    if let start = source.baseAddress { unsafe sink.raw(padded: start, count: 0) }
                }
            }
        }
    }

    @Test(arguments: [0, 1, 7, 8, 9, 63, 64, 65, 100, 1_000])
    func `has room for text that is nothing but escapes`(_ length: Int) {
        for byte in [UInt8(ascii: "\""), 0, 10, 31, UInt8(ascii: "a")] {
            let (sink, writer) = Self.both(Array(repeating: byte, count: length))
            #expect(sink == writer)
        }
    }

    @Test(arguments: [0, 1, -1, 9, 10, -10, 99, 100, 1_234_567_890, 999_999_999_999_999_999, .max, .min] as [Int64])
    func `writes all digits of a whole number`(_ value: Int64) {
        #expect(Self.written(atMost: JSONSink.longestNumber) { $0.integer(value) } == Array(String(value).utf8))
    }

    @Test(arguments: [0, -1, 0.1, -2.2250738585072014e-308, 1e21, 4.6e18, 9.3e18, .nan, -.infinity, 123_456_789.125])
    func `writes a double as the writer does`(_ value: Double) {
        var writer = JSONWriter()
        writer.number(value)
        #expect(Self.written(atMost: JSONSink.longestNumber) { $0.number(value) } == writer.bytes)
    }
}
