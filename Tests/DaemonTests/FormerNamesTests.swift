import Foundation
import PostgresTesting
import Testing
import WireTesting

/// Rows of Mobile Services, with the server's columns by their old names.
@Suite("Importing rows of Mobile Services", .ownThread)
struct FormerNamesTests {
    private static let tables = ["tables/TodoItem.yaml": "columns: { text: string }\nsoftDelete: true"]

    @Test(arguments: ["jsonl", "csv"], [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `rows that were deleted there stay deleted here`(format: String, toPostgres: Bool) throws {
        let workplace = try Workplace(Self.tables)
        let shared = toPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        let columns = "id,__createdAt,__updatedAt,__version,__deleted,text"
        let rows = [
            ["live", "2014-05-12T10:11:12.123Z", "2014-05-13T10:11:12.123Z", "AAAAAAAAB9E=", "false", "tea"],
            ["gone", "2014-05-12T10:11:12.123Z", "2014-05-14T10:11:12.123Z", "AAAAAAAAB9I=", "true", "milk"],
        ]
        if format == "csv" {
            let lines = [columns] + rows.map { $0.joined(separator: ",") }
            try workplace.write(lines.joined(separator: "\n"), to: "TodoItem.csv")
        } else {
            let lines = rows.map { row in
                let members = zip(columns.split(separator: ","), row).map { name, value in
                    name == "__deleted" ? "\"\(name)\":\(value)" : "\"\(name)\":\"\(value)\""
                }
                return "{\(members.joined(separator: ","))}"
            }
            try workplace.write(lines.joined(separator: "\n"), to: "TodoItem.jsonl")
        }
        let imported = try workplace.run(["import", "config/TodoItem.\(format)"] + database)
        #expect(imported.output == "TodoItem: 2 rows inserted\n", "\(imported.errors)")
        let daemon = try Daemon(workplace, arguments: database)
        let client = try daemon.client()
        #expect(try client.exchange("GET", "/tables/TodoItem").rows.map(\.id) == ["live"])
        let all = try client.exchange("GET", "/tables/TodoItem?__includeDeleted=true&$orderby=id").text
        #expect(
            all == """
                [{"id":"gone","createdAt":"2014-05-12T10:11:12.123Z","updatedAt":"2014-05-14T10:11:12.123Z",\
                "version":"AAAAAAAAB9I=","deleted":true,"text":"milk"},\
                {"id":"live","createdAt":"2014-05-12T10:11:12.123Z","updatedAt":"2014-05-13T10:11:12.123Z",\
                "version":"AAAAAAAAB9E=","deleted":false,"text":"tea"}]
                """, "\(all)")
        #expect(daemon.stop() == 0)
    }

    @Test func `an export whose table has such columns brings none into a new table`() throws {
        let workplace = try Workplace()
        try workplace.write(
            """
            {"zumod":"table","name":"Old","columns":{"text":"string","__deleted":"boolean"},"softDelete":true,"integerIds":false}
            {"id":"a","__deleted":true,"text":"x"}
            {"zumod":"end","name":"Old","rows":1}
            """, to: "all.jsonl")
        #expect(try workplace.run("import", "config/all.jsonl").code == 0)
        let exported = try workplace.run("export").output
        #expect(exported.contains(#""deleted":true,"text":"x"}"#) && !exported.contains("__deleted"), "\(exported)")
    }

    @Test(arguments: [
        (#""ms_deleted":false,"__deleted":true"#, "`ms_deleted` and `__deleted` are both the server's `deleted`"),
        (#""deleted":true,"__deleted":false"#, "`deleted` is true and `__deleted` is not: rename it"),
    ])
    func `a row whose names disagree is refused with its line, and nothing is written`(
        members: String, words: String
    ) throws {
        let workplace = try Workplace(Self.tables)
        try workplace.write("{\"id\":\"a\"}\n{\"id\":\"b\",\(members)}\n", to: "TodoItem.jsonl")
        let refused = try workplace.run("import", "config/TodoItem.jsonl")
        #expect(refused.code == 65)
        #expect(refused.errors.contains("TodoItem.jsonl:2: \(words)"), "\(refused.errors)")
        #expect(try !workplace.run("export").output.contains("\"a\""))
    }

    @Test func `a password in the address of another server is in no message`() throws {
        let old = try Daemon(Workplace(["tables/TodoItem.yaml": "access: authenticated"]))
        let workplace = try Workplace()
        // The server takes such credentials for none.
        for address in ["127.0.0.1:\(old.port)", "127.0.0.1:\(old.port)/elsewhere", "127.0.0.1:\(old.port)?x"] {
            for scheme in ["http", "htp"] {
                let outcome = try workplace.run(
                    "import", "--from", "\(scheme)://me:hunter22@\(address)", "--table", "TodoItem")
                #expect(outcome.code != 0 && !outcome.errors.isEmpty)
                #expect(!(outcome.output + outcome.errors).contains("hunter22"), "\(outcome.errors)")
            }
        }
        let outcome = try workplace.run(
            "import", "--from", "http://me:hunter22@127.0.0.1:\(old.port)", "--table", "TodoItem")
        #expect(
            outcome.errors.contains("http://127.0.0.1:\(old.port)/tables/TodoItem answered 401"), "\(outcome.errors)")
        #expect(old.stop() == 0)
    }
}
