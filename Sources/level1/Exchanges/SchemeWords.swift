import ByteText

/// Finds credentials after `Bearer` and `Basic`, in any field or text.
enum SchemeWords {
    private static let schemes: [(name: [UInt8], isCredential: @Sendable (ArraySlice<UInt8>) -> Bool)] = [
        (Array("bearer".utf8), { $0.count >= 8 }),
        // "Basic" is also an ordinary word; a name and a password in Base64 contain a colon.
        (
            Array("basic".utf8),
            { word in
                let digits = Array(word.prefix { $0 != UInt8(ascii: "=") }.filter { $0 != escape })
                let padded = digits + repeatElement(UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
                return Base64.decode(padded, .standard)?.contains(UInt8(ascii: ":")) == true
            }
        ),
    ]

    /// Returns whether a field's value contains a scheme followed by anything: fields rarely contain sentences, and
    /// none that would be missed.
    static func isSecret(field value: String) -> Bool {
        !places(in: Array(value.utf8)) { !$0.isEmpty }.isEmpty
    }

    /// Returns whether a text contains a credential after a scheme.
    static func isIn(_ text: String) -> Bool { !places(in: Array(text.utf8)).isEmpty }

    /// Returns a text with its credentials hidden.
    static func hidden(in text: String) -> String {
        var bytes = Array(text.utf8)
        for place in places(in: bytes).reversed() { bytes.replaceSubrange(place, with: SecretWords.hidden.utf8) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func places(
        in text: [UInt8], of isCredential: ((ArraySlice<UInt8>) -> Bool)? = nil
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        while place < text.count {
            guard place == 0 || !isLetter(text[place - 1]),
                let scheme = schemes.first(where: { begins(text[place...], $0.name) })
            else {
                place += 1
                continue
            }
            place += scheme.name.count
            let start = text[place...].firstIndex { !" \t:\"'\\".utf8.contains($0) } ?? text.endIndex
            let end = end(of: text, from: start)
            guard start > place, (isCredential ?? scheme.isCredential)(text[start..<end]) else { continue }
            found.append(start..<end)
            place = end
        }
        return found
    }

    /// Returns the end of a credential. In JSON, slashes may be preceded by a backslash.
    private static func end(of text: [UInt8], from start: Int) -> Int {
        var end = start
        while end < text.count,
            isOfCredential(text[end])
                || text[end] == escape && end + 1 < text.count && text[end + 1] == UInt8(ascii: "/")
        {
            end += 1
        }
        return end
    }

    private static let escape = UInt8(ascii: "\\")

    private static func begins(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        text.count >= word.count && zip(text, word).allSatisfy { isLetter($0) && $0 | 0x20 == $1 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isOfCredential(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~+/=".utf8.contains(byte)
    }
}
