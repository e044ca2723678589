extension TextFold {
    /// Why a replacement failed.
    public enum Obstacle: Error {
        /// The result would be too long.
        case tooLong
        /// It took too long.
        case stopped
    }

    /// Replaces each occurrence of a pattern, searching from the start and ignoring case; an empty one never occurs.
    ///
    /// It takes the time of reading the text twice and writing the result, for any pattern (Knuth, Morris and Pratt).
    /// - Parameters:
    ///   - most: the maximum size of the result in bytes.
    ///   - goesOn: asked now and then whether to continue.
    public static func replacing(
        _ pattern: Span<UInt8>, in text: Span<UInt8>, with new: Span<UInt8>, within most: Int = .max,
        goesOn: () -> Bool = { true }
    ) throws(Obstacle) -> [UInt8] {
        let sought = foldedPoints(pattern)
        let borders = Self.borders(of: sought)
        var result: [UInt8] = []
        result.reserveCapacity(min(text.count, most))
        // `kept` is followed by the code points matched so far, which may yet be replaced.
        var (place, kept, matched) = (0, 0, 0)
        var sinceAsked = 0
        while place < text.count {
            let start = place
            let point = lower(codePoint(text, &place))
            sinceAsked += place - start
            var rest = matched
            while rest > 0, sought[rest] != point { rest = borders[rest - 1] }
            if !sought.isEmpty, sought[rest] == point { rest += 1 }
            if rest == sought.count, rest > 0 {
                append(new, new.count, from: 0, to: &result)
                sinceAsked += new.count
                (kept, matched) = (place, 0)
            } else {
                let first = kept
                for _ in 0..<(matched + 1 - rest) { _ = codePoint(text, &kept) }
                append(text, kept, from: first, to: &result)
                matched = rest
            }
            guard result.count <= most else { throw .tooLong }
            if sinceAsked > stretch {
                sinceAsked = 0
                guard goesOn() else { throw .stopped }
            }
        }
        append(text, text.count, from: kept, to: &result)
        guard result.count <= most else { throw .tooLong }
        return result
    }

    /// The number of bytes between two calls of `goesOn`.
    private static let stretch = 256 << 10

    private static func append(_ text: Span<UInt8>, _ end: Int, from start: Int, to result: inout [UInt8]) {
        for index in start..<end { result.append(text[index]) }
    }

    private static func foldedPoints(_ text: Span<UInt8>) -> [UInt32] {
        var points: [UInt32] = []
        points.reserveCapacity(text.count)
        var place = 0
        while place < text.count { points.append(lower(codePoint(text, &place))) }
        return points
    }

    /// Returns, for each prefix of a pattern, the length of its longest proper prefix that is also a suffix.
    private static func borders(of pattern: [UInt32]) -> [Int] {
        var borders = [Int](repeating: 0, count: pattern.count)
        var length = 0
        for index in pattern.indices.dropFirst() {
            while length > 0, pattern[index] != pattern[length] { length = borders[length - 1] }
            if pattern[index] == pattern[length] { length += 1 }
            borders[index] = length
        }
        return borders
    }
}
