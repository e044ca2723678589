import ByteText
import Cryptography
import Testing

/// The bytes of hexadecimal digits, between which blanks may stand.
func bytes(_ digits: String) throws -> [UInt8] {
    try #require([UInt8](hexText: digits.filter { $0 != " " }))
}

/// The bytes of a text in tokens' Base64.
func decoded(_ text: String) throws -> [UInt8] {
    try #require(Base64.decode(text.utf8, .url))
}

extension [UInt8] {
    /// Each way to change a single bit.
    var oneBitOff: [[UInt8]] {
        (0..<count * 8).map { bit in
            var other = self
            other[bit / 8] ^= 1 << (bit % 8)
            return other
        }
    }
}

// An expectation can't hold a span.

extension ConstantTime {
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { isEqual(one.span, other.span) }
}

extension MessageKey {
    convenience init(_ key: [UInt8], _ hash: Hash) { self.init(key.span, hash) }

    func code(of message: [UInt8]) -> [UInt8] { code(of: message.span) }

    func isCode(_ code: [UInt8], of message: [UInt8]) -> Bool { isCode(code.span, of: message.span) }
}

extension Scrypt {
    static func key(
        of password: String, salt: String, cost: Int, blockSize: Int, lanes: Int
    ) -> [UInt8]? {
        key(
            of: password.utf8Span.span, salt: salt.utf8Span.span, cost: cost, blockSize: blockSize, lanes: lanes)
    }
}
