/// Base64 in the alphabet for URLs, without padding (RFC 4648, section 5).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 4 / 3 + 2)
        var index = 0
        while index < bytes.count {
            let group = bytes[index..<min(index + 3, bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for digit in 0...group.count { text.append(alphabet[Int(bits >> UInt32(18 - 6 * digit) & 63)]) }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil where the text is not the one that `text(of:)` makes of some bytes.
    static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 & 0xFFFF | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        // What is left over are the zero bits of the last character.
        guard count < 6, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case 65...90: UInt32(character) - 65
        case 97...122: UInt32(character) - 71
        case 48...57: UInt32(character) + 4
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
