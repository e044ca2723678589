import ByteText

/// The shape of a value that the server generates: a pattern with one letter per byte.
struct ValueShape: Sendable {
    private let pattern: [UInt8]
    /// The index of the first literal byte, by which nearly all other texts are ruled out at once.
    private let anchor: Int

    var length: Int { pattern.count }

    /// `b` is a Base64 digit, `d` a digit, `a` a letter, `x` a lower-case hexadecimal digit; others are literal.
    private init(_ pattern: StaticString) {
        let bytes = pattern.withUTF8Buffer { unsafe Array($0) }
        self.pattern = bytes
        anchor = bytes.firstIndex { !"bdax".utf8.contains($0) } ?? 0
    }

    static let version = ValueShape("bbbbbbbbbbb=")
    static let date = ValueShape("dddd-dd-ddTdd:dd:dd.dddZ")
    /// As it appears in a query.
    static let encodedDate = ValueShape("dddd-dd-ddTdd%3Add%3Add.dddZ")
    /// As the .NET library writes it in a query.
    static let ticks = ValueShape("dddd-dd-ddTdd%3Add%3Add.ddd0000%2B00%3A00")
    /// A date in an HTTP header.
    static let second = ValueShape("aaa, dd aaa dddd dd:dd:dd GMT")
    static let uuid = ValueShape("xxxxxxxx-xxxx-4xxx-xxxx-xxxxxxxxxxxx")

    /// Returns whether such a value starts at a position.
    func begins(_ bytes: [UInt8], at start: Int) -> Bool {
        guard start + pattern.count <= bytes.count, bytes[start + anchor] == pattern[anchor] else { return false }
        for (offset, kind) in pattern.enumerated() {
            let byte = bytes[start + offset]
            let fits =
                switch kind {
                case UInt8(ascii: "b"): byte.isLetterOrDigit || byte == 43 || byte == 47
                case UInt8(ascii: "d"): (48...57).contains(byte)
                case UInt8(ascii: "a"): byte.isLetterOrDigit && byte > 57
                case UInt8(ascii: "x"): (48...57).contains(byte) || (97...102).contains(byte)
                default: byte == kind
                }
            if !fits { return false }
        }
        return true
    }

    /// Returns whether the whole text is such a value.
    func isShape(of text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == pattern.count && begins(bytes, at: 0)
    }

    /// Returns whether the byte can occur in the token of a link or of a login.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
