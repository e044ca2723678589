import ByteText
import Testing

@Suite struct `Hexadecimal digits` {
    @Test func `stand for bytes in either case, and are written in lower case`() {
        let bytes = (0...255).map { UInt8($0) }
        #expect([UInt8](hexText: bytes.hexText) == bytes && [UInt8]([1, 171]).hexText == "01ab")
        #expect([UInt8](hexText: "01aBCd") == [1, 171, 205] && [UInt8](hexDigits: []) == [])
        for text in ["0", "0g", "é0", "0x01", " 01", "\u{FF10}\u{FF10}"] { #expect([UInt8](hexText: text) == nil) }
    }

    @Test func `of a number are as many as its type has`() {
        #expect(UInt16(0xAB).hexText == "00ab")
        #expect(UInt64.max.hexText == String(repeating: "f", count: 16) && UInt32(0).hexText == "00000000")
    }

    @Test func `have a value, and a value has one in each case`() {
        for value in UInt8(0)..<16 {
            #expect(HexDigit.value(of: HexDigit.lowerCase(value)) == value)
            #expect(HexDigit.value(of: HexDigit.upperCase(value)) == value)
        }
        for byte in "/:@G`g".utf8 { #expect(HexDigit.value(of: byte) == nil) }
    }
}
