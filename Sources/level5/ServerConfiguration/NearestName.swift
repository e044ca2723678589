/// Finds what an operator probably meant by an unknown name.
enum NearestName {
    /// Returns the candidate with the fewest edits from `name`, ignoring case; the first of several.
    static func of(_ name: String, among candidates: [String]) -> String? {
        candidates.min { edits(from: name, to: $0) < edits(from: name, to: $1) }
    }

    /// Returns the number of insertions, deletions and substitutions that turn one text into the other, ignoring case.
    static func edits(from source: String, to target: String) -> Int {
        let source = Array(source.lowercased())
        let target = Array(target.lowercased())
        var previous = Array(0...target.count)
        for (row, character) in source.enumerated() {
            var current = [row + 1]
            for (column, other) in target.enumerated() {
                let substituted = previous[column] + (character == other ? 0 : 1)
                current.append(min(substituted, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[target.count]
    }
}
