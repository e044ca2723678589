/// A pattern of paths: `*` stands for any characters of one segment, `**` for any at all, and `/**` also for nothing.
///
/// All ways through the pattern are followed at once, with a bit for each position in it, so the time is that of the
/// path, however many stars there are.
struct PathGlob: Sendable, Equatable {
    /// The pattern as it was written.
    let text: String
    /// The places from which each byte leads to the next.
    private var bytes: [UInt8: PlaceSet] = [:]
    /// The places of `*`, where all bytes but a slash lead back to.
    private var segments = PlaceSet()
    /// The places of `**`, where all bytes lead back to.
    private var anythings = PlaceSet()
    /// The positions of `/**`: a slash leads to the next, which is `**`, and nothing to the one after that.
    private var branches = PlaceSet()
    private let end: Int

    /// The longest pattern in bytes.
    static let maximumLength = 1_024

    /// Whether both were written the same.
    static func == (left: PathGlob, right: PathGlob) -> Bool { left.text == right.text }

    /// - Returns: nil if the pattern is too long.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        self.text = text
        var rest = Array(text.utf8)[...]
        // As with a request's own path, a slash at the end means nothing.
        if rest.count > 1, rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        var place = 0
        while let byte = rest.first {
            let stars = rest.prefix { $0 == UInt8(ascii: "*") }.count
            if stars > 0 {
                if stars == 1 { segments.insert(place) } else { anythings.insert(place) }
                rest = rest.dropFirst(stars)
            } else if Self.branch(rest) != nil {
                branches.insert(place)
                place += 1
                anythings.insert(place)
                // More of them mean no more.
                while let length = Self.branch(rest) { rest = rest.dropFirst(length) }
            } else {
                bytes[byte, default: PlaceSet()].insert(place)
                rest = rest.dropFirst()
            }
            place += 1
        }
        end = place
    }

    /// How many bytes a `/**` takes that is a whole segment; nil if the pattern continues with something else.
    private static func branch(_ rest: ArraySlice<UInt8>) -> Int? {
        guard rest.first == UInt8(ascii: "/") else { return nil }
        let stars = rest.dropFirst().prefix { $0 == UInt8(ascii: "*") }.count
        let next = rest.dropFirst(1 + stars).first
        return stars >= 2 && (next == nil || next == UInt8(ascii: "/")) ? 1 + stars : nil
    }

    /// Whether a path is of the pattern, upper and lower case apart.
    func matches(_ path: String) -> Bool {
        var places = PlaceSet()
        places.insert(0)
        skip(in: &places)
        let none = PlaceSet()
        for byte in path.utf8 {
            let isSlash = byte == UInt8(ascii: "/")
            var next = places.both(bytes[byte] ?? none).moved()
            next.add(places.both(anythings))
            next.add(isSlash ? places.both(branches).moved() : places.both(segments))
            if next.isEmpty { return false }
            skip(in: &next)
            places = next
        }
        return places.contains(end)
    }

    /// Adds the places that are reached without a byte.
    private func skip(in places: inout PlaceSet) {
        // Stars are followed by no stars, `/**` by no other: two steps reach everything.
        for _ in 0..<2 {
            places.add(places.both(segments).moved())
            places.add(places.both(anythings).moved())
            places.add(places.both(branches).moved().moved())
        }
    }
}
