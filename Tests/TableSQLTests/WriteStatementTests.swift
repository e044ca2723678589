import OData
import TableSQL
import Tables
import Testing

@Suite struct `Write statements for SQLite` {
    private let table: Table
    private let softTable: Table
    private let renewal = Renewal(version: Version(counter: 7), stamp: Instant(milliseconds: 1_000))
    private let dialect = SQLiteDialect()
    private let title: Column
    private static let columns = #""id", "createdAt", "updatedAt", "version", "deleted", "title""#

    init() throws {
        title = Column(try #require(Identifier("title")), .string)
        let name = try #require(Identifier("todo"))
        table = Table(name: name, columns: [title], rules: TableRules())
        var rules = TableRules()
        rules.softDelete = true
        softTable = Table(name: name, columns: [title], rules: rules)
    }

    private func changes(of value: Value) throws -> [RowChanges.Assignment] {
        try table.changes(from: [Property("title", value)], for: .update).assignments
    }

    @Test func `a find hides tombstones only where the table has them`() {
        let text = #"SELECT \#(Self.columns) FROM "todo" WHERE "id" = ?1"#
        let plain = FindStatement(.text("a"), in: table, includeDeleted: false, dialect: dialect)
        #expect(plain.sql == SQLText(text: text, bindings: [.text("a")]))
        let soft = FindStatement(.text("a"), in: softTable, includeDeleted: false, dialect: dialect)
        #expect(soft.sql == SQLText(text: text + #" AND "deleted" = ?2"#, bindings: [.text("a"), .boolean(false)]))
        #expect(FindStatement(.text("a"), in: softTable, includeDeleted: true, dialect: dialect).sql == plain.sql)
    }

    @Test(arguments: [true, false])
    func `a find's bindings for another id fit its text`(includeDeleted: Bool) {
        for table in [table, softTable] {
            let find = FindStatement(.integer(5), in: table, includeDeleted: includeDeleted, dialect: dialect)
            #expect(
                FindStatement.bindings(for: .integer(5), in: table, includeDeleted: includeDeleted)
                    == find.sql.bindings)
        }
    }

    @Test func `an insert sets the system columns and answers the row unless the id is taken`() throws {
        let insert = InsertStatement(
            try changes(of: .text("x")), id: .text("a"), renewal: renewal, into: table, dialect: dialect)
        #expect(
            insert.sql.text
                == #"INSERT INTO "todo" ("id", "createdAt", "updatedAt", "version", "deleted", "title") "#
                + #"VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT ("id") DO NOTHING RETURNING \#(Self.columns)"#)
        let stamp = Value.date(renewal.stamp)
        #expect(insert.sql.bindings == [.text("a"), stamp, stamp, .integer(7), .boolean(false), .text("x")])
    }

    @Test func `an insert without an id leaves it to the database`() {
        let insert = InsertStatement([], id: nil, renewal: renewal, into: table, dialect: dialect)
        #expect(insert.sql.text.hasPrefix(#"INSERT INTO "todo" ("createdAt", "#))
        #expect(insert.sql.bindings.count == 4)
    }

    @Test func `an update renews the row and demands its version and life where asked`() throws {
        let start = #"UPDATE "todo" SET "updatedAt" = ?1, "version" = ?2, "title" = ?3 WHERE "id" = ?4"#
        let plain = UpdateStatement(
            .text("a"), set: try changes(of: .null), renewal: renewal, ifVersion: nil, in: table, dialect: dialect)
        #expect(plain.sql.text == start + " RETURNING \(Self.columns)")
        #expect(plain.sql.bindings == [.date(renewal.stamp), .integer(7), .null, .text("a")])
        let strict = UpdateStatement(
            .text("a"), set: try changes(of: .null), renewal: renewal, ifVersion: Version(counter: 6), in: softTable,
            dialect: dialect)
        #expect(strict.sql.text == start + #" AND "version" = ?5 AND "deleted" = ?6 RETURNING \#(Self.columns)"#)
        #expect(strict.sql.bindings.suffix(2) == [.integer(6), .boolean(false)])
    }

    @Test func `deletes and undeletes`() {
        let start = #"UPDATE "todo" SET "updatedAt" = ?1, "version" = ?2, "deleted" = ?3 WHERE "id" = ?4"#
        let soft = SoftDeleteStatement(.text("a"), renewal: renewal, ifVersion: nil, in: softTable, dialect: dialect)
        #expect(soft.sql.text == start + #" AND "deleted" = ?5 RETURNING \#(Self.columns)"#)
        #expect(soft.sql.bindings[2] == .boolean(true) && soft.sql.bindings[4] == .boolean(false))
        let undelete = UndeleteStatement(.text("a"), renewal: renewal, ifVersion: nil, in: softTable, dialect: dialect)
        #expect(undelete.sql.text == start + " RETURNING \(Self.columns)")
        #expect(undelete.sql.bindings[2] == .boolean(false))
        let hard = HardDeleteStatement(.text("a"), ifVersion: Version(counter: 6), in: table, dialect: dialect)
        #expect(
            hard.sql.text == #"DELETE FROM "todo" WHERE "id" = ?1 AND "version" = ?2 RETURNING \#(Self.columns)"#)
    }

    @Test func `tables, columns and indexes`() throws {
        let create = CreateTableStatement(table, dialect: dialect).sql.text
        #expect(create.hasPrefix(#"CREATE TABLE "todo" ("id" TEXT PRIMARY KEY NOT NULL DEFAULT"#))
        #expect(create.hasSuffix(#""version" INTEGER, "deleted" BOOLEAN NOT NULL DEFAULT 0, "title" TEXT)"#))
        let due = Column(try #require(Identifier("due")), .date)
        #expect(
            AddColumnStatement(due, to: table.name, dialect: dialect).sql.text
                == #"ALTER TABLE "todo" ADD COLUMN "due" DATETIME"#)
        #expect(
            CreateIndexStatement([.own(title), .system(.id)], of: table.name, dialect: dialect).sql.text
                == #"CREATE INDEX IF NOT EXISTS "zumod_todo.title.id" ON "todo" ("title" COLLATE NOCASE, "id")"#)
    }

    @Test func `a table that numbers its rows has whole-number ids`() {
        var rules = TableRules()
        rules.autoIncrement = true
        let create = CreateTableStatement(Table(name: table.name, columns: [], rules: rules), dialect: dialect)
        #expect(create.sql.text.hasPrefix(#"CREATE TABLE "todo" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "#))
    }
}
