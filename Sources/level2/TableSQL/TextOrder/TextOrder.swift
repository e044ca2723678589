/// The order of text that ignores case, the same on every store: by a sort key, code point by code point.
///
/// The key of a text is the text without case and accents: in Unicode's compatibility decomposition (NFKD), without its
/// combining marks, fully case folded. If marks were dropped, U+0000 follows, and the same text with them. So texts
/// that only differ in accents are adjacent, the one without any first; and for ASCII the key is the text in lower
/// case. Characters added after Unicode 14.0 represent themselves.
public enum TextOrder {
    /// Returns the key of a text.
    public static func key(of text: String) -> String {
        let bytes = Array(text.utf8)
        var key = String.UnicodeScalarView()
        key.append(contentsOf: self.key(of: bytes.span).lazy.compactMap(Unicode.Scalar.init))
        return String(key)
    }

    /// Compares two texts in UTF-8 by their keys.
    /// - Returns: a number less than, equal to or greater than 0, as the first sorts before, with or after the second.
    public static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        let (start, known) = asciiPrefix(left, right)
        if let known { return known }
        let table = LetterTable.shared
        var (leftWalk, rightWalk) = (Walk(place: start), Walk(place: start))
        while true {
            let (first, second) = (leftWalk.next(in: left, table), rightWalk.next(in: right, table))
            if first == second {
                if first == nil { break }
            } else if first == 0 && second == nil || first == nil && second == 0 {
                // One text contains the separator of the other's key.
                return order(key(of: left), key(of: right))
            } else {
                return (first.map(Int.init) ?? -1) - (second.map(Int.init) ?? -1)
            }
        }
        guard leftWalk.hasMarks, rightWalk.hasMarks else {
            return (leftWalk.hasMarks ? 1 : 0) - (rightWalk.hasMarks ? 1 : 0)
        }
        return order(accented(left, from: start, table), accented(right, from: start, table))
    }

    /// Returns where one of the texts ends, is no longer ASCII, or differs from the other in more than case; and their
    /// order, if that determines it, as it does for most texts.
    private static func asciiPrefix(_ left: Span<UInt8>, _ right: Span<UInt8>) -> (Int, Int?) {
        var place = 0
        while place < left.count, place < right.count {
            let (first, second) = (left[place], right[place])
            guard first | second < 0x80 else { return (place, nil) }
            if first != second {
                let order = Int(TextFold.lower(UInt32(first))) - Int(TextFold.lower(UInt32(second)))
                if order != 0 { return (place, order) }
            }
            place += 1
        }
        // After the end of one, the other may only have marks left.
        if place < left.count { return (place, left[place] < 0x80 ? 1 : nil) }
        if place < right.count { return (place, right[place] < 0x80 ? -1 : nil) }
        return (place, 0)
    }

    private static func order(_ left: [UInt32], _ right: [UInt32]) -> Int {
        if left == right { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

extension TextOrder {
    /// Walks through a text without case and accents.
    private struct Walk {
        var place: Int
        /// The parts of the last character that are still to come.
        private var parts = 0..<0
        /// Whether any marks were skipped so far.
        private(set) var hasMarks = false

        init(place: Int) { self.place = place }

        /// Returns the next code point that isn't a mark; nil at the end.
        mutating func next(in text: Span<UInt8>, _ table: LetterTable) -> UInt32? {
            while true {
                while let index = parts.first {
                    parts.removeFirst()
                    let part = table.parts[index]
                    if part < 0x80 || table.markClass(of: part) == 0 { return part }
                    hasMarks = true
                }
                guard place < text.count else { return nil }
                let codePoint = TextFold.codePoint(text, &place)
                if codePoint < 0x80 { return TextFold.lower(codePoint) }
                switch table[codePoint] {
                case .itself: return codePoint
                case .mark: hasMarks = true
                case .parts(let range): parts = range
                }
            }
        }
    }

    private static func key(of text: Span<UInt8>) -> [UInt32] {
        let table = LetterTable.shared
        var walk = Walk(place: 0)
        var key: [UInt32] = []
        while let next = walk.next(in: text, table) { key.append(next) }
        return walk.hasMarks ? key + [0] + accented(text, from: 0, table) : key
    }

    /// Returns the text without case, from a place that isn't within a run of marks, with its marks in canonical order.
    private static func accented(_ text: Span<UInt8>, from start: Int, _ table: LetterTable) -> [UInt32] {
        var result: [UInt32] = []
        /// Marks after the last letter.
        var marks: [(number: UInt8, codePoint: UInt32)] = []
        func add(_ codePoint: UInt32) {
            let number = codePoint < 0x80 ? 0 : table.markClass(of: codePoint)
            if number > 0 {
                marks.insert((number, codePoint), at: marks.firstIndex { $0.number > number } ?? marks.count)
            } else {
                result += marks.map(\.codePoint) + [codePoint]
                marks = []
            }
        }
        var place = start
        while place < text.count {
            let codePoint = TextFold.codePoint(text, &place)
            if codePoint < 0x80 {
                add(TextFold.lower(codePoint))
            } else if case .parts(let range) = table[codePoint] {
                for index in range { add(table.parts[index]) }
            } else {
                add(codePoint)
            }
        }
        result += marks.map(\.codePoint)
        // Folding turns the iota subscript into a letter.
        return result.map { $0 == 0x345 ? 0x3B9 : $0 }
    }
}
