import Scalars
import TableSQL
import Tables
import Testing

@Suite("A filter as SQL")
struct ConditionTests {
    private static let milk = Value.text("milk")
    private static let noon = Value.date(Instant(milliseconds: 1_795_262_400_000))

    private func expect(
        _ filter: String, _ sql: String, _ bindings: [Value], text: TextComparison = .ignoringCase,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try QueryFixture.condition(filter, text: text)
        #expect(found == SQLText(sql, bindings), sourceLocation: location)
    }

    @Test(
        arguments: [
            ("title eq 'milk'", #""title" = ?1 COLLATE NOCASE"#, [milk]),
            ("'milk' ne TITLE", #"?1 <> "title" COLLATE NOCASE"#, [milk]),
            ("title eq 'Café'", #""title" = ?1 COLLATE zumod_nocase"#, [.text("Café")]),
            ("title eq 'a\u{0}b'", #""title" = ?1 COLLATE zumod_nocase"#, [.text("a\u{0}b")]),
            ("title eq ''", #""title" = ?1 COLLATE NOCASE"#, [.text("")]),
            ("title eq note", #""title" = "note" COLLATE zumod_nocase"#, []),
            ("title lt note", #""title" < "note" COLLATE zumod_order"#, []),
            ("title gt 'Café'", #"("title" > ?1 COLLATE zumod_order)"#, [.text("Café")]),
            ("tolower(title) ge 'milk'", #"zumod_lower("title") >= ?1 COLLATE zumod_order"#, [milk]),
            (
                "'milk' eq concat(title,note)",
                #"?1 = ("title" || "note") COLLATE zumod_nocase"#
                    .replacing("zumod_nocase", with: "NOCASE"), [milk]
            ),
            (
                "title eq guid'0D4F3A3E-7A1B-4C8E-9F53-2B6F1C0E8D7A'", #""title" = ?1 COLLATE NOCASE"#,
                [.text("0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a")]
            ),
            ("item/title eq 'milk'", #""title" = ?1 COLLATE NOCASE"#, [milk]),
        ] as [(String, String, [Value])])
    func `text compares without regard to case`(filter: String, sql: String, bindings: [Value]) throws {
        try expect(filter, sql, bindings)
    }

    @Test(
        arguments: [
            (
                "title lt 'milk'",
                #"("title" < ?1 COLLATE NOCASE OR "title" >= ?2 COLLATE NOCASE"#
                    + #" AND unlikely(length("title") <> length(CAST("title" AS BLOB))) AND "title" < ?3 COLLATE zumod_order)"#
            ),
            (
                "'milk' le title",
                #"("title" >= ?1 COLLATE NOCASE AND NOT (length("title") <> length(CAST("title" AS BLOB))"#
                    + #" AND "title" < ?2 COLLATE zumod_order))"#
            ),
        ])
    func `a range that begins or ends with ASCII reads the index of the column`(filter: String, sql: String) throws {
        #expect(try QueryFixture.condition(filter).text == sql)
    }

    @Test(arguments: [
        ("title eq 'milk'", #""title" = ?1"#),
        ("title gt 'Café'", #""title" > ?1"#),
        ("startswith(title,'x')", #"(instr("title", ?1) = 1)"#),
        ("endswith(title,'x')", #"(substr("title", length("title") - length(?1) + 1) = ?2)"#),
        ("substringof('x',title)", #"(instr("title", ?1) > 0)"#),
        ("replace(title,'a','b') eq 'x'", #"replace("title", ?1, ?2) = ?3"#),
        ("id eq 'x'", #""id" = ?1"#),
    ])
    func `ordinal text compares by code point`(filter: String, sql: String) throws {
        #expect(try QueryFixture.condition(filter, text: .ordinal).text == sql)
    }

    @Test(
        arguments: [
            ("id eq 'ABC'", #""id" = ?1"#, [.text("ABC")]),
            ("'ABC' ne id", #"?1 <> "id""#, [.text("ABC")]),
            ("id gt 'é'", #""id" > ?1"#, [.text("é")]),
            ("id eq title", #""id" = "title""#, []),
            (
                "id eq guid'0D4F3A3E-7A1B-4C8E-9F53-2B6F1C0E8D7A'", #""id" = ?1 COLLATE NOCASE"#,
                [.text("0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a")]
            ),
            ("tolower(id) eq 'abc'", #"zumod_lower("id") = ?1 COLLATE NOCASE"#, [.text("abc")]),
        ] as [(String, String, [Value])])
    func `ids compare exactly, but for GUIDs`(filter: String, sql: String, bindings: [Value]) throws {
        try expect(filter, sql, bindings)
    }

    @Test(
        arguments: [
            ("id eq 12", 12), ("id eq '12'", 12), ("id eq '-1'", -1), ("id eq ''", 0), ("id eq '  '", 0),
        ] as [(String, Int64)])
    func `a numbered id compares with numbers and with their digits, and with blank text as with 0`(
        filter: String, number: Int64
    ) throws {
        let sql = try QueryFixture.condition(filter, table: QueryFixture.numbered)
        #expect(sql == SQLText(#""id" = ?1"#, [.integer(number)]))
    }

    @Test(arguments: [
        ("title eq null", #""title" IS NULL"#), ("null eq title", #""title" IS NULL"#),
        ("title ne null", #""title" IS NOT NULL"#), ("null ne title", #""title" IS NOT NULL"#),
        ("null eq null", "NULL IS NULL"), ("title gt null", "NULL"), ("null le title", "NULL"),
        ("price add count eq null", #""price" + "count" IS NULL"#), ("not (price lt null)", "NOT NULL"),
        ("(price gt count) eq null", #"("price" > CAST("count" AS DOUBLE PRECISION)) IS NULL"#),
        ("length(null) eq null", "zumod_length(NULL) IS NULL"),
    ])
    func `nulls are asked for from either side`(filter: String, sql: String) throws {
        try expect(filter, sql, [])
    }

    @Test(
        arguments: [
            ("done", #""done""#, []),
            ("not done", #"NOT "done""#, []),
            ("done eq true", #""done" = ?1"#, [.boolean(true)]),
            ("1 eq done", #"?1 = "done""#, [.boolean(true)]),
            ("done ne 0", #""done" <> ?1"#, [.boolean(false)]),
            ("true", "?1", [.boolean(true)]),
            ("not false", "NOT ?1", [.boolean(false)]),
            ("true eq false", "?1 = ?2", [.boolean(true), .boolean(false)]),
            ("done and not deleted", #""done" AND NOT "deleted""#, []),
            ("done eq deleted", #""done" = "deleted""#, []),
            ("startswith(title,'x') eq true", #"(instr(lower("title"), lower(?1)) = 1)"#, [.text("x")]),
            ("false eq startswith(title,'x')", #"NOT (instr(lower("title"), lower(?1)) = 1)"#, [.text("x")]),
            ("startswith(title,'x') ne false", #"(instr(lower("title"), lower(?1)) = 1)"#, [.text("x")]),
            ("(price gt 1) eq false", #"NOT ("price" > ?1)"#, [.integer(1)]),
            ("price gt 1 eq done", #"("price" > ?1) = "done""#, [.integer(1)]),
        ] as [(String, String, [Value])])
    func `conditions stand alone and compare with true and false`(
        filter: String, sql: String, bindings: [Value]
    ) throws {
        try expect(filter, sql, bindings)
    }

    @Test(arguments: [
        ("done or deleted and done", #""done" OR "deleted" AND "done""#),
        ("(done or deleted) and done", #"("done" OR "deleted") AND "done""#),
        ("done and (deleted and (done and deleted))", #""done" AND "deleted" AND "done" AND "deleted""#),
        ("((done or deleted) or done) or deleted", #""done" OR "deleted" OR "done" OR "deleted""#),
        ("not (done or deleted)", #"NOT ("done" OR "deleted")"#),
        ("not not done", #"NOT (NOT "done")"#),
        ("not done eq deleted", #"(NOT "done") = "deleted""#),
    ])
    func `parentheses stand where SQL needs them`(filter: String, sql: String) throws {
        try expect(filter, sql, [])
    }

    @Test(
        arguments: [
            ("price add 1 eq 2", #""price" + ?1 = ?2"#, [.integer(1), .integer(2)]),
            ("price sub (count sub 1) lt 2.5", #""price" - ("count" - ?1) < ?2"#, [.integer(1), .number(2.5)]),
            ("price sub count sub 1 lt 2", #""price" - "count" - ?1 < ?2"#, [.integer(1), .integer(2)]),
            ("(price add 1) mul 2 eq 3", #"("price" + ?1) * ?2 = ?3"#, [.integer(1), .integer(2), .integer(3)]),
            ("price mul (count mul 2) eq 3", #""price" * ("count" * ?1) = ?2"#, [.integer(2), .integer(3)]),
            ("count div 2 eq 3", #"("count" / ?1) = ?2"#, [.integer(2), .integer(3)]),
            ("price div 1000.5 eq 2", #"("price" / ?1) = ?2"#, [.number(1000.5), .integer(2)]),
            ("count mod 2 eq 1", #"("count" % ?1) = ?2"#, [.integer(2), .integer(1)]),
            ("price mod 2 eq 1", #"mod("price", ?1) = ?2"#, [.integer(2), .integer(1)]),
            ("count mod 2.0 eq 1", #"mod("count", ?1) = ?2"#, [.number(2), .integer(1)]),
            ("-price lt -1", #"(-"price") < ?1"#, [.integer(-1)]),
            (
                "-(price add 1) lt - -1", #"(-("price" + ?1)) < CAST((-?2) AS DOUBLE PRECISION)"#,
                [.integer(1), .integer(-1)]
            ),
            ("price add null eq 1", #""price" + NULL = ?1"#, [.integer(1)]),
            ("count eq 9223372036854775807", #""count" = ?1"#, [.integer(.max)]),
        ] as [(String, String, [Value])])
    func `arithmetic keeps whole numbers whole`(filter: String, sql: String, bindings: [Value]) throws {
        try expect(filter, sql, bindings)
    }

    @Test(
        arguments: [
            ("due eq datetime'2026-11-21T12:00:00Z'", #""due" = ?1"#, [noon]),
            ("createdAt lt datetimeoffset'2026-11-21T13:00:00.0000000+01:00'", #""createdAt" < ?1"#, [noon]),
            ("updatedAt ge '2026-11-21T12:00:00.000Z'", #""updatedAt" >= ?1"#, [noon]),
            ("'2026-11-21T12:00:00Z' ge due", #"?1 >= "due""#, [noon]),
            (
                "title eq datetime'2026-11-21T12:00:00Z'", #""title" = ?1 COLLATE NOCASE"#,
                [.text("2026-11-21T12:00:00.000Z")]
            ),
            ("due gt createdAt", #""due" > "createdAt""#, []),
        ] as [(String, String, [Value])])
    func `dates compare as instants, with text too`(filter: String, sql: String, bindings: [Value]) throws {
        try expect(filter, sql, bindings)
    }

    @Test(
        arguments: [
            ("version eq 'AAAAAAAAB9E='", #""version" = ?1"#, 2001),
            ("'AAAAAAAAB9E=' eq version", #"?1 = "version""#, 2001),
            ("version gt 'AAAAAAAAB9E='", #""version" > ?1"#, 2001),
            ("version eq X'00000000000007D1'", #""version" = ?1"#, 2001),
            ("version ne 'incorrect'", #""version" <> ?1"#, -1),
            ("version eq X'07D1'", #""version" = ?1"#, -1),
            ("version eq X'FFFFFFFFFFFFFFFF'", #""version" = ?1"#, -1),
        ] as [(String, String, Int64)])
    func `versions compare with their wire form and their bytes`(filter: String, sql: String, counter: Int64) throws {
        try expect(filter, sql, [.integer(counter)])
    }

    @Test(
        arguments: [
            ("title eq 12345", #""title" = ?1 COLLATE NOCASE"#, [.text("12345")]),
            ("1.50 ne title", #"?1 <> "title" COLLATE NOCASE"#, [.text("1.5")]),
            ("price eq '1.50'", #""price" = ?1"#, [.number(1.5)]),
            ("'7' lt count", #"?1 < "count""#, [.integer(7)]),
            ("done eq 'true'", #""done" = ?1"#, [.boolean(true)]),
            ("deleted ne 'false'", #""deleted" <> ?1"#, [.boolean(false)]),
            (
                "concat(title,price) eq 'x'", #"("title" || zumod_number_text("price")) = ?1 COLLATE NOCASE"#,
                [.text("x")]
            ),
            ("concat(count,title) eq 'x'", #"(CAST("count" AS TEXT) || "title") = ?1 COLLATE NOCASE"#, [.text("x")]),
        ] as [(String, String, [Value])])
    func `values that lose nothing by it become what they are compared with`(
        filter: String, sql: String, bindings: [Value]
    ) throws {
        try expect(filter, sql, bindings)
    }

    @Test func `names of columns are quoted and values bound, whatever they hold`() throws {
        try expect(
            "title eq 'x''; DROP TABLE todo; --' or substringof('\"?1%',note)",
            #""title" = ?1 COLLATE NOCASE OR (instr(lower("note"), lower(?2)) > 0)"#,
            [.text("x'; DROP TABLE todo; --"), .text("\"?1%")])
    }
}
