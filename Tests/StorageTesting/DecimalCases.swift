import OData
import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// Numbers that are kept digit by digit.
    public static let decimals: [ConformanceCase] = [
        ConformanceCase("a decimal keeps its digits and its scale") { bench in
            let (store, table) = try await bench.open(.everyType)
            for (number, (sent, kept)) in kept.enumerated() {
                let value = try #require(DecimalNumber(sent).map(Value.decimal))
                let row = try await store.insert("row \(number)", ["a_decimal": value], in: table).row.row
                #expect(row["a_decimal"] == .decimal(kept))
                #expect(try await store.find("row \(number)", in: table)?.row["a_decimal"] == .decimal(kept))
            }
        },
        ConformanceCase("a decimal of more digits than are kept is refused") { bench in
            let (store, table) = try await bench.open(.everyType)
            for text in [String(repeating: "9", count: 39), "1e38", "1e-38", "0." + String(repeating: "3", count: 38)] {
                let value = try #require(DecimalNumber(text).map(Value.decimal))
                await expectError(.tooManyDigits(property: "a_decimal", limit: 38)) {
                    try await store.insert("a", ["a_decimal": value], in: table)
                }
                // As a double it is as good as any.
                #expect(try await store.insert(text, ["a_number": value], in: table).outcome == .written)
            }
        },
        ConformanceCase("decimals compare and sort by their values") { bench in
            let (store, table) = try await bench.open(.everyType)
            let values = ["10", "9.99", "-1", "1.10", "1.1", "0", "100.0", "-10.5", "0.000", "1.099999999999999999999"]
            for (number, text) in values.enumerated() {
                let value = try #require(DecimalNumber(text).map(Value.decimal))
                try await store.insert("\(number)", ["a_decimal": value], in: table)
            }
            let inOrder = ["7", "2", "5", "8", "9", "3", "4", "1", "0", "6"]
            for isDescending in [false, true] {
                var query = TableQuery(limit: 20)
                query.order = [OrderTerm(.column("a_decimal", at: 0), isDescending: isDescending)]
                let found = try await store.list(query, in: table, into: RecordedRows()).rows.ids
                // Equal values stand by their ids in either direction.
                #expect(found == (isDescending ? ["6", "0", "1", "3", "4", "9", "5", "8", "2", "7"] : inOrder))
            }
            for (filter, ids) in comparisons {
                var query = TableQuery(limit: 20)
                query.filter = try QueryOptions.parse([("$filter", filter)], language: .datasync).filter
                query.nullComparison = .value
                let found = try await store.list(query, in: table, into: RecordedRows())
                #expect(Set(found.rows.ids) == Set(ids), "\(filter)")
            }
        },
    ]

    /// What is sent, and what comes back.
    private static let kept = [
        ("1.10", "1.10"), ("1.1", "1.1"), ("0", "0"), ("0.00", "0.00"), ("-0.0", "0.0"), ("100", "100"), ("1e2", "100"),
        ("1.5E-3", "0.0015"), ("-12.50e1", "-125.0"),
        ("79228162514264337593543950335", "79228162514264337593543950335"),
        ("0.1234567890123456789012345678", "0.1234567890123456789012345678"), ("9007199254740993", "9007199254740993"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("-0.0000000000000000000000000000000000001", "-0.0000000000000000000000000000000000001"),
        ("0e5", "0"), ("0.5", "0.5"), ("12345678901234567890.120", "12345678901234567890.120"),
    ]

    private static let comparisons: [(String, [String])] = [
        ("a_decimal eq 1.1", ["3", "4"]), ("a_decimal eq 1.10M", ["3", "4"]),
        (
            "a_decimal ne 1.1000m",
            [
                "0", "1", "2", "5", "6", "7", "8", "9",
            ]
        ),
        ("a_decimal gt 9.99", ["0", "6"]), ("a_decimal lt 0", ["2", "7"]), ("a_decimal eq 0.0", ["5", "8"]),
        ("a_decimal in (10.00, 9.990, 7)", ["0", "1"]), ("a_decimal lt 1.1 and a_decimal gt 1", ["9"]),
        ("a_decimal mul a_decimal eq 1.21", ["3", "4"]), ("a_decimal add 0.01 eq 10.00", ["1"]),
        ("a_decimal sub 0.1m eq 1", ["3", "4"]), ("-a_decimal eq 10.5", ["7"]),
        ("a_decimal div 3 eq 33.3333333333333333333333333333M", ["6"]), ("a_decimal mod 3 eq 1.1", ["3", "4"]),
        ("a_decimal div 0 eq null", ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]),
        ("round(a_decimal) eq -11", ["7"]), ("floor(a_decimal) eq 9", ["1"]),
        ("ceiling(a_decimal) eq 2", ["3", "4", "9"]),
        ("a_decimal eq 1e1", ["0"]), ("a_decimal gt a_integer", []),
    ]
}
