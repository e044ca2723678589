import Tables
import Testing

@Suite struct `A cell of text` {
    /// Whether it is UTF-8, and whether it needs no escape.
    private static func look(_ text: [UInt8]) -> (isUTF8: Bool, isPlain: Bool) {
        unsafe text.withUnsafeBufferPointer { text in
            let cell = unsafe RowCell(unsafe: text)
            return (cell != nil, cell?.isPlain == true)
        }
    }

    @Test func `is known as plain by each byte at each place`() {
        for length in [1, 2, 6, 7, 8, 9, 15, 16, 17, 63, 64, 65] {
            for place in 0..<length {
                for byte in 0...UInt8.max {
                    var text = Array(repeating: UInt8(ascii: "x"), count: length)
                    text[place] = byte
                    let isPlain = (32..<128).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                    if Self.look(text) != (byte < 128, isPlain) { Issue.record("\(text)") }
                }
            }
        }
    }

    @Test func `of no bytes is plain`() {
        #expect(Self.look([]) == (true, true))
    }

    @Test(arguments: ["\u{E9}", "\u{20AC}", "\u{1F600}"])
    func `beyond ASCII is taken at each place, and refused where it is cut off`(_ character: String) {
        for before in 0..<18 {
            for behind in 0..<10 {
                let (start, end) = (String(repeating: "x", count: before), String(repeating: "y", count: behind))
                #expect(Self.look(Array((start + character + end).utf8)) == (true, false))
                #expect(Self.look(Array(start.utf8) + character.utf8.dropLast() + Array(end.utf8)) == (false, false))
            }
        }
    }

    @Test(arguments: [[0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xFF]] as [[UInt8]])
    func `is refused where it is no UTF-8`(_ bytes: [UInt8]) {
        for before in 0..<18 {
            #expect(Self.look(Array(repeating: UInt8(ascii: "x"), count: before) + bytes) == (false, false))
        }
    }
}
