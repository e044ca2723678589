import Testing

@testable import Arguments

@Suite("Wrapping")
struct WrappingTests {
    @Test func `a line has fewer characters than the width, the last at most as many`() {
        #expect("aaa bbb ccc".wrapped(to: 8) == "aaa bbb\nccc")
        #expect("aaa bbb ccc".wrapped(to: 7) == "aaa\nbbb ccc")
        #expect("aaa bbb".wrapped(to: 7) == "aaa bbb")
        #expect("aaa bbb".wrapped(to: 6) == "aaa\nbbb")
    }

    @Test func `a word that is longer than the width stands by itself`() {
        #expect("a bbbbbbbbbb c".wrapped(to: 5) == "a\nbbbbbbbbbb\nc")
    }

    @Test func `the lines and paragraphs of a text stay apart`() {
        #expect("aaa\nbb\n\ncc dd".wrapped(to: 20) == "aaa\nbb\n\ncc dd")
    }

    @Test func `an indent counts, and stands before each line that has words`() {
        #expect("aaa bbb\n\nc".wrapped(to: 8, indent: 4) == "    aaa\n    bbb\n\n    c")
    }

    @Test func `a letter of several bytes counts once`() {
        #expect("ööö ööö ö".wrapped(to: 8) == "ööö ööö\nö")
    }
}
