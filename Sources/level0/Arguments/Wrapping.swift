extension String {
    /// Returns the text in lines shorter than a width, except for longer words; the last line may fill it. Existing
    /// line breaks are kept.
    /// - Parameter indent: the number of spaces before each line, included in the width.
    func wrapped(to width: Int, indent: Int = 0) -> String {
        let room = width - indent
        let paragraphs = split(separator: "\n", omittingEmptySubsequences: false)
        var lines: [String] = []
        for (number, paragraph) in paragraphs.enumerated() {
            let words = paragraph.split(separator: " ", omittingEmptySubsequences: false)
            var line: String?
            for (index, word) in words.enumerated() {
                let isLast = number == paragraphs.count - 1 && index == words.count - 1
                if let begun = line, begun.count + 1 + word.count >= room + (isLast ? 1 : 0) {
                    lines.append(begun)
                    line = nil
                }
                line = line.map { "\($0) \(word)" } ?? String(word)
            }
            lines.append(line ?? "")
        }
        let margin = String(repeating: " ", count: indent)
        return lines.map { $0.isEmpty ? $0 : margin + $0 }.joined(separator: "\n")
    }
}
