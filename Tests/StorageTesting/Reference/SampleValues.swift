import Scalars
import SeedTesting
import Tables

/// The values that random rows and random literals are drawn from: few enough to meet, odd enough to tell.
///
/// Left out, because no store promises anything there: whole numbers whose sums and products pass 2^53, reals that
/// overflow or are not finite, negative zero, U+0000 in text, and 0.49999999999999994, which SQLite rounds to 1.
enum SampleValues {
    static let texts =
        words.flatMap { [$0, $0.uppercased().count == $0.count ? ReferenceText.string(ReferenceText.raised($0)) : $0] }
        + dates.prefix(4).map(\.wireText)

    private static let words = [
        "", " ", "a", "A", "b", "ab", "aB", "abab", " ab ", "b a", "é", "É", "e\u{301}", "école", "ß", "ss", "straße",
        "İ", "I", "ı", "i", "İstanbul", "Σ", "σ", "ς", "ΟΔΟΣ", "οδος", "K", "k", "Å", "å", "😀", "😀a", "a😀b", "👩‍👩‍👧",
        "%", "_", "[", "]", "[a]", "a%b", "a_b", "100%", "\\", "it's", "\"", "*", "?", "^", "-", "日本", "日", "Жук",
        "жук", "a\tb", "a\nb", "\u{A0}a", "\u{2003}", "5", "-5", "5.0", "true", "null", "~", "\u{7F}", "\u{FFFD}",
        "\u{FFFF}", "\u{10FFFF}", "0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a",
    ]

    static let guids = ["0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a", "00000000-0000-0000-0000-000000000000"]

    static let ids = [
        "1", "01", "5", "a", "A", "b", "ab", "aB", "é", "É", "e\u{301}", "ß", "ss", "it's", "x y", "a%b", "a_b", "日本",
        "😀", "\u{FFFD}", "null", "-1", "~", " lead", "trail ", "0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a",
        "0D4F3A3E-7A1B-4C8E-9F53-2B6F1C0E8D7A",
    ]

    static let wholes: [Int64] = [0, 0, 1, 1, 2, 3, 5, 7, 10, 60, 255, 1000, -1, -1, -2, -3, -7, -10, -1000]

    /// For comparisons and orders only.
    static let hugeWholes: [Int64] = [
        .max, .max - 1, .min, .min + 1, 1 << 53, 1 << 53 + 1, -(1 << 53), -(1 << 53) - 1, 1 << 31, 1 << 32, 0, 1, -1,
    ]

    static let reals: [Double] = [
        0, 0.5, -0.5, 1, -1, 1.5, -1.5, 2, 2.5, -2.5, 3, 0.25, 0.1, 0.2, 0.3, 7.75, -7.75, 10, 99.99, 1e6, -1e6,
        0.499, -0.499, 4_503_599_627_370_497.5, 1e15, 12_345.678,
    ]

    /// For comparisons and orders only.
    static let hugeReals: [Double] = [
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
        .leastNormalMagnitude, 1e300, -1e300, 1e-300, 0, 1, 9_007_199_254_740_992, 0.1,
    ]

    /// Digits, scales and signs that doubles would mix up.
    static let decimals = [
        "0", "0.0", "1", "1.0", "1.1", "1.10", "-1.1", "2", "2.5", "-2.5", "0.5", "1.5", "-0.5", "0.1", "0.2", "0.3",
        "3", "10", "10.00", "99.99", "100", "-7", "0.3333333333333333333333333333", "12345678901234567890.12",
        "12345678901234567890.120", "12345678901234567890.13", "0.0000000000000000000000000001",
        "79228162514264337593543950335", "-79228162514264337593543950335", "4503599627370497.5", "1000", "-1000",
    ]

    /// For comparisons and orders only, as whole numbers and reals of the kind are.
    static let hugeDecimals = [
        "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "9007199254740993", "9007199254740992.5",
        "0.0000000000000000000000000000000000001", "0", "1", "0.1",
    ]

    static let times = ["00:00:00.000", "10:15:30.123", "10:15:30.124", "23:59:59.999"]

    static let dates: [Instant] = [
        "2026-11-21T12:00:00.123Z", "2026-11-21T12:00:00.124Z", "2026-11-21T23:59:59.999Z", "2024-02-29T00:00:00.000Z",
        "2026-11-22T00:00:00.000Z", "1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "1900-01-01T00:00:00.001Z",
        "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2000-02-29T13:07:09.050Z",
    ].compactMap { Instant($0) }

    /// The same instants in the spellings that clients use.
    static let dateTexts = [
        "2026-11-21T12:00:00.123Z", "2026-11-21T12:00:00.1239999Z", "2026-11-21T14:00:00.123+02:00",
        "2026-11-21T12:00:00.124", "2024-02-29", "2024-02-29T00:00Z", "1969-12-31T23:59:59.999Z",
    ]

    /// A value for a column of a type; null in one of five.
    static func value(of type: ColumnType, isHuge: Bool, using generator: inout SeededGenerator) -> Value {
        if generator.chance(20) { return .null }
        return switch type {
        case .string: .text(generator.pick(texts))
        case .number: .number(generator.pick(isHuge ? hugeReals : reals))
        case .integer: .integer(generator.pick(isHuge ? hugeWholes : wholes))
        case .boolean: .boolean(Bool.random(using: &generator))
        case .date: .date(generator.pick(dates))
        case .decimal: DecimalNumber(generator.pick(isHuge ? hugeDecimals : decimals)).map(Value.decimal) ?? .null
        case .dateOnly: .text(generator.pick(dates).dayText)
        case .timeOnly: .text(generator.pick(times))
        }
    }
}
