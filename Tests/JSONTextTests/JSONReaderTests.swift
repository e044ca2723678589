import Testing

@testable import JSONText

@Suite struct `Reading JSON` {
    @Test(
        arguments: [
            ("null", .null),
            ("true", .boolean(true)),
            ("false", .boolean(false)),
            ("0", .integer(0)),
            ("-0", .integer(0)),
            ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .precise("9223372036854775808", nearest: 9_223_372_036_854_775_808)),
            ("1.5", .number(1.5)),
            ("-1234567890.123", .number(-1_234_567_890.123)),
            ("1234567890.12345", .precise("1234567890.12345", nearest: 1_234_567_890.123_45)),
            ("1.0", .precise("1.0", nearest: 1)),
            ("-12.5e-1", .precise("-12.5e-1", nearest: -1.25)),
            ("1E3", .precise("1E3", nearest: 1000)),
            ("1e+308", .precise("1e+308", nearest: 1e308)),
            ("5e-324", .precise("5e-324", nearest: .leastNonzeroMagnitude)),
            ("1e-400", .precise("1e-400", nearest: 0)),
            ("\"\"", .string("")),
            ("\"tea\"", .string("tea")),
            ("[]", .array([])),
            ("[1,[2],{}]", .array([.integer(1), .array([.integer(2)]), .object([])])),
            ("{}", .object([])),
            (
                " \t\r\n{ \"a\" : 1 , \"b\" : [ ] } \n",
                .object([JSONMember("a", .integer(1)), JSONMember("b", .array([]))])
            ),
            ("\u{FEFF}true", .boolean(true)),
        ] as [(String, JSONValue)])
    func `a text of the grammar is its value`(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONReader.parse(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u00E9""#, "Aéé"),
        (#""x\u65e5y""#, "x日y"),
        (#""\ud83d\ude00""#, "😀"),
        (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
        (#""\u007f\u0080""#, "\u{7F}\u{80}"),
        ("\"日本 😀\"", "日本 😀"),
        ("\"e\u{301}\"", "e\u{301}"),
    ])
    func `a string has its escapes undone`(_ text: String, _ value: String) throws {
        let parsed = try JSONReader.parse(Array(text.utf8))
        guard case .string(let found) = parsed else {
            Issue.record("\(parsed)")
            return
        }
        #expect(Array(found.unicodeScalars) == Array(value.unicodeScalars))
    }

    @Test func `members keep their order, also two of one name`() throws {
        let members = [JSONMember("b", .integer(1)), JSONMember("a", .integer(2)), JSONMember("b", .integer(3))]
        #expect(try JSONReader.parse(Array(#"{"b":1,"a":2,"b":3}"#.utf8)) == .object(members))
    }

    @Test(
        arguments: [
            ("", 0, .unexpectedEnd),
            ("  ", 2, .unexpectedEnd),
            ("[", 1, .unexpectedEnd),
            ("[1", 2, .unexpectedEnd),
            ("{", 1, .unexpectedEnd),
            ("{\"a\"", 4, .unexpectedEnd),
            ("{\"a\":", 5, .unexpectedEnd),
            ("\"a", 2, .unexpectedEnd),
            ("\"a\\", 3, .unexpectedEnd),
            ("\"\\u00", 5, .unexpectedEnd),
            ("tru", 0, .expected("a value")),
            ("True", 0, .expected("a value")),
            ("nulL", 0, .expected("a value")),
            ("'a'", 0, .expected("a value")),
            ("+1", 0, .expected("a value")),
            (".5", 0, .expected("a value")),
            ("NaN", 0, .expected("a value")),
            ("Infinity", 0, .expected("a value")),
            ("// no\n1", 0, .expected("a value")),
            ("[1,]", 3, .expected("a value")),
            ("[,1]", 1, .expected("a value")),
            ("[1 2]", 3, .expected("a comma or ]")),
            ("[1}", 2, .expected("a comma or ]")),
            ("{a:1}", 1, .expected("a member name in double quotes")),
            ("{\"a\":1,}", 7, .expected("a member name in double quotes")),
            ("{,}", 1, .expected("a member name in double quotes")),
            ("{\"a\" 1}", 5, .expected("a colon")),
            ("{\"a\":1 \"b\":2}", 7, .expected("a comma or }")),
            ("{\"a\":1]", 6, .expected("a comma or }")),
            ("1 2", 2, .trailingText),
            ("{}}", 2, .trailingText),
            ("nullx", 4, .trailingText),
            ("1\u{A0}", 1, .trailingText),
        ] as [(String, Int, JSONError.Reason)])
    func `a text that breaks the grammar is refused with its byte`(
        _ text: String, _ offset: Int, _ reason: JSONError.Reason
    ) {
        #expect(throws: JSONError(offset: offset, reason: reason)) { try JSONReader.parse(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            ("01", 1, .invalidNumber),
            ("-", 1, .invalidNumber),
            ("-a", 1, .invalidNumber),
            ("1.", 2, .invalidNumber),
            ("1.e3", 2, .invalidNumber),
            ("1e", 2, .invalidNumber),
            ("1e+", 3, .invalidNumber),
            ("0x10", 1, .trailingText),
            ("1e309", 0, .numberOutOfRange),
            ("[-1e400]", 1, .numberOutOfRange),
        ] as [(String, Int, JSONError.Reason)])
    func `a malformed number is refused with its byte`(_ text: String, _ offset: Int, _ reason: JSONError.Reason) {
        #expect(throws: JSONError(offset: offset, reason: reason)) { try JSONReader.parse(Array(text.utf8)) }
    }

    @Test(arguments: [
        (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"), (#""\ud83d\n""#, "\u{FFFD}\n"),
        (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""a\ude00""#, "a\u{FFFD}"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
        (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud83d\ude00""#, "😀"),
    ])
    func `half a surrogate pair is replaced where the caller wants that`(_ text: String, _ expected: String) throws {
        #expect(try JSONReader.parse(Array(text.utf8), loneSurrogates: .replaced) == .string(expected))
    }

    @Test(arguments: [(#""\ud83d\u00g0""#, JSONError.Reason.invalidEscape), (#""\ud83d\u0000""#, .nul)])
    func `what follows half a pair has to be right all the same`(_ text: String, _ reason: JSONError.Reason) {
        let error = #expect(throws: JSONError.self) {
            try JSONReader.parse(Array(text.utf8), loneSurrogates: .replaced)
        }
        #expect(error?.reason == reason)
    }

    @Test(
        arguments: [
            (#""a\x""#, 2, .invalidEscape),
            (#""\u12g4""#, 1, .invalidEscape),
            (#""\ud83d""#, 1, .invalidEscape),
            (#""\ud83dx""#, 1, .invalidEscape),
            (#""\ud83d\n""#, 1, .invalidEscape),
            (#""\ud83d\u0041""#, 1, .invalidEscape),
            (#""a\ude00""#, 2, .invalidEscape),
            (#""a\u0000b""#, 2, .nul),
            ("\"a\u{0}b\"", 2, .nul),
            ("\"\\n\u{0}\"", 3, .nul),
            ("\"a\nb\"", 2, .controlCharacter),
            ("\"\\n\tb\"", 3, .controlCharacter),
            ("\"\u{1F}\"", 1, .controlCharacter),
        ] as [(String, Int, JSONError.Reason)])
    func `a malformed string is refused with its byte`(_ text: String, _ offset: Int, _ reason: JSONError.Reason) {
        #expect(throws: JSONError(offset: offset, reason: reason)) { try JSONReader.parse(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused`(_ bytes: [UInt8]) {
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        #expect(throws: JSONError(offset: 1, reason: .invalidUTF8)) { try JSONReader.parse(quoted) }
        let escaped = Array("\"\\n".utf8) + bytes + [UInt8(ascii: "\"")]
        #expect(throws: JSONError(offset: 1, reason: .invalidUTF8)) { try JSONReader.parse(escaped) }
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func `nesting ends at its limit`(_ opening: String, _ closing: String) throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)).utf8)
        }
        let limit = JSONReader.maximumDepth
        #expect(throws: Never.self) { try JSONReader.parse(nested(limit)) }
        #expect(throws: JSONError(offset: limit * opening.utf8.count, reason: .tooDeep(limit: limit))) {
            try JSONReader.parse(nested(limit + 1))
        }
        #expect(throws: JSONError.self) { try JSONReader.parse(nested(100_000)) }
    }

    @Test func `siblings are not nesting`() throws {
        let text = "[" + Array(repeating: "[[]]", count: 1_000).joined(separator: ",") + "]"
        guard case .array(let elements) = try JSONReader.parse(Array(text.utf8)) else {
            Issue.record("not an array")
            return
        }
        #expect(elements.count == 1_000)
    }

    /// Neither a crash nor an endless loop, whatever the bytes.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `every cut and every changed byte of a text is answered`(_ seed: UInt64) {
        let text = Array(#"{"id":"k1","text":"t\u00e9\ud83d\ude00\n","n":[-1.5e3,true,null,{"a":false}]}"#.utf8)
        var bytes = text
        var state = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        for _ in 0..<3 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
        }
        bytes.removeLast(Int(seed) % bytes.count)
        do {
            _ = try JSONReader.parse(bytes)
        } catch {
            #expect((0...bytes.count).contains(error.offset))
        }
    }
}
