import OData
import TableSQL
import Tables
import Testing

@Suite("Garbled queries")
struct GarbledQueryTests {
    /// A generator with a known start, so that a failure comes again.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    private static let pieces = [
        "title", "price", "done", "due", "id", "version", "eq", "ne", "gt", "and", "or", "not", "add", "div", "-", "(",
        ")", ",", "'", "'tea'", "'é'", "1", "1.5", "2L", "1e", ".", "null", "true", "datetime'2026-01-01'", "guid'",
        "X'0A'", "length(", "substring(", "replace(", "year(", "tolower(", "startswith(", "/", "\u{0}", "🎈", "\"", " ",
    ]

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `any text is either a query or an error that points into it`(seed: UInt64) {
        var random = Seeded(state: seed)
        for _ in 0..<1_000 {
            let pieces = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                Self.pieces.randomElement(using: &random)
            }
            let text = pieces.joined(separator: Bool.random(using: &random) ? " " : "")
            for option in ["$filter", "$orderby", "$select"] {
                do {
                    let query = try QueryFixture.query((option, text))
                    let sql = try SelectStatement(query: query, table: QueryFixture.todo, dialect: SQLiteDialect()).sql
                    #expect(
                        sql.text.contains("?\(sql.bindings.count) ") || sql.text.hasSuffix("?\(sql.bindings.count)"))
                } catch {
                    #expect((0...text.utf8.count).contains(error.offset ?? -1), "\(option)=\(text): \(error)")
                }
            }
        }
    }
}
