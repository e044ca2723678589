import OData
import Scalars
import Testing

@Suite("Literals")
struct LiteralTests {
    private func literal(_ text: String) throws -> Literal? {
        guard case .binary(_, _, .literal(let literal, _), _) = try filter("a eq \(text)") else { return nil }
        return literal
    }

    @Test(
        arguments: [
            ("0", .integer(0)), ("007", .integer(7)), ("1L", .integer(1)), ("1l", .integer(1)),
            ("200 L", .integer(200)),
            ("5 \t l", .integer(5)), ("-3", .integer(-3)), ("- 3", .integer(-3)), ("-3L", .integer(-3)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("-9223372036854775809L", .real(-0x1p63)),
            ("1.5", .real(1.5)), ("60.0", .real(60)), ("-1.5", .real(-1.5)), ("1e3", .real(1000)),
            ("1.5e+2", .real(150)), ("1E-2", .real(0.01)), ("1E+30", .real(1e30)), ("1e+06d", .real(1e6)),
            ("50f", .real(50)), ("1.5F", .real(1.5)), ("5.99d", .real(5.99)), ("5D", .real(5)),
            ("1.7976931348623157e308", .real(.greatestFiniteMagnitude)), ("1e-400", .real(0)),
        ] as [(String, Literal)])
    func `numbers keep whether they are whole`(text: String, expected: Literal) throws {
        #expect(try literal(text) == expected)
    }

    @Test(arguments: [
        ("1.99m", "1.99"), ("2M", "2"), ("-1.10M", "-1.10"), ("1.5e2m", "150"), ("007.0m", "7.0"),
        ("9223372036854775808", "9223372036854775808"), ("0.1234567890123456", "0.1234567890123456"),
        ("79228162514264337593543950335M", "79228162514264337593543950335"),
    ])
    func `a number is a decimal by its suffix or its many digits`(text: String, digits: String) throws {
        #expect(try literal(text) == DecimalNumber(digits).map(Literal.decimal))
    }

    @Test(arguments: [
        ("''", ""), ("'a'", "a"), ("'it''s'", "it's"), ("''''", "'"), ("''''''", "''"), ("'a''''b'", "a''b"),
        (#"'a\n"b'"#, #"a\n"b"#), ("'a b  c'", "a b  c"), ("'日本 🎈'", "日本 🎈"), ("'not (a eq 1'", "not (a eq 1"),
        ("'?%_['", "?%_["),
    ])
    func `text has two apostrophes for one and nothing else that is special`(text: String, expected: String) throws {
        #expect(try literal(text) == .text(expected))
    }

    @Test(arguments: [
        ("datetime'2015-02-03T04:05:06.789Z'", "2015-02-03T04:05:06.789Z"),
        ("datetime'2015-02-03T04:05:06Z'", "2015-02-03T04:05:06.000Z"),
        ("datetime'2015-02-03T04:05:06'", "2015-02-03T04:05:06.000Z"),
        ("datetime'2015-02-03'", "2015-02-03T00:00:00.000Z"),
        ("datetimeoffset'2015-02-03T04:05:06.7899999Z'", "2015-02-03T04:05:06.789Z"),
        ("datetimeoffset'2015-02-03T04:05:06.7890000+02:30'", "2015-02-03T01:35:06.789Z"),
        ("datetimeoffset'2015-02-03T04:05:06.7890000 00:00'", "2015-02-03T04:05:06.789Z"),
        ("datetimeoffset'2015-02-03T04:05:06-01:00'", "2015-02-03T05:05:06.000Z"),
        ("datetimeoffset'1969-12-31T00:00:00.1Z'", "1969-12-31T00:00:00.100Z"),
    ])
    func `dates are instants, whatever their digits and offset`(text: String, expected: String) throws {
        guard case .date(let instant) = try literal(text) else {
            Issue.record("no date")
            return
        }
        #expect(instant.wireText == expected)
    }

    @Test(
        arguments: [
            ("true", .boolean(true)), ("false", .boolean(false)), ("null", .null),
            ("guid'0D4F3A3E-7a1b-4C8E-9F53-2B6F1C0E8D7A'", .guid("0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a")),
            ("X''", .binary([])), ("X'00fF'", .binary([0, 255])), ("binary'0A0B'", .binary([10, 11])),
        ] as [(String, Literal)])
    func `the other kinds are read too`(text: String, expected: Literal) throws {
        #expect(try literal(text) == expected)
    }
}
