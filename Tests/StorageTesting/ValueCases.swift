import Scalars
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
        ConformanceCase("a date is kept at millisecond precision in UTC, whatever form it came in") { bench in
            let (store, table) = try await bench.open(.everyType)
            for (text, wire) in dates {
                let row = try await store.insert(text, ["a_date": .text(text)], in: table).row
                #expect(row.row["a_date"] == .text(wire))
            }
        },
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
