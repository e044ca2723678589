import ByteText

/// What scanning a text's bytes, eight at a time, reveals about it.
struct TextScan {
    /// Whether all bytes are ASCII.
    private(set) var isASCII = true
    /// Whether it is ASCII without control characters, quotes and backslashes.
    private(set) var isPlain = true

    init(of text: UnsafeBufferPointer<UInt8>) {
        guard let first = text.baseAddress else { return }
        let bytes = unsafe UnsafeRawPointer(first)
        let count = text.count
        guard count >= 8 else {
            // Pad short text with spaces.
            var word: UInt64 = 0x2020_2020_2020_2020
            for index in 0..<count { word = word << 8 | UInt64(unsafe first[index]) }
            note(word)
            return
        }
        for index in stride(from: 0, to: count - 8, by: 8) {
            note(unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            if !isASCII { return }
        }
        // Reads the last eight bytes as a whole, even if some of them were read before.
        note(unsafe bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    }

    @inline(__always)
    private mutating func note(_ word: UInt64) {
        isASCII = TextWord.isASCII(word)
        if !isASCII || TextWord.needsEscape(word) { isPlain = false }
    }
}
