import Access
import Tables
import Testing

@testable import ServerConfiguration

@Suite("Table files")
struct TableFileTests {
    private func table(_ text: String, named file: String = "Things.yaml") throws -> TableDefinition {
        try #require(try ConfigurationDirectory(["tables/\(file)": text]).read().tables.first)
    }

    private func access(_ text: String, named file: String = "Things.yaml") throws -> AccessRules {
        try #require(try ConfigurationDirectory(["tables/\(file)": text]).read().access.values.first)
    }

    private func faults(_ text: String) throws -> [String] {
        try ConfigurationDirectory(["tables/t.yaml": text]).faults()
    }

    private func column(_ name: String, _ type: ColumnType) throws -> Column {
        Column(try #require(Identifier(name)), type)
    }

    @Test func `a file sets a table's columns, rules, indexes and first rows`() throws {
        let table = try table(
            """
            columns: { text: string, complete: boolean, rank: integer }
            dynamicSchema: false
            softDelete: true
            autoIncrement: true
            pageSize: 10
            maxTop: 0
            delete: { access: disabled }
            indexes: [ text, [complete, updatedAt] ]
            seed:
              - { text: First, complete: false, rank: 1 }
              - { text: "2", complete: ~ }
            """)
        #expect(table.name.text == "Things")
        #expect(try table.columns == [column("text", .string), column("complete", .boolean), column("rank", .integer)])
        var rules = TableRules()
        rules.dynamicSchema = false
        rules.softDelete = true
        rules.autoIncrement = true
        rules.pageSize = 10
        rules.maxTop = 0
        #expect(table.rules == rules)
        #expect(table.indexes.map { $0.map(\.text) } == [["text"], ["complete", "updatedAt"]])
        #expect(
            table.seed == [
                [
                    Property("text", .text("First")), Property("complete", .boolean(false)),
                    Property("rank", .integer(1)),
                ],
                [Property("text", .text("2")), Property("complete", .null)],
            ])
    }

    @Test func `an Easy Tables file works unchanged`() throws {
        let text = """
            {
              "softDelete" : true,
              "autoIncrement": false,
              "insert": { "access": "anonymous" },
              "update": { "access": "anonymous" },
              "delete": { "access": "disabled" },
              "read": { "access": "anonymous" },
              "undelete": { "access": "anonymous" }
            }
            """
        let table = try table(text, named: "TodoItem.json")
        #expect(table.name.text == "TodoItem")
        #expect(table.rules.softDelete)
        let access = try access(text, named: "TodoItem.json")
        #expect(Operation.allCases.filter { access.level(of: $0) == .disabled } == [.delete])
    }

    @Test(arguments: [
        ("bool", ColumnType.boolean), ("Boolean", .boolean), ("datetime", .date), ("date", .date), ("float", .number),
        ("number", .number), ("string", .string), ("integer", .integer),
    ])
    func `a type may have its name in the Node SDK`(name: String, type: ColumnType) throws {
        #expect(try table("columns: { a: \(name) }").columns == [column("a", type)])
    }

    private static let levels: [(String, [Operation: AccessLevel])] = [
        ("", [.read: .anonymous, .insert: .anonymous, .undelete: .anonymous]),
        ("access: admin", [.read: .admin, .undelete: .admin]),
        ("access: disabled\nread: { access: anonymous }", [.read: .anonymous, .insert: .disabled, .delete: .disabled]),
        ("disable: true", [.read: .disabled, .update: .disabled]),
        ("disable: true\naccess: anonymous", [.read: .anonymous]),
        ("authorize: true", [.read: .authenticated, .delete: .authenticated]),
        (
            "authorize: true\nread: { authorize: false, access: anonymous }",
            [.read: .anonymous, .insert: .authenticated]
        ),
        ("insert: { disable: true }\nupdate: { access: Application }", [.insert: .disabled, .update: .application]),
        ("delete: { access: authenticated }", [.delete: .authenticated, .undelete: .anonymous]),
        ("access: authenticated\nread: { authorize: false }", [.read: .anonymous, .insert: .authenticated]),
        (
            "disable: true\nread: { authorize: true }\ninsert: { disable: false }",
            [.read: .disabled, .insert: .anonymous]
        ),
        ("access: disabled\nread: { authorize: true }", [.read: .disabled]),
        ("access: admin\nread: { authorize: false }\ninsert: { disable: false }", [.read: .admin, .insert: .admin]),
    ]

