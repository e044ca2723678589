import Scalars
import TableSQL
import Tables
import Testing

@Suite("SQL for PostgreSQL")
struct PostgresStatementTests {
    private func select(_ members: (String, String), text: TextComparison = .ignoringCase) throws -> SQLText {
        let query = try QueryFixture.query(members, text: text)
        return try SelectStatement(query: query, table: QueryFixture.todo, dialect: PostgresDialect()).sql
    }

    @Test(arguments: [
        (
            "title eq 'ÉTÉ'",
            #"(zumod_fold("title") = ($1::text) COLLATE "C" AND zumod_sorted("title") = ($2::text) COLLATE "C")"#,
            [Value.text("été"), .text("ete\u{0}e\u{301}te\u{301}")]
        ),
        ("title lt 'MILK'", #"zumod_sorted("title") < ($1::text) COLLATE "C""#, [.text("milk")]),
        ("id eq 'a'", #""id" = ($1::text) COLLATE "C""#, [.text("a")]),
        ("title eq note", #"zumod_fold("title") = (zumod_fold("note")) COLLATE "C""#, []),
        ("price gt 1.5", #""price" > $1::float8"#, [.number(1.5)]),
        ("price add 1 gt count", #"zumod_add("price", $1::int8) > CAST("count" AS DOUBLE PRECISION)"#, [.integer(1)]),
        (
            "count div 2 eq 1", #"div(CAST("count" AS numeric), nullif(CAST($1::int8 AS numeric), 0)) = $2::int8"#,
            [.integer(2), .integer(1)]
        ),
        ("startswith(title,'É')", #"starts_with(zumod_fold("title"), $1::text)"#, [.text("é")]),
        (
            "year(due) eq 2026",
            #"CAST(extract(year FROM zumod_shown("due") AT TIME ZONE 'UTC') AS int8) = $1::int8"#,
            [.integer(2026)]
        ),
        (
            "due ge datetimeoffset'2026-01-01T00:00:00Z'", #""due" >= $1::timestamptz"#,
            [.date(Instant(milliseconds: 1_767_225_600_000))]
        ),
        ("due eq datetimeoffset'9999-12-31T23:59:59.999Z'", #""due" >= $1::timestamptz"#, [.date(.last)]),
        (
            "due le datetimeoffset'9999-12-31T23:59:59.999Z'", #""due" <= $1::timestamptz"#,
            [.date(Instant(milliseconds: .max))]
        ),
        (
            "datetimeoffset'0001-01-01T00:00:00Z' le due", #""due" >= $1::timestamptz"#,
            [.date(Instant(milliseconds: .min))]
        ),
        ("due eq createdAt", #"zumod_shown("due") = zumod_shown("createdAt")"#, []),
    ])
    func `a condition`(filter: String, sql: String, bindings: [Value]) throws {
        let statement = try select(("$filter", filter))
        #expect(statement.text.contains(" WHERE \(sql) ORDER BY "), "\(statement.text)")
        #expect(statement.bindings.dropLast(2) == bindings[...])
    }

    @Test(arguments: [
        ("title", #"(zumod_sorted("title")) COLLATE "C" NULLS FIRST, "id""#),
        ("price desc,id desc", #""price" DESC NULLS LAST, "id" DESC"#),
        ("updatedAt", #""updatedAt", "id""#), ("null", #"NULL::text NULLS FIRST, "id""#),
    ])
    func `an order, in which nulls sort first`(order: String, sql: String) throws {
        #expect(try select(("$orderby", order)).text.contains(" ORDER BY \(sql) LIMIT "))
    }

    @Test func `names that PostgreSQL can't hold get another, the same each time and none twice`() {
        let names = (0..<200).map { String(repeating: "n", count: 64 + $0 % 64) + "\($0)" }
        let physical = names.map(PostgresName.physical)
        #expect(Set(physical).count == names.count)
        #expect(physical.allSatisfy { $0.utf8.count == 63 && $0.contains(PostgresName.mark) })
        #expect(physical == names.map(PostgresName.physical))
        #expect(PostgresName.physical(String(repeating: "n", count: 63)) == String(repeating: "n", count: 63))
        #expect(PostgresName.physical("xmin") == "xmin~" && PostgresName.physical("XMIN") == "XMIN")
    }
}
