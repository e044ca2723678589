import Foundation
import OData
import SeedTesting
import Testing

/// One option of a query, as the corpus has it or garbled.
struct GarbledQuery {
    let language: QueryLanguage
    let option: String
    let text: String

    /// Reads `Tests/Data/tricky-queries.txt`: language, option and text, with a blank between them.
    static func corpus() throws -> [GarbledQuery] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Data/tricky-queries.txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard parts.count == 3, let language = QueryLanguage(rawValue: parts[0]) else { return nil }
            return GarbledQuery(language: language, option: parts[1], text: parts[2])
        }
    }

    private init(language: QueryLanguage, option: String, text: String) {
        self.language = language
        self.option = option
        self.text = text
    }

    /// Takes a query of the corpus and changes it in a few places, now and then for another option or language.
    init(from corpus: [GarbledQuery], _ random: inout SeededGenerator) {
        let origin = corpus[Int.random(in: 0..<corpus.count, using: &random)]
        let other = corpus[Int.random(in: 0..<corpus.count, using: &random)]
        language = Int.random(in: 0..<4, using: &random) == 0 ? other.language : origin.language
        option = Int.random(in: 0..<8, using: &random) == 0 ? other.option : origin.option
        var bytes = Array(origin.text.utf8)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            Self.change(&bytes, with: Array(other.text.utf8), &random)
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    private static func change(_ bytes: inout [UInt8], with other: [UInt8], _ random: inout SeededGenerator) {
        func place(_ count: Int) -> Int { Int.random(in: 0...count, using: &random) }
        let (start, end) = { $0 < $1 ? ($0, $1) : ($1, $0) }(place(bytes.count), place(bytes.count))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes.removeSubrange(start..<min(end, start + 3))
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: start)
        case 3: bytes.replaceSubrange(start..<min(end, start + 1), with: [UInt8.random(in: 32...126, using: &random)])
        case 4: bytes.insert(contentsOf: bytes[start..<end], at: end)
        case 5: bytes.insert(contentsOf: other[place(other.count)...], at: start)
        case 6:
            let piece = Array((pieces.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<(Int.random(in: 0..<20, using: &random) == 0 ? 2_000 : 1) {
                bytes.insert(contentsOf: piece, at: start)
            }
        default: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: end)
        }
        // What a link can hold, and some more.
        if bytes.count > 40_000 { bytes.removeSubrange(40_000...) }
    }

    private static let pieces = [
        "(", ")", ",", "'", "''", "-", ".", "/", " ", " eq ", " and ", " or ", " not ", "not(", " in (", "in", " add ",
        "null", "true", "NaN", "INF", "1", "9223372036854775808", "1e308", "1e", "0x", "L", "datetime'", "guid'", "X'",
        "cast(", ",Edm.Date)", "2022-02-14", "T10:15:30", "Z", "+01:00", "10:15", "tolower(", "length(a) ", "a or (",
        "(a or ", "desc", "asc,", "*", "\u{0}", "é", "🎈", "\u{301}", "__updatedAt", "now()",
    ]

    /// Parses the query twice.
    func check(seed: UInt64) {
        do throws(QueryError) {
            let options = try QueryOptions.parse([(option, text)], language: language)
            let again = try QueryOptions.parse([(option, text)], language: language)
            // NaN is not equal to itself, so neither is a query that holds it.
            if !text.contains("NaN") { #expect(options == again, "seed \(seed): \(language) \(option)=\(text)") }
        } catch {
            let isInside = error.offset.map { (0...text.utf8.count).contains($0) } ?? true
            #expect(isInside && !error.option.isEmpty, "seed \(seed): \(language) \(option)=\(text): \(error)")
        }
    }
}
