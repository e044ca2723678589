/// The properties of single characters for the order of text: `letters.txt`, written by `scripts/make-text-order`, and
/// Hangul's syllables, which follow a rule.
struct LetterTable: Sendable {
    static let shared = LetterTable(SchemaFile.all("letters.txt").first?.bytes ?? [])

    /// How a character is represented.
    enum Letter {
        case itself
        /// A combining mark with its class, which determines its position among other marks.
        case mark(UInt8)
        /// A range of `parts`.
        case parts(Range<Int>)
    }

    /// Code points that represent themselves or are marks.
    private(set) var parts: [UInt32] = []
    /// For each block of 128 characters, the index of its block in `entries`; those without special characters share 0.
    private var blocks = [UInt16](repeating: 0, count: 0x11_0000 >> 7)
    /// 0, the class of a mark, or the index and number of parts.
    private var entries = [UInt32](repeating: 0, count: 128)

    subscript(codePoint: UInt32) -> Letter {
        guard codePoint < 0x11_0000 else { return .itself }
        let entry = entries[Int(blocks[Int(codePoint >> 7)]) << 7 | Int(codePoint & 0x7F)]
        if entry == 0 { return .itself }
        let (place, count) = (Int(entry >> 8), Int(entry & 0xFF))
        return place == 0 ? .mark(UInt8(count)) : .parts(place..<place + count)
    }

    /// Returns the class of a mark; 0 for everything else.
    func markClass(of codePoint: UInt32) -> UInt8 {
        if case .mark(let number) = self[codePoint] { number } else { 0 }
    }

    private init(_ file: [UInt8]) {
        // Index 0 distinguishes marks from parts.
        parts.append(0)
        for entry in file.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") }) {
            let words = entry.split(separator: UInt8(ascii: " "))
            let ends = words[0].split(separator: UInt8(ascii: "-")).map { Self.number($0) }
            let (first, last) = (ends[0], ends[ends.count - 1])
            if words[1].first == UInt8(ascii: "^") {
                for codePoint in first...last { set(codePoint, Self.number(words[1].dropFirst())) }
            } else {
                let new = words.dropFirst().map { Self.number($0) }
                for codePoint in first...last { set(codePoint, to: new.map { $0 + codePoint - first }) }
            }
        }
        addSyllables()
    }

    /// Adds Hangul's syllables (the Unicode Standard, section 3.12).
    private mutating func addSyllables() {
        for number in UInt32(0)..<11_172 {
            let last = number % 28
            let leading = [0x1100 + number / 588, 0x1161 + number % 588 / 28]
            set(0xAC00 + number, to: last == 0 ? leading : leading + [0x11A7 + last])
        }
    }

    private mutating func set(_ codePoint: UInt32, to new: [UInt32]) {
        set(codePoint, UInt32(parts.count) << 8 | UInt32(new.count))
        parts += new
    }

    private mutating func set(_ codePoint: UInt32, _ entry: UInt32) {
        let block = Int(codePoint >> 7)
        if blocks[block] == 0 {
            blocks[block] = UInt16(entries.count >> 7)
            entries += [UInt32](repeating: 0, count: 128)
        }
        entries[Int(blocks[block]) << 7 | Int(codePoint & 0x7F)] = entry
    }

    /// Parses a hexadecimal number in capitals.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt32 {
        digits.reduce(0) { $0 << 4 | UInt32($1 < 0x40 ? $1 - 0x30 : $1 - 0x37) }
    }
}