    @Test(arguments: levels)
    func `an operation's access beats the table's, and access beats the booleans`(
        text: String, levels: [Operation: AccessLevel]
    ) throws {
        let rules = try access(text)
        for (operation, level) in levels { #expect(rules.level(of: operation) == level, "\(operation)") }
    }

    @Test func `the settings' page rules hold where the table says nothing`() throws {
        let directory = try ConfigurationDirectory(["zumod.yaml": "pageSize: 7\nmaxTop: 70", "tables/a.yaml": ""])
        let table = try #require(try directory.read().tables.first)
        #expect(table.rules.pageSize == 7)
        #expect(table.rules.maxTop == 70)
    }

    @Test func `a name in the file beats the file's own`() throws {
        #expect(try table("name: Other").name.text == "Other")
    }

    @Test(arguments: [
        ("colums: {}", "t.yaml:1: colums: unknown key; did you mean columns?"),
        (
            "name: 1x",
            "t.yaml:1: name: a table's name has to be a letter or _ and then letters, digits and _, at most 128"
        ),
        (
            "columns: { a: strin }",
            "t.yaml:1: columns.a: has to be one of string, number, integer, boolean, date, dateOnly, timeOnly, decimal, not `strin`"
        ),
        ("columns:\n  Id: string", "t.yaml:2: columns.Id: the server keeps this column in every table; take it out"),
        (
            "columns:\n  a: string\n  A: number",
            "t.yaml:3: columns.A: this column is defined twice; names match in any case"
        ),
        (
            "columns: { a-b: string }",
            "t.yaml:1: columns.a-b: a column's name has to be a letter or _ and then letters, digits and _"
        ),
        ("read: disabled", "t.yaml:1: read: has to be a mapping of names to values, not a text"),
        ("read: { acces: disabled }", "t.yaml:1: read.acces: unknown key; did you mean read.access?"),
        (
            "dynamicSchema: false\nindexes: [txt]",
            "t.yaml:2: indexes[0]: the table has no column `txt`; did you mean id?"
        ),
        ("indexes: [[]]", "t.yaml:1: indexes[0]: an index needs a column"),
        (
            "columns: { a: number }\nseed:\n  - a: 1\n  - a: one",
            "t.yaml:4: seed[1]: `a` has to be a number, not a string"
        ),
        (
            "dynamicSchema: false\nseed:\n  - b: 1",
            "t.yaml:3: seed[0]: the table has no column `b`, and dynamicSchema is off"
        ),
        (
            "seed:\n  - __Deleted: true",
            "t.yaml:2: seed[0]: `__Deleted` is a column of the server's, by the name of Mobile Services: a seed row says its "
                + "id and the table's own columns; `zumod import` takes rows with such columns"
        ),
        ("seed:\n  - version: x", "t.yaml:2: seed[0]: `version` is written by the server only"),
        ("seed:\n  - a: [1]", "t.yaml:2: seed[0].a: has to be a text, a number, true, false or null"),
        ("seed: rows.jsonl", "t.yaml:1: seed: there is no file tables/rows.jsonl"),
        (
            "seed: ../rows.jsonl",
            "t.yaml:1: seed: has to be a list of rows, or the name of a .jsonl file beside this one, not `../rows.jsonl`"
        ),
    ])
    func `what is wrong is told with file, line and key`(text: String, fault: String) throws {
        #expect(try faults(text) == ["tables/\(fault)"])
    }

    @Test(arguments: [
        "access: anonymous", "perUser: false", "conflictPolicy: client", "recordsExpire:", "webhook: ~",
        "userIdColumn: owner",
    ])
    func `what says no more than the default is let be`(text: String) throws {
        #expect(try table(text).rules == TableRules())
    }

    @Test func `two tables of one name in any case are an error`() throws {
        let directory = try ConfigurationDirectory(["tables/Todo.yaml": "", "tables/b.json": "{\"name\": \"TODO\"}"])
        #expect(
            directory.faults() == [
                "tables/b.json: table TODO is defined in tables/Todo.yaml too; names match in any case"
            ])
    }

    @Test(arguments: [
        ("databaseTableName: shed", "databaseTableName: SHED\nschema: dbo", true),
        ("databaseTableName: b", "", true), ("containerName: shed", "databaseTableName: shed", true),
        ("databaseTableName: shed", "databaseTableName: shed\nschema: other", false),
        ("databaseTableName: b", "databaseTableName: shed", false), ("", "", false),
    ])
    func `two tables that had the same rows are an error`(_ a: String, _ b: String, _ isError: Bool) throws {
        let directory = try ConfigurationDirectory(["tables/a.yaml": a, "tables/b.yaml": b])
        let faults = directory.faults()
        #expect(faults.count == (isError ? 1 : 0))
        #expect(faults.allSatisfy { $0.contains("the tables a and b had the same rows") })
    }

    @Test func `names of other databases and stray files are noted`() throws {
        let directory = try ConfigurationDirectory([
            "tables/a.yaml": "databaseTableName: b\nschema: dbo", "tables/d.jsonl": "",
            "tables/notes.txt": "",
        ])
        let notes = try directory.read().notes.map { $0.description.replacing("\(directory.path)/tables/", with: "") }
        #expect(
            notes == [
                "a.yaml:1: databaseTableName: has no effect here: a table is stored under its own name",
                "a.yaml:2: schema: has no effect here: a table is stored under its own name",
                "d.jsonl: no table is seeded from this file",
                "notes.txt: is not read; a definition is .yaml, .yml or .json",
            ])
    }
}
