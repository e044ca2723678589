import OData
import TableSQL
import Tables
import Testing

@Suite("A page behind a place")
struct PlaceTests {
    private func statement(
        _ order: String, _ values: [Value], filter: String? = nil, text: TextComparison = .ignoringCase,
        of table: Table = QueryFixture.todo
    ) throws -> SelectStatement {
        var query =
            try filter.map { try QueryFixture.query(("$orderby", order), ("$filter", $0), text: text) }
            ?? QueryFixture.query(("$orderby", order), text: text)
        query.after = PageCursor(values: values, id: .text("x"))
        query.skip = 7
        return try SelectStatement(query: query, table: table, dialect: SQLiteDialect())
    }

    private func condition(_ text: String) -> String {
        let start = text.firstRange(of: " WHERE ")?.upperBound ?? text.endIndex
        let end = text.firstRange(of: " ORDER BY ")?.lowerBound ?? text.endIndex
        return start <= end ? String(text[start..<end]) : ""
    }

    @Test(
        arguments: [
            ("", [], #""id" > ?1"#),
            ("id desc", [], #""id" < ?1"#),
            (
                "updatedAt", [.text("t")],
                #""updatedAt" >= ?1 AND ("updatedAt" > ?2 OR "updatedAt" = ?3 AND "id" > ?4)"#
            ),
            (
                "updatedAt desc", [.text("t")],
                #""updatedAt" <= ?1 AND ("updatedAt" < ?2 OR "updatedAt" = ?3 AND "id" > ?4)"#
            ),
            ("price", [.number(1)], #""price" >= ?1 AND ("price" > ?2 OR "price" = ?3 AND "id" > ?4)"#),
            ("price", [.null], #"("price" IS NOT NULL OR "price" IS NULL AND "id" > ?1)"#),
            ("price desc", [.number(1)], #""price" <= ?1 AND ("price" < ?2 OR "price" = ?3 AND "id" > ?4)"#),
            ("price desc", [.null], #""price" IS NULL AND "price" IS NULL AND "id" > ?1"#),
            (
                "title", [.text("a")],
                #""title" >= ?1 COLLATE zumod_order AND ("title" > ?2 COLLATE zumod_order"#
                    + #" OR "title" = ?3 COLLATE zumod_order AND "id" > ?4)"#
            ),
            (
                "done,price desc,id desc", [.integer(1), .null],
                #""done" >= ?1 AND ("done" > ?2 OR "done" = ?3 AND "price" IS NULL AND "id" < ?4)"#
            ),
        ] as [(String, [Value], String)])
    func `the rows behind it are asked for`(order: String, values: [Value], expected: String) throws {
        let found = try statement(order, values)
        let isParenthesised = expected.hasPrefix("(")
        #expect(condition(found.sql.text) == (isParenthesised ? String(expected.dropFirst().dropLast()) : expected))
        #expect(found.sql.bindings.last == .integer(0), "skip is in the place")
    }

    @Test func `text in ordinal order needs no collation`() throws {
        let text = try statement("title", [.text("a")], text: .ordinal).sql.text
        #expect(condition(text) == #""title" >= ?1 AND ("title" > ?2 OR "title" = ?3 AND "id" > ?4)"#)
    }

    @Test func `the place stands before the filter, so that an index begins there`() throws {
        let text = try statement("updatedAt", [.text("t")], filter: "done or price gt 1", of: QueryFixture.softDeleting)
            .sql.text
        #expect(
            condition(text) == #""updatedAt" >= ?1 AND ("updatedAt" > ?2 OR "updatedAt" = ?3 AND "id" > ?4)"#
                + #" AND ("done" OR "price" > ?5) AND +"deleted" = ?6"#)
    }

    @Test func `what the order is worth is read beside the columns that are asked for`() throws {
        var query = try QueryFixture.query(("$orderby", "price add 1,title desc,done"))
        query.select = [SelectedName("title", at: 0)]
        let statement = try SelectStatement(query: query, table: QueryFixture.todo, dialect: SQLiteDialect())
        #expect(statement.sql.text.hasPrefix(#"SELECT "title", "price" + ?1, "done", "id" FROM "todo""#))
        #expect(statement.layout.fields.map(\.name) == ["title"])
        #expect(statement.placeColumns == [1, 0, 2, 3])
    }

    @Test(arguments: [[], [.null, .null]] as [[Value]])
    func `a place of another order is refused`(values: [Value]) throws {
        let error = try #require(throws: QueryError.self) { try statement("price", values) }
        #expect(error.option == "$skiptoken" && error.offset == nil)
    }
}
