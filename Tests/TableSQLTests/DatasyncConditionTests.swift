import OData
import Scalars
import TableSQL
import Tables
import Testing

@Suite("A filter of v3 as SQL")
struct DatasyncConditionTests {
    private func sql(_ filter: String) throws -> String {
        try QueryFixture.condition(filter, language: .datasync, table: QueryFixture.withDays).text
    }

    @Test(arguments: [
        ("title eq 'milk'", #""title" = ?1"#),
        ("title ne 'milk'", #""title" IS NOT ?1"#),
        ("'milk' ne title", #"?1 IS NOT "title""#),
        ("title eq note", #""title" IS "note""#),
        ("title eq null", #""title" IS NULL"#),
        ("null ne title", #""title" IS NOT NULL"#),
        ("not (title eq 'milk')", #"("title" = ?1) IS NOT TRUE"#),
        ("not done", #""done" IS NOT TRUE"#),
        ("not (price gt 1) and done", #"("price" > ?1) IS NOT TRUE AND "done""#),
        ("done ne true", #""done" IS NOT ?1"#),
        ("(price gt 1) eq true", #""price" > ?1"#),
        ("(price gt 1) eq false", #"("price" > ?1) IS NOT TRUE"#),
        ("(price gt 1) eq done", #"(("price" > ?1) IS TRUE) IS "done""#),
        ("price gt null", "NULL"),
        ("price eq NaN", "?1"), ("price ne NaN", "?1"), ("price lt INF", #""price" < ?1"#),
    ])
    func `null is a value`(filter: String, expected: String) throws {
        #expect(try sql(filter) == expected)
    }

    @Test(arguments: [
        ("title in ('G','PG')", #""title" IN (?1, ?2)"#),
        ("count in (1,2L)", #""count" IN (?1, ?2)"#),
        ("id in ('a')", #""id" IN (?1)"#),
        ("title in ('G',null)", #""title" IN (?1) OR "title" IS NULL"#),
        ("title in (null)", #""title" IS NULL"#),
        ("not (title in ('G'))", #"("title" IN (?1)) IS NOT TRUE"#),
        ("done and title in ('G',null)", #""done" AND ("title" IN (?1) OR "title" IS NULL)"#),
        ("price in (NaN)", "?1"),
        ("price add 1 in (2)", #"("price" + ?1) IN (?2)"#),
        ("due in (2022-02-14,cast('2022-02-15T00:00:00Z',Edm.DateTimeOffset))", #""due" IN (?1, ?2)"#),
        ("day in (2022-02-14)", #""day" IN (?1)"#),
    ])
    func `a list is one condition`(filter: String, expected: String) throws {
        #expect(try sql(filter) == expected)
    }

    @Test func `a list of ids ignores case only where a GUID asks for it`() throws {
        let guid = "0D4F3A3E-7A1B-4C8E-9F53-2B6F1C0E8D7A"
        #expect(try sql("id in (\(guid))") == #""id" COLLATE zumod_nocase IN (?1 COLLATE zumod_nocase)"#)
    }

    @Test(
        arguments: [
            ("day eq 2022-02-14", #""day" = ?1"#, [.text("2022-02-14")]),
            ("day ge '2022-02-14'", #""day" >= ?1"#, [.text("2022-02-14")]),
            ("day lt 2022-02-14T00:00:00Z", #""day" < ?1"#, [.text("2022-02-14")]),
            ("time gt 02:14:00", #""time" > ?1"#, [.text("02:14:00.000")]),
            ("time le '7:14'", nil, []),
            ("time le '07:14'", #""time" <= ?1"#, [.text("07:14:00.000")]),
            ("due ge 1994-10-14", #""due" >= ?1"#, [.date(Instant(milliseconds: 782_092_800_000))]),
            ("title eq 1994-10-14", #""title" = ?1"#, [.text("1994-10-14")]),
            ("title eq 10:15", #""title" = ?1"#, [.text("10:15:00.000")]),
            ("date(due) eq 1994-10-14", #"substr("due", 1, 10) = ?1"#, [.text("1994-10-14")]),
            ("date(due) eq day", #"substr("due", 1, 10) IS "day""#, []),
            ("time(due) lt time", #"substr("due", 12, 12) < "time""#, []),
            ("date(day) eq day", #""day" IS "day""#, []),
            ("date(title) eq day", #"substr(zumod_date("title"), 1, 10) IS "day""#, []),
            ("year(day) eq 2022", #"CAST(substr("day", 1, 4) AS INTEGER) = ?1"#, [.integer(2022)]),
            ("hour(time) eq 3", #"CAST(substr("time", 1, 2) AS INTEGER) = ?1"#, [.integer(3)]),
            ("second(time) eq 0", #"CAST(substr("time", 7, 2) AS INTEGER) = ?1"#, [.integer(0)]),
            (
                "fractionalseconds(due) lt 0.5", #"CAST(substr("due", 21, 3) AS INTEGER) / 1000.0 < ?1"#,
                [.number(0.5)]
            ),
            (
                "fractionalseconds(time) lt 0.5", #"CAST(substr("time", 10, 3) AS INTEGER) / 1000.0 < ?1"#,
                [.number(0.5)]
            ),
            ("due lt now()", #""due" < strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"#, []),
            ("hour(day) eq 1", nil, []), ("year(time) eq 1", nil, []), ("day eq time", nil, []),
            ("day eq due", nil, []),
            ("day eq 2022-02-14T10:00:00Z", nil, []), ("time eq 2022-02-14", nil, []), ("length(day) eq 1", nil, []),
            ("price divby 2 gt 1", #"(CAST("price" AS DOUBLE PRECISION) / ?1) > ?2"#, [.integer(2), .integer(1)]),
            ("contains(title,'x')", #"(instr("title", ?1) > 0)"#, [.text("x")]),
        ] as [(String, String?, [Value])])
    func `days, times and dates`(filter: String, expected: String?, bindings: [Value]) throws {
        guard let expected else {
            let error = try #require(throws: QueryError.self) { try sql(filter) }
            guard case .typeClash = error.reason else {
                Issue.record("\(error)")
                return
            }
            return
        }
        let condition = try QueryFixture.condition(filter, language: .datasync, table: QueryFixture.withDays)
        #expect(condition == SQLText(expected, bindings))
    }
}
