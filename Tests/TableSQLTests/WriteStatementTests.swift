import OData
import Scalars
import Tables
import Testing

@testable import TableSQL

@Suite struct `Write statements for SQLite` {
    private let table: Table
    private let softTable: Table
    private let renewal = VersionBump(version: Version(counter: 7), stamp: Instant(milliseconds: 1_000))
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

    private func mine(_ filter: String) throws -> RowScope {
        RowScope(try #require(try QueryOptions.parse([("$filter", filter)], language: .datasync).filter))
    }

    @Test func `a find hides tombstones only where the table has them`() throws {
        let text = #"SELECT \#(Self.columns) FROM "todo" WHERE "id" = ?1"#
        let live = RowTarget(.text("a"), includesTombstones: false)
        let plain = try FindStatement(live, in: table, dialect: dialect)
        #expect(plain.sql == SQLText(text, [.text("a")]))
        let soft = try FindStatement(live, in: softTable, dialect: dialect)
        #expect(soft.sql == SQLText(text + #" AND "deleted" = ?2"#, [.text("a"), .boolean(false)]))
        let any = RowTarget(.text("a"), includesTombstones: true)
        #expect(try FindStatement(any, in: softTable, dialect: dialect).sql == plain.sql)
    }

    @Test(arguments: [true, false])
    func `a find's bindings for another id fit its text`(includeDeleted: Bool) throws {
        for table in [table, softTable] {
            let target = RowTarget(.integer(5), includesTombstones: includeDeleted)
            let find = try FindStatement(target, in: table, dialect: dialect)
            #expect(
                FindStatement.bindings(for: .integer(5), in: table, includeDeleted: includeDeleted)
                    == find.sql.bindings)
        }
    }

    @Test func `an insert sets the system columns and answers the row unless the id is taken`() throws {
        let insert = try InsertStatement(
            NewRow(try changes(of: .text("x")), id: .text("a"), renewal: renewal, in: table), into: table,
            dialect: dialect)
        #expect(
            insert.sql.text
                == #"INSERT INTO "todo" ("id", "createdAt", "updatedAt", "version", "deleted", "title") "#
                + #"VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT ("id") DO NOTHING RETURNING \#(Self.columns)"#)
        let stamp = Value.date(renewal.stamp)
        #expect(insert.sql.bindings == [.text("a"), stamp, stamp, .integer(7), .boolean(false), .text("x")])
    }

    @Test func `an insert without an id leaves it to the database`() throws {
        let insert = try InsertStatement(
            NewRow([], id: nil, renewal: renewal, in: table), into: table, dialect: dialect)
        #expect(insert.sql.text.hasPrefix(#"INSERT INTO "todo" ("createdAt", "#))
        #expect(insert.sql.bindings.count == 4)
    }

    @Test func `an insert begins as a tombstone only where the table has them`() throws {
        for (table, isTombstone) in [(table, false), (softTable, true)] {
            let insert = try InsertStatement(
                NewRow([], id: .text("a"), deleted: true, renewal: renewal, in: table), into: table, dialect: dialect)
            #expect(insert.sql.bindings.last == .boolean(isTombstone))
        }
    }

    @Test(arguments: 0..<2)
    func `a write's text that is known is the one that it would have, with the values of the new row`(
        dialect place: Int
    ) throws {
        let dialect = [SQLiteDialect() as any SQLDialect, PostgresDialect()][place]
        var generator = SystemRandomNumberGenerator()
        let values: [Value] = [.null, .text("x"), .text("y")]
        let columns = (0..<5).map { Column(Identifier("c\($0)")!, .string) }
        // Twins have the same columns in another object, for which no text is known yet.
        func twin(_ rules: TableRules) -> Table { Table(name: Identifier("twins")!, columns: columns, rules: rules) }
        var soft = TableRules()
        soft.softDelete = true
        for rules in [TableRules(), soft] {
            let known = twin(rules)
            for _ in 0..<500 {
                let set = columns.filter { _ in Bool.random(using: &generator) }
                    .map { RowChanges.Assignment(column: $0, value: values.randomElement(using: &generator)!) }
                let id: RowID = Bool.random() ? .text("a") : .integer(.random(in: 0..<9))
                let renewal = VersionBump(
                    version: Version(counter: .random(in: 1..<99)), stamp: Instant(milliseconds: .random(in: 0..<99)))
                let deleted: Bool? = [nil, true, false].randomElement(using: &generator)!
                let target = RowTarget(
                    id, version: Bool.random() ? Version(counter: 4) : nil, includesTombstones: Bool.random())
                let statements = try [known, twin(rules)].map { table in
                    let row = NewRow(set, id: id, deleted: deleted ?? false, renewal: renewal, in: table)
                    return [
                        try InsertStatement(row, into: table, dialect: dialect).sql,
                        try UpdateStatement(
                            target, set: set, deleted: deleted, renewal: renewal, in: table, dialect: dialect
                        ).sql,
                    ]
                }
                #expect(statements[0] == statements[1])
            }
        }
        #expect(WriteTexts.shared.count <= 512)
    }

    @Test func `an insert with a scope asks it about the new values`() throws {
        let insert = try InsertStatement(
            NewRow(try changes(of: .text("x")), id: .text("a"), renewal: renewal, in: table),
            scope: try mine("title eq 'x' and owner eq null"), into: table, dialect: dialect)
        #expect(
            insert.sql.text.contains(
                #") SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?7 = ?8 AND NULL IS NULL ON CONFLICT ("id") DO NOTHING"#),
            "\(insert.sql.text)")
        #expect(insert.sql.bindings.suffix(2) == [.text("x"), .text("x")])
    }

