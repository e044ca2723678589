/// A pattern for paths: `*` is any characters within one segment, `**` any characters, and `/**` may also be nothing.
///
/// Matching tracks, piece by piece, how far into the path the pattern can have reached. It takes time proportional to
/// path times pattern, however many stars there are.
struct PathGlob: Sendable, Equatable {
    /// The pattern as it was written.
    let text: String
    private let pieces: [Piece]

    private enum Piece: Equatable {
        case byte(UInt8)
        /// `*`
        case segment
        /// `**`
        case anything
        /// `/**`
        case branch
    }

    /// The maximum length of a pattern in bytes.
    static let maximumLength = 1_024
    private static let slash = UInt8(ascii: "/")

    /// - Returns: nil if the pattern is too long.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        self.text = text
        var rest = Array(text.utf8)[...]
        // As in a request's path, a trailing slash means nothing.
        if rest.count > 1, rest.last == Self.slash { rest.removeLast() }
        var pieces: [Piece] = []
        while let byte = rest.first {
            let start = byte == Self.slash ? 1 : 0
            let stars = rest.dropFirst(start).prefix { $0 == UInt8(ascii: "*") }.count
            let next = rest.dropFirst(start + stars).first
            switch (start, stars) {
            // Only for whole segments; otherwise the slash is literal.
            case (1, 2...) where next == nil || next == Self.slash: pieces.append(.branch)
            case (0, 1): pieces.append(.segment)
            case (0, 2...): pieces.append(.anything)
            default: pieces.append(.byte(byte))
            }
            rest = rest.dropFirst(pieces.last == .byte(byte) ? 1 : start + stars)
        }
        self.pieces = pieces
    }

    /// Returns whether a path matches the pattern, case-sensitively.
    func matches(_ path: String) -> Bool {
        let path = Array(path.utf8)
        // For each position in the path, whether the pieces so far can end there.
        var ends = [true] + path.map { _ in false }
        for piece in pieces {
            switch piece {
            case .byte(let byte):
                for place in path.indices.reversed() { ends[place + 1] = ends[place] && path[place] == byte }
                ends[0] = false
            case .segment:
                for place in path.indices where ends[place] && path[place] != Self.slash { ends[place + 1] = true }
            case .anything:
                guard let first = ends.firstIndex(of: true) else { return false }
                for place in first...path.count { ends[place] = true }
            case .branch:
                guard let first = path.indices.first(where: { ends[$0] && path[$0] == Self.slash }) else { continue }
                for place in (first + 1)...path.count { ends[place] = true }
            }
        }
        return ends[path.count]
    }
}
