import OData
import Tables
import Testing

extension ConformanceCase {
    /// What cells hold.
    public static let values: [ConformanceCase] = [
        ConformanceCase("every value comes back as it went in") { bench in
            let (store, table) = try await bench.open(.everyType)
            var number = 0
            for (column, value, cell) in samples {
                number += 1
                let id = "row \(number)"
                let written = try await store.insert(id, [column: value], in: table)
                #expect(written.row.row[column] == cell, "\(column) \(value)")
                #expect(try await store.find(id, in: table)?.row[column] == cell, "\(column) \(value)")
                let emptied = try await store.update(id, [column: .null], in: table)
                #expect(emptied.row.row[column] == .null)
                let updated = try await store.update(id, [column: value], in: table)
                #expect(updated.row.row[column] == cell, "\(column) \(value)")
            }
        },
        ConformanceCase("text comes back byte for byte") { bench in
            let (store, table) = try await bench.open(.everyType)
            for (number, text) in texts.enumerated() {
                let row = try await store.insert("row \(number)", ["a_string": .text(text)], in: table).row.row
                guard case .text(let stored) = row["a_string"] else { throw MissingCell() }
                #expect(Array(stored.utf8) == Array(text.utf8))
            }
        },
        ConformanceCase("a value of another kind is refused and nothing is written") { bench in
            let (store, table) = try await bench.open(.everyType)
            try await store.insert("a", in: table)
            let before = try await store.find("a", in: table)
            for (column, value) in mismatches {
                let type = try #require(table.columns.first { $0.name.text == column }?.type)
                let expected = TableError.typeMismatch(property: column, column: type, found: value)
                await expectError(expected) { try await store.insert("b", [column: value], in: table) }
                await expectError(expected) { try await store.update("a", [column: value], in: table) }
            }
            #expect(try await store.find("a", in: table) == before)
            #expect(try await store.find("b", in: table) == nil)
        },
        ConformanceCase("a decimal keeps its digits and its scale") { bench in
            let (store, table) = try await bench.open(.everyType)
            for (number, (sent, kept)) in decimals.enumerated() {
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
        ConformanceCase("decimals compare, sort and go on page by page by their values") { bench in
            let (store, table) = try await bench.open(.everyType)
            let values = ["10", "9.99", "-1", "1.10", "1.1", "0", "100.0", "-10.5", "0.000", "1.099999999999999999999"]
            for (number, text) in values.enumerated() {
                let value = try #require(DecimalNumber(text).map(Value.decimal))
                try await store.insert("\(number)", ["a_decimal": value], in: table)
            }
            let inOrder = ["7", "2", "5", "8", "9", "3", "4", "1", "0", "6"]
            for isDescending in [false, true] {
                var query = TableQuery(limit: 3)
                query.order = [OrderTerm(.column("a_decimal", at: 0), isDescending: isDescending)]
                var found: [String] = []
                repeat {
                    let page = try await store.list(query, in: table, into: RecordedRows())
                    found += page.rows.ids
                    query.after = page.cursor
                } while query.after != nil
                // Equal values stand by their ids in either direction.
                #expect(found == (isDescending ? ["6", "0", "1", "3", "4", "9", "5", "8", "2", "7"] : inOrder))
            }
            for (filter, ids) in comparisons {
                var query = TableQuery(limit: 20)
                query.filter = try QueryOptions.parse([("$filter", filter)], dialect: .v3).filter
                query.nullComparison = .value
                let found = try await store.list(query, in: table, into: RecordedRows())
                #expect(Set(found.rows.ids) == Set(ids), "\(filter)")
            }
        },
        ConformanceCase("a date is kept at millisecond precision in UTC, whatever form it came in") { bench in
            let (store, table) = try await bench.open(.everyType)
            for (text, wire) in dates {
                let row = try await store.insert(text, ["a_date": .text(text)], in: table).row
                #expect(row.row["a_date"] == .text(wire))
            }
        },
    ]

    /// What is sent, and what comes back.
    private static let decimals = [
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

    private static let samples: [(String, Value, Cell)] = [
        ("a_string", .text(""), .text("")),
        ("a_string", .text("2026-11-21T12:00:00Z"), .text("2026-11-21T12:00:00Z")),
        ("a_string", .text("5"), .text("5")),
        ("a_number", .integer(1), .number(1)),
        ("a_number", .number(0.1), .number(0.1)),
        ("a_number", .number(.greatestFiniteMagnitude), .number(.greatestFiniteMagnitude)),
        ("a_number", .number(-.greatestFiniteMagnitude), .number(-.greatestFiniteMagnitude)),
        ("a_number", .number(.leastNormalMagnitude), .number(.leastNormalMagnitude)),
        ("a_number", .number(.leastNonzeroMagnitude), .number(.leastNonzeroMagnitude)),
        ("a_number", .integer(9_007_199_254_740_993), .number(9_007_199_254_740_992)),
        ("a_number", .number(1e21), .number(1e21)),
        ("a_integer", .integer(0), .integer(0)),
        ("a_integer", .integer(.max), .integer(.max)),
        ("a_integer", .integer(.min), .integer(.min)),
        ("a_integer", .integer(9_007_199_254_740_993), .integer(9_007_199_254_740_993)),
        ("a_integer", .number(42), .integer(42)),
        ("a_boolean", .boolean(true), .boolean(true)),
        ("a_boolean", .boolean(false), .boolean(false)),
        ("a_date", .date(Instant(milliseconds: 0)), .text("1970-01-01T00:00:00.000Z")),
        ("a_date", .date(Instant(milliseconds: -1)), .text("1969-12-31T23:59:59.999Z")),
    ]

    private static let texts = [
        "it's", "\"quoted\"", "'; DROP TABLE everything; --", "back\\slash", "a\nb\tc", "nul\u{0}inside", "\u{0}",
        "é", "e\u{301}", "日本語", "😀👩‍👩‍👧", "\u{10FFFF}", "\u{FEFF}bom", "%_[", String(repeating: "x", count: 65_536),
        String(repeating: "😀", count: 16_384),
    ]

    private static let mismatches: [(String, Value)] = [
        ("a_decimal", .text("1.5")), ("a_decimal", .boolean(true)),
        ("a_string", .number(1)), ("a_string", .boolean(true)), ("a_number", .text("1")),
        ("a_number", .boolean(true)), ("a_integer", .number(1.5)), ("a_integer", .number(1e19)),
        ("a_integer", .text("1")), ("a_boolean", .integer(1)), ("a_boolean", .text("true")),
        ("a_date", .text("yesterday")), ("a_date", .text("2026-02-29")), ("a_date", .integer(0)),
    ]

    private static let dates = [
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("2026-11-21", "2026-11-21T00:00:00.000Z"),
        ("2026-11-21T12:00:00.1239999Z", "2026-11-21T12:00:00.123Z"),
        ("2026-11-21T12:00:00+02:00", "2026-11-21T10:00:00.000Z"),
    ]
}
