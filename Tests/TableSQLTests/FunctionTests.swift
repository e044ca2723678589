import OData
import Scalars
import TableSQL
import Tables
import Testing

@Suite("Functions of a filter as SQL")
struct FunctionTests {
    @Test(arguments: [
        ("startswith(title,'x')", #"(instr(lower("title"), lower(?1)) = 1)"#),
        ("startswith(title,'é')", #"(instr(zumod_lower("title"), zumod_lower(?1)) = 1)"#),
        ("startswith(title,note)", #"(zumod_position(zumod_lower("title"), zumod_lower("note")) = 1)"#),
        (
            "endswith(title,'x')",
            #"(substr(lower("title"), length(lower("title")) - length(lower(?1)) + 1) = lower(?2))"#
        ),
        ("substringof('x',title)", #"(instr(lower("title"), lower(?1)) > 0)"#),
        ("substringof(title,'x')", #"(zumod_position(lower(?1), lower("title")) > 0)"#),
        ("startswith(tolower(title),tolower('X'))", #"(instr(lower(zumod_lower("title")), lower(?1)) = 1)"#),
    ])
    func `needles are found without regard to case`(filter: String, sql: String) throws {
        #expect(try QueryFixture.condition(filter).text == sql)
    }

    @Test(arguments: [
        ("indexof(title,'x')", #"(instr(lower("title"), lower(?1)) - 1)"#),
        ("length(title)", #"zumod_length("title")"#),
        ("length(concat(title,note))", #"zumod_length(("title" || "note"))"#),
        ("year(due)", #"CAST(substr("due", 1, 4) AS INTEGER)"#),
        ("month(due)", #"CAST(substr("due", 6, 2) AS INTEGER)"#),
        ("day(due)", #"CAST(substr("due", 9, 2) AS INTEGER)"#),
        ("hour(due)", #"CAST(substr("due", 12, 2) AS INTEGER)"#),
        ("minute(due)", #"CAST(substr("due", 15, 2) AS INTEGER)"#),
        ("second(due)", #"CAST(substr("due", 18, 2) AS INTEGER)"#),
        ("year(title)", #"CAST(substr(zumod_date("title"), 1, 4) AS INTEGER)"#),
        ("year(null)", #"CAST(substr(NULL, 1, 4) AS INTEGER)"#),
        ("floor(price)", #"floor("price")"#),
        ("ceiling(price add 1)", #"ceil(("price" + ?1))"#),
        ("round(price)", #"round("price")"#),
        ("round(count)", #""count""#),
        ("length(title) div 2", #"(zumod_length("title") / ?1)"#),
    ])
    func `functions that make numbers`(expression: String, sql: String) throws {
        let condition = try QueryFixture.condition("\(expression) eq 7")
        #expect(condition.text == "\(sql) = ?\(condition.bindings.count)")
        #expect(condition.bindings.last == .integer(7))
    }

    @Test(
        arguments: [
            ("tolower(title)", #"zumod_lower("title")"#, []),
            ("toupper(title)", #"zumod_upper("title")"#, []),
            ("tolower('ÉX')", "?1", [.text("éx")]),
            ("toupper('éx')", "?1", [.text("ÉX")]),
            ("trim(title)", #"trim("title")"#, []),
            ("concat(title,'x')", #"("title" || ?1)"#, [.text("x")]),
            ("concat(id,null)", #"("id" || NULL)"#, []),
            (
                "substring(title,1)", #"substr("title", min(max(CAST(?1 AS INTEGER), 0), 2147483646) + 1)"#,
                [.integer(1)]
            ),
            (
                "substring(title,count,price)",
                #"substr("title", min(max(CAST("count" AS INTEGER), 0), 2147483646) + 1, "#
                    + #"min(max(CAST("price" AS INTEGER), 0), 2147483646))"#, []
            ),
            ("replace(title,'a','b')", #"zumod_replace("title", ?1, ?2)"#, [.text("a"), .text("b")]),
        ] as [(String, String, [Value])])
    func `functions that make text`(expression: String, sql: String, bindings: [Value]) throws {
        let condition = try QueryFixture.condition("\(expression) ne 'end'")
        #expect(condition.text == "\(sql) <> ?\(bindings.count + 1) COLLATE NOCASE")
        #expect(condition.bindings == bindings + [.text("end")])
    }

    @Test func `a date constant has parts too`() throws {
        let condition = try QueryFixture.condition("year(datetime'2019-05-06') eq 2019")
        #expect(condition.text == "CAST(substr(?1, 1, 4) AS INTEGER) = ?2")
        #expect(condition.bindings == [.date(Instant(milliseconds: 1_557_100_800_000)), .integer(2019)])
    }

    @Test func `a replacement has at most a hundred characters`() throws {
        let longest = String(repeating: "é", count: 100)
        #expect(throws: Never.self) { try QueryFixture.condition("replace(title,'a','\(longest)') eq 'x'") }
        #expect(throws: QueryError("$filter", at: 18, .overLimit(.characters, limit: 100, found: 101))) {
            try QueryFixture.condition("replace(title,'a','\(longest)b') eq 'x'")
        }
    }

    @Test(arguments: [("trim(replace(title,'a','b'))", 13), ("concat(title,tolower(replace(note,'a','b')))", 29)])
    func `no replace stands inside another`(argument: String, offset: Int) {
        let reason = QueryError.Reason.syntax("`replace` can't stand inside another `replace`.")
        #expect(throws: QueryError("$filter", at: offset, reason)) {
            try QueryFixture.condition("replace(\(argument),'x','y') eq 'z'")
        }
    }
}
