import PostgresTesting
import Testing
import WireTesting

@Suite("What an export can't keep", .ownThread)
struct ExportLossTests {
    @Test(arguments: [false, true].filter { !$0 || SharedDatabase.server != nil })
    func `is told by table and column, and the export ends with 65`(onPostgres: Bool) throws {
        let workplace = try Workplace(["tables/TodoItem.yaml": "columns: { n: number, due: date }"])
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        try workplace.write("{\"id\":\"a\",\"n\":1}\n{\"id\":\"b\",\"n\":2}\n", to: "TodoItem.jsonl")
        #expect(try workplace.run(["import", "config/TodoItem.jsonl"] + database).code == 0)
        // What no client gets either is told, and no failure.
        _ = try shared?.session().run(#"ALTER TABLE "TodoItem" ADD COLUMN "raw" bytea"#)
        let whole = try workplace.run(["export"] + database)
        #expect(whole.code == 0 && whole.errors.contains("WITHOUT raw") == onPostgres)
        if let shared {
            _ = try shared.session().run(#"UPDATE "TodoItem" SET "n" = 'NaN', "due" = 'infinity' WHERE "id" = 'a'"#)
        } else {
            let file = try DatabaseFile("\(workplace.path)/data/zumod.sqlite3")
            try file.run(#"UPDATE "TodoItem" SET "n" = 'many', "due" = 1700000000 WHERE "id" = 'a'"#)
        }
        let outcome = try workplace.run(["export", "--output", "all.jsonl"] + database)
        let losses =
            onPostgres
            ? """
            TodoItem: WITHOUT raw, which the server can't read
            TodoItem: NOT whole: n has numbers that are infinite or none (NaN), exported as null: 1, in rows such as a
            TodoItem: NOT whole: due has dates beyond the years 1 to 9999, exported as the first or the last date that has \
            a text: 1, in rows such as a

            """
            : """
            TodoItem: NOT whole: n has values that are no numbers, which an import can refuse: 1, in rows such as a
            TodoItem: NOT whole: due has values that are no dates, which an import can refuse: 1, in rows such as a

            """
        #expect(outcome.code == 65 && outcome.errors == "TodoItem: 2 rows\n\(losses)")
        // What can be exported is.
        #expect(try workplace.contents(of: "all.jsonl").contains(#""id":"b""#))
    }
}
