import OData
import Scalars
import TableSQL
import Tables
import Testing

@Suite("The statement of a list")
struct SelectStatementTests {
    private let allColumns =
        #""id", "createdAt", "updatedAt", "version", "deleted", "title", "note", "price", "count", "done", "due""#

    private func select(_ query: TableQuery, of table: Table = QueryFixture.todo) throws -> SelectStatement {
        try SelectStatement(query: query, table: table, dialect: SQLiteDialect())
    }

    @Test func `without options all rows come in the order of their ids`() throws {
        let statement = try select(TableQuery(limit: 50))
        #expect(
            statement.sql
                == SQLText(
                    #"SELECT \#(allColumns) FROM "todo" ORDER BY "id" LIMIT ?1 OFFSET ?2"#,
                    [.integer(51), .integer(0)]))
        #expect(statement.layout.fields == QueryFixture.todo.fields)
    }

    @Test func `the pull of a client is one statement`() throws {
        let query = try QueryFixture.query(
            ("$filter", "((done eq false) and (updatedAt ge datetimeoffset'2015-02-03T04:05:06.7890000+00:00'))"),
            ("$orderby", "updatedAt asc"), ("$top", "50"), ("$skip", "100"))
        let statement = try select(query, of: QueryFixture.softDeleting)
        #expect(
            statement.sql.text == #"SELECT \#(allColumns) FROM "todo" WHERE "done" = ?1 AND "updatedAt" >= ?2"#
                + #" AND +"deleted" = ?3 ORDER BY "updatedAt", "id" LIMIT ?4 OFFSET ?5"#)
        let date = try #require(Instant("2015-02-03T04:05:06.789Z"))
        #expect(
            statement.sql.bindings == [.boolean(false), .date(date), .boolean(false), .integer(51), .integer(100)])
    }

    @Test func `tombstones come only where they are asked for`() throws {
        var query = try QueryFixture.query(("$filter", "done or price gt 1"))
        #expect(
            try select(query, of: QueryFixture.softDeleting).sql.text.contains(
                #"WHERE ("done" OR "price" > ?1) AND +"deleted" = ?2 ORDER"#))
        query.includeDeleted = true
        #expect(
            try select(query, of: QueryFixture.softDeleting).sql.text.contains(#"WHERE "done" OR "price" > ?1 ORDER"#)
        )
        #expect(
            try select(TableQuery(limit: 1), of: QueryFixture.softDeleting).sql.text.contains(
                #"FROM "todo" WHERE +"deleted" = ?1 ORDER"#))
    }

    @Test func `a selection reads its columns only, in its order`() throws {
        var query = TableQuery(limit: 0)
        query.select = [SelectedName("TITLE", at: 0), SelectedName("id", at: 6)]
        let statement = try select(query)
        #expect(statement.sql.text == #"SELECT "title", "id" FROM "todo" ORDER BY "id" LIMIT ?1 OFFSET ?2"#)
        #expect(statement.sql.bindings == [.integer(1), .integer(0)])
        #expect(statement.layout.fields.map(\.name) == ["title", "id"])
    }

    @Test func `the greatest limit does not overflow`() throws {
        #expect(try select(TableQuery(limit: .max)).sql.bindings == [.integer(.max), .integer(0)])
    }

    @Test(arguments: [
        ("title", #""title" COLLATE zumod_order, "id""#),
        ("title desc,price", #""title" COLLATE zumod_order DESC, "price", "id""#),
        ("id", #""id""#),
        ("id desc", #""id" DESC"#),
        ("price,id desc,title", #""price", "id" DESC"#),
        (
            "updatedAt asc,version desc,deleted,count,done,due",
            #""updatedAt", "version" DESC, "deleted", "count", "done", "due", "id""#
        ),
        ("Title,TITLE desc", #""title" COLLATE zumod_order, "id""#),
        ("tolower(title) desc", #"zumod_lower("title") COLLATE zumod_order DESC, "id""#),
        ("concat(title,note)", #"("title" || "note") COLLATE zumod_order, "id""#),
        ("price add 1 desc", #"("price" + ?2) DESC, "id""#),
        ("-price", #"(-"price"), "id""#),
        ("price gt 1", #"("price" > ?2), "id""#),
        ("null", #"NULL, "id""#),
    ])
    func `the order ends with the id`(order: String, sql: String) throws {
        let text = try select(try QueryFixture.query(("$orderby", order))).sql.text
        #expect(text.contains(" ORDER BY \(sql) LIMIT "), "\(text)")
    }

    @Test func `text in ordinal order needs no collation`() throws {
        let query = try QueryFixture.query(("$orderby", "title desc"), text: .ordinal)
        #expect(try select(query).sql.text.contains(#"ORDER BY "title" DESC, "id" LIMIT"#))
    }

    @Test func `bindings are numbered through the clauses`() throws {
        let query = try QueryFixture.query(("$filter", "price gt 1"), ("$orderby", "price mul 2"), ("$skip", "7"))
        let statement = try select(query, of: QueryFixture.softDeleting)
        #expect(
            statement.sql.text.hasSuffix(
                #", "price" * ?1 FROM "todo" WHERE "price" > ?2 AND +"deleted" = ?3"#
                    + #" ORDER BY ("price" * ?4), "id" LIMIT ?5 OFFSET ?6"#))
        #expect(
            statement.sql.bindings
                == [.integer(2), .integer(1), .boolean(false), .integer(2), .integer(51), .integer(7)])
    }

    @Test func `a count matches the same rows without their page`() throws {
        let query = try QueryFixture.query(
            ("$filter", "title eq 'a'"), ("$orderby", "title"), ("$top", "1"), ("$skip", "2"))
        let count = try CountStatement(query: query, table: QueryFixture.softDeleting, dialect: SQLiteDialect())
        #expect(
            count.sql
                == SQLText(
                    #"SELECT count(*) FROM "todo" WHERE "title" = ?1 COLLATE NOCASE AND +"deleted" = ?2"#,
                    [.text("a"), .boolean(false)]))
    }

    @Test func `an unknown column of an order is pointed at`() throws {
        let query = try QueryFixture.query(("$orderby", "title,nothing desc"))
        #expect(throws: QueryError("$orderby", at: 6, .unknownColumn("nothing"))) { try select(query) }
    }
}
