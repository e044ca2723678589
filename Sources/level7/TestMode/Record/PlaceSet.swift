/// Places in a pattern, a bit for each.
struct PlaceSet: Sendable {
    private var words: [UInt64] = []

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ place: Int) -> Bool {
        place >> 6 < words.count && words[place >> 6] >> UInt64(place & 63) & 1 == 1
    }

    mutating func insert(_ place: Int) {
        while words.count <= place >> 6 { words.append(0) }
        words[place >> 6] |= 1 << UInt64(place & 63)
    }

    mutating func add(_ other: PlaceSet) {
        while words.count < other.words.count { words.append(0) }
        for index in other.words.indices { words[index] |= other.words[index] }
    }

    func both(_ other: PlaceSet) -> PlaceSet {
        var both = PlaceSet()
        both.words.reserveCapacity(min(words.count, other.words.count))
        for index in 0..<min(words.count, other.words.count) { both.words.append(words[index] & other.words[index]) }
        return both
    }

    /// Each place's successor.
    func moved() -> PlaceSet {
        var moved = PlaceSet()
        var carry: UInt64 = 0
        for word in words {
            moved.words.append(word << 1 | carry)
            carry = word >> 63
        }
        if carry != 0 { moved.words.append(carry) }
        return moved
    }
}