    @Test func `an update renews the row and demands its version and life where asked`() throws {
        let start = #"UPDATE "todo" SET "updatedAt" = ?1, "version" = ?2, "title" = ?3 WHERE "id" = ?4"#
        let plain = try UpdateStatement(
            RowTarget(.text("a"), includesTombstones: false), set: try changes(of: .null), renewal: renewal, in: table,
            dialect: dialect)
        #expect(plain.sql.text == start + " RETURNING \(Self.columns)")
        #expect(plain.sql.bindings == [.date(renewal.stamp), .integer(7), .null, .text("a")])
        let strict = try UpdateStatement(
            RowTarget(.text("a"), version: Version(counter: 6), includesTombstones: false),
            set: try changes(of: .null), renewal: renewal, in: softTable, dialect: dialect)
        #expect(strict.sql.text == start + #" AND "version" = ?5 AND "deleted" = ?6 RETURNING \#(Self.columns)"#)
        #expect(strict.sql.bindings.suffix(2) == [.integer(6), .boolean(false)])
    }

    @Test func `an update asks the scope about the row as it is, and about what it sets`() throws {
        let target = RowTarget(.text("a"), includesTombstones: true, scope: try mine("title ne 'x'"))
        let setting = try UpdateStatement(
            target, set: try changes(of: .text("y")), renewal: renewal, in: table, dialect: dialect)
        #expect(
            setting.sql.text.contains(
                #"WHERE "id" = ?4 AND "title" IS NOT ?5 AND ?6 IS NOT ?7 RETURNING"#),
            "\(setting.sql.text)")
        #expect(setting.sql.bindings.suffix(3) == [.text("x"), .text("y"), .text("x")])
        let renewing = try UpdateStatement(target, renewal: renewal, in: table, dialect: dialect)
        #expect(renewing.sql.text.contains(#"WHERE "id" = ?3 AND "title" IS NOT ?4 RETURNING"#))
    }

    @Test func `deletes and undeletes`() throws {
        let start = #"UPDATE "todo" SET "updatedAt" = ?1, "version" = ?2, "deleted" = ?3 WHERE "id" = ?4"#
        let live = RowTarget(.text("a"), includesTombstones: false)
        let soft = try UpdateStatement(live, deleted: true, renewal: renewal, in: softTable, dialect: dialect)
        #expect(soft.sql.text == start + #" AND "deleted" = ?5 RETURNING \#(Self.columns)"#)
        #expect(soft.sql.bindings[2] == .boolean(true) && soft.sql.bindings[4] == .boolean(false))
        let any = RowTarget(.text("a"), includesTombstones: true)
        let undelete = try UpdateStatement(any, deleted: false, renewal: renewal, in: softTable, dialect: dialect)
        #expect(undelete.sql.text == start + " RETURNING \(Self.columns)")
        #expect(undelete.sql.bindings[2] == .boolean(false))
        let target = RowTarget(.text("a"), version: Version(counter: 6), includesTombstones: false)
        let hard = try HardDeleteStatement(target, in: table, dialect: dialect)
        #expect(
            hard.sql.text == #"DELETE FROM "todo" WHERE "id" = ?1 AND "version" = ?2 RETURNING \#(Self.columns)"#)
    }

    @Test func `tables, columns and indexes`() throws {
        let create = CreateTableStatement(table, dialect: dialect).sql.text
        #expect(create.hasPrefix(#"CREATE TABLE "todo" ("id" TEXT PRIMARY KEY NOT NULL DEFAULT"#))
        #expect(create.hasSuffix(#""version" INTEGER, "deleted" BOOLEAN NOT NULL DEFAULT 0, "title" TEXT)"#))
        let due = Column(try #require(Identifier("due")), .date)
        #expect(
            AddColumnsStatement([due], to: table.name, dialect: dialect).sql.text
                == #"ALTER TABLE "todo" ADD COLUMN "due" DATETIME"#)
        #expect(
            CreateIndexStatement.all([.own(title), .system(.id)], of: table.name, dialect: dialect).map(\.sql.text) == [
                #"CREATE INDEX IF NOT EXISTS "zumod_todo.title.id" ON "todo" ("title" COLLATE NOCASE, "id")"#,
                #"CREATE INDEX IF NOT EXISTS "zumod_todo.title.id..exact" ON "todo" ("title", "id")"#,
                #"CREATE INDEX IF NOT EXISTS "zumod_todo.title.id..apart.title" ON "todo" ("title" COLLATE NOCASE, "id")"#
                    + #" WHERE length("title") <> length(CAST("title" AS BLOB))"#,
            ])
        #expect(
            CreateIndexStatement.all([.own(due)], of: table.name, dialect: dialect).map(\.sql.text)
                == [#"CREATE INDEX IF NOT EXISTS "zumod_todo.due" ON "todo" ("due")"#])
    }

    @Test func `a table that numbers its rows has whole-number ids`() {
        var rules = TableRules()
        rules.autoIncrement = true
        let create = CreateTableStatement(Table(name: table.name, columns: [], rules: rules), dialect: dialect)
        #expect(create.sql.text.hasPrefix(#"CREATE TABLE "todo" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "#))
    }
}
