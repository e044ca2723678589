import ByteText
import Scalars

/// Memory into which a line is written from the front. Bytes that don't fit are counted and left out, so that the
/// writer has to check for room once per line, not once per piece.
@safe struct LineBuffer: ~Copyable {
    private let memory: UnsafeMutableBufferPointer<UInt8>
    /// The size of the line in bytes, including those that did not fit.
    private(set) var count = 0

    /// - Parameter memory: the caller's memory, which has to stay valid while it is written to.
    @unsafe init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
        unsafe self.memory = memory
    }

    /// Discards what was written after a position.
    mutating func goBack(to count: Int) { self.count = count }

    mutating func put(_ byte: UInt8) {
        if unsafe count < memory.count { unsafe memory[count] = byte }
        count += 1
    }

    mutating func put(_ text: StaticString) {
        let end = count + text.utf8CodeUnitCount
        if unsafe end <= memory.count, let start = unsafe memory.baseAddress {
            unsafe (start + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        }
        count = end
    }

    /// Writes a member's name and the punctuation around it: ` name=`, or `,"name":`. It does so in one step, because
    /// every line has a dozen of them.
    mutating func put(nameOfMember name: StaticString, isJSON: Bool) {
        let length = name.utf8CodeUnitCount
        let end = count + length + (isJSON ? 4 : 2)
        if unsafe end <= memory.count, let start = unsafe memory.baseAddress {
            var place = unsafe start + count
            unsafe place[0] = isJSON ? UInt8(ascii: ",") : UInt8(ascii: " ")
            if isJSON { unsafe place[1] = UInt8(ascii: "\"") }
            unsafe place += isJSON ? 2 : 1
            unsafe place.update(from: name.utf8Start, count: length)
            unsafe place += length
            unsafe place[0] = isJSON ? UInt8(ascii: "\"") : UInt8(ascii: "=")
            if isJSON { unsafe place[1] = UInt8(ascii: ":") }
        }
        count = end
    }

    mutating func put(_ text: String) {
        let span = text.utf8.span
        unsafe span.withUnsafeBytes { unsafe put($0) }
    }

    /// Writes bytes if all of them are visible ASCII without quotes and backslashes, or spaces where those are allowed.
    /// - Returns: whether they are; otherwise nothing is written.
    mutating func put(plain bytes: Span<UInt8>, orSpaces allowsSpaces: Bool = false) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            var isPlain = true
            var place = 0
            while place + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                isPlain = isPlain && Self.isPlain(word, allowsSpaces)
                place += 8
            }
            if place < bytes.count {
                // The remaining bytes, padded in front with plain ones.
                var word: UInt64 = 0x6161_6161_6161_6161
                while place < bytes.count {
                    unsafe word = word << 8 | UInt64(bytes[place])
                    place += 1
                }
                isPlain = isPlain && Self.isPlain(word, allowsSpaces)
            }
            if isPlain { unsafe put(bytes) }
            return isPlain
        }
    }

    private static func isPlain(_ word: UInt64, _ allowsSpaces: Bool) -> Bool {
        TextWord.isASCII(word) && !TextWord.needsEscape(word) && !TextWord.has(0x7F, in: word)
            && (allowsSpaces || !TextWord.has(0x20, in: word))
    }

    mutating func put(_ number: Int64) {
        if number < 0 { put(UInt8(ascii: "-")) }
        var digits = 1
        var bound: UInt64 = 10
        while digits < 19, number.magnitude >= bound {
            digits += 1
            bound *= 10
        }
        var rest = number.magnitude
        let end = count + digits
        for place in stride(from: end - 1, through: count, by: -1) {
            if unsafe place < memory.count { unsafe memory[place] = UInt8(48 + rest % 10) }
            rest /= 10
        }
        count = end
    }

    mutating func put(_ time: Instant) {
        let text = time.wireBytes
        unsafe text.span.withUnsafeBytes { unsafe put($0) }
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) {
        let end = count + bytes.count
        if unsafe end <= memory.count, let start = unsafe memory.baseAddress, let source = bytes.baseAddress {
            unsafe UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
        }
        count = end
    }
}
