import ByteText
import Testing

@Suite struct `Exact text` {
    /// Pairs that a `String` takes for one: composed and not, marks in two orders, a letter and a sign.
    static let alikes = [
        ("\u{E9}", "e\u{301}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"), ("\u{212B}", "A\u{30A}"), ("K", "\u{212A}"),
        ("x\u{E9}y", "xe\u{301}y"),
        (String(repeating: "\u{1E69}", count: 40), String(repeating: "s\u{323}\u{307}", count: 40)),
    ]

    @Test(arguments: alikes)
    func `texts of other bytes are two, however alike they look`(_ one: String, _ other: String) {
        #expect(one == other)
        #expect(!one.isExactly(other) && one.isExactly(String(decoding: Array(one.utf8), as: UTF8.self)))
        #expect(Set([ExactText(one), ExactText(other), ExactText(one)]).count == 2)
        #expect((ExactText(one) < ExactText(other)) != (ExactText(other) < ExactText(one)))
        #expect(!Optional(one).isExactly(other) && Optional(one).isExactly(one) && !Optional(one).isExactly(nil))
    }

    @Test func `the order is that of bytes`() {
        let texts = ["", "Z", "a", "a\u{301}", "z", "\u{E9}", "\u{FFFD}", "\u{1F600}"]
        #expect(texts.reversed().map(ExactText.init).sorted().map(\.text) == texts)
    }

    @Test func `a text begins and ends with bytes, whatever mark comes next`() {
        #expect("Local:\u{301}ann".beginsExactly("Local:") && !"Local:\u{301}ann".hasPrefix("Local:"))
        #expect(!"Loca".beginsExactly("Local") && "Local".beginsExactly("") && !"e\u{301}".beginsExactly("\u{E9}"))
        #expect("a\r\n".endsExactly("\n") && !"a".endsExactly("ba") && !"e\u{301}".endsExactly("\u{E9}"))
    }
}
