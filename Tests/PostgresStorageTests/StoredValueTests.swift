import Scalars
import Tables
import Testing

@testable import PostgresStorage

@Suite struct `Values as PostgreSQL stores them` {
    private static let texts = [
        "", "a", "\u{0}", "\u{1}", "\u{1}\u{1}", "\u{1}\u{2}", "\u{0}\u{0}", "a\u{0}b", "a\u{1}b", "a\u{2}b", "\u{2}",
        "a\u{1}", "\u{1}a", "é\u{0}é", "日本\u{1}語",
    ]

    private static func stored(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        StoredText.append(text, to: &bytes)
        return bytes
    }

    @Test(arguments: texts)
    func `a text comes back as it was, and never holds NUL`(text: String) {
        let bytes = Self.stored(text)
        #expect(!bytes.contains(0))
        #expect((StoredText.original(bytes.span) ?? bytes) == Array(text.utf8))
    }

    @Test func `texts keep their order and stay apart`() {
        for left in Self.texts {
            for right in Self.texts {
                let isBefore = left.utf8.lexicographicallyPrecedes(right.utf8)
                #expect(Self.stored(left).lexicographicallyPrecedes(Self.stored(right)) == isBefore)
            }
        }
    }

    @Test(arguments: [[1], [1, 0x41], [0x41, 1, 0x42], [1, 3]] as [[UInt8]])
    func `a text of another program with a lone U+0001 is answered as it is`(bytes: [UInt8]) {
        #expect(StoredText.original(bytes.span) == bytes)
    }

    @Test(
        arguments: [
            (0, -946_684_800_000_000), (946_684_800_000, 0), (946_684_800_001, 1_000), (946_684_799_999, -1_000),
            (-62_135_596_800_000, -63_082_281_600_000_000), (253_402_300_799_999, 252_455_615_999_999_000),
        ] as [(Int64, Int64)])
    func `a date is microseconds since 2000`(milliseconds: Int64, microseconds: Int64) {
        let instant = Instant(milliseconds: milliseconds)
        #expect(StoredDate.microseconds(of: instant) == microseconds)
        #expect(StoredDate.instant(microseconds: microseconds) == instant)
    }

    @Test func `a date of another program is cut to its millisecond, also before 2000`() {
        #expect(StoredDate.instant(microseconds: 1_999).milliseconds == 946_684_800_001)
        #expect(StoredDate.instant(microseconds: -1).milliseconds == 946_684_799_999)
        #expect(StoredDate.instant(microseconds: .max).wireText == "9999-12-31T23:59:59.999Z")
    }

    @Test(
        arguments: [
            // Count, weight, sign, scale, digits.
            ([0, 0, 0, 0], "0"), ([0, 0, 0, 2], "0.00"), ([1, 0, 0, 0, 7], "7"),
            ([2, 0, 0, 2, 1234, 5000], "1234.50"), ([1, 0xFFFF, 0x4000, 2, 500], "-0.05"),
            ([1, 0xFFFE, 0, 8, 12], "0.00000012"), ([2, 1, 0, 0, 1, 2], "10002"), ([1, 2, 0, 0, 3], "300000000"),
            ([0, 0, 0xC000, 0], nil), ([0, 0, 0xD000, 0], nil),
        ] as [([Int], String?)])
    func `a numeric is read with all its digits`(words: [Int], expected: String?) {
        let bytes = words.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(NumericCell.decimal(bytes.span)?.text == expected)
    }

    @Test(arguments: [
        "0", "0.00", "7", "-7", "10000", "99999", "0.0001", "0.00001", "-0.05", "1234.50", "300000000",
        "79228162514264337593543950335", "0.0000000000000000000000000001", "12345678901234567890.120",
    ])
    func `a decimal goes to a numeric and comes back`(_ digits: String) throws {
        var bytes: [UInt8] = []
        NumericCell.append(try #require(DecimalNumber(digits)), to: &bytes)
        #expect(NumericCell.decimal(bytes.span)?.text == digits)
    }

    @Test(arguments: [[], [0], [0, 1, 0, 0, 0, 0], [0, 9, 0, 0, 0, 0, 0, 0]] as [[UInt8]])
    func `a garbled numeric does no harm`(bytes: [UInt8]) {
        #expect(NumericCell.decimal(bytes.span) == nil)
    }

    @Test func `the statement unused for longest makes room for another`() {
        var statements = PreparedStatements(capacity: 2)
        let (a, b) = (statements.add("a").name, statements.add("b").name)
        #expect(statements.name(of: "a") == a && a != b)
        #expect(statements.add("c").evicted == b)
        #expect(statements.name(of: "b") == nil && statements.name(of: "a") == a)
    }

    @Test(arguments: [
        ("40P01", SQLState.Meaning.collision), ("40001", .collision), ("0A000", .stalePlan), ("26000", .stalePlan),
        ("42703", .staleCatalog), ("57P01", .lost), ("25006", .lost), ("57014", .unavailable), ("53300", .unavailable),
        ("53100", .full), ("23502", .failed), ("XX000", .failed),
    ])
    func `a state says what to do`(code: String, meaning: SQLState.Meaning) {
        #expect(SQLState(code: code).meaning == meaning)
    }
}
