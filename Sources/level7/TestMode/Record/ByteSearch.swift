/// A search for a text in bytes, in time proportional to the sum of both lengths, not to their product (Knuth, Morris
/// and Pratt).
struct ByteSearch: Sendable {
    let text: String
    private let wanted: [UInt8]
    /// For each length of a matched prefix, the next shorter prefix that is also its suffix.
    private let fallback: [Int]

    init(_ text: String) {
        self.text = text
        let wanted = Array(text.utf8)
        var fallback = [Int](repeating: 0, count: wanted.count + 1)
        var length = 0
        for index in wanted.indices.dropFirst() {
            while length > 0, wanted[index] != wanted[length] { length = fallback[length] }
            if wanted[index] == wanted[length] { length += 1 }
            fallback[index + 1] = length
        }
        self.wanted = wanted
        self.fallback = fallback
    }

    /// Whether the text occurs.
    func isFound(in bytes: some Sequence<UInt8>) -> Bool {
        if wanted.isEmpty { return true }
        var length = 0
        for byte in bytes {
            while length > 0, byte != wanted[length] { length = fallback[length] }
            if byte == wanted[length] { length += 1 }
            if length == wanted.count { return true }
        }
        return false
    }
}
