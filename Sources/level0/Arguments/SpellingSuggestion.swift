/// Suggestions for misspelled names.
enum SpellingSuggestion {
    /// Returns the closest name within fewer than four single-letter changes of a word; of equally close ones, the
    /// first.
    static func of(_ word: String, among names: [String]) -> String? {
        names.map { (name: $0, changes: changes(from: Array(word), to: Array($0))) }
            .filter { $0.changes < 4 }.min { $0.changes < $1.changes }?.name
    }

    /// Returns how many letters have to be inserted, removed or replaced.
    private static func changes(from one: [Character], to other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, candidate) in other.enumerated() {
                let replaced = diagonal + (letter == candidate ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, diagonal + 1, row[place] + 1)
            }
        }
        return row[other.count]
    }
}
