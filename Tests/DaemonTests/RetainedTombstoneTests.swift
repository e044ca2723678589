import Foundation
import PostgresTesting
import Testing
import WireTesting

/// What operators are told where rows would go, or come back, that nobody meant to.
@Suite("Tombstones that others need", .ownThread)
struct RetainedTombstoneTests {
    private static let stores = [false, true].filter { !$0 || SharedDatabase.server != nil }

    private static func definition(softDelete: Bool) -> String {
        "columns: { text: string }\nsoftDelete: \(softDelete)\n"
    }

    private static let rows = """
        id,deleted,text
        gone,true,x
        needed,true,x
        live,false,x

        """

    @Test(arguments: stores)
    func `a purge names tombstones to which rows refer, and removes the others`(onPostgres: Bool) async throws {
        let workplace = try Workplace(["tables/TodoItem.yaml": Self.definition(softDelete: true)])
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        try workplace.write(Self.rows, to: "TodoItem.csv")
        #expect(try workplace.run(["import", "config/TodoItem.csv"] + database).code == 0)
        try Self.run(
            """
            CREATE TABLE "Child" ("id" varchar(9) PRIMARY KEY,
                "parent" varchar(9) REFERENCES "TodoItem" ("id") ON DELETE CASCADE);
            INSERT INTO "Child" VALUES ('c', 'needed')
            """, on: shared, in: workplace)
        let purge = try workplace.run(["table", "purge", "TodoItem", "--older-than", "0s"] + database)
        #expect(
            purge.output == """
                TodoItem: 1 tombstones are gone
                TodoItem: the tombstone needed stays: rows of Child refer to it

                """)
        #expect(purge.code == 0)
        let rest = try workplace.run(["export"] + database).output
        #expect(rest.contains("\"needed\"") && rest.contains("\"live\"") && !rest.contains("\"gone\""))
    }

    @Test func `a server that purges by itself says which it keeps`() async throws {
        let definition = Self.definition(softDelete: true)
        let workplace = try Workplace(["tables/TodoItem.yaml": definition])
        try workplace.write(
            "id,deleted,updatedAt\ngone,true,2020-01-01T00:00:00Z\nneeded,true,2020-01-02T00:00:00Z\n",
            to: "TodoItem.csv")
        #expect(try workplace.run("import", "config/TodoItem.csv").code == 0)
        try Self.run(
            """
            CREATE TABLE "Child" ("id" PRIMARY KEY, "parent" REFERENCES "TodoItem" ("id"));
            INSERT INTO "Child" VALUES ('c', 'needed')
            """, on: nil, in: workplace)
        try workplace.write(definition + "tombstones: { keepDays: 30 }\n", to: "tables/TodoItem.yaml")
        let daemon = try Daemon(workplace)
        #expect(try await daemon.waits(forLog: "the tombstone needed stays: rows of Child refer to it"))
        #expect(daemon.logged.contains("purged tombstones"))
        // A reload that would show it to everybody changes nothing.
        try workplace.write(Self.definition(softDelete: false), to: "tables/TodoItem.yaml")
        daemon.send(signal: SIGHUP)
        #expect(try await daemon.waits(forLog: "TodoItem: softDelete is off, but the table holds deleted rows (1)"))
        #expect(try daemon.client().exchange("GET", "/tables/TodoItem").rows.isEmpty)
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: stores)
    func `a table with tombstones loses its soft delete when it is said how`(onPostgres: Bool) async throws {
        let workplace = try Workplace(["tables/TodoItem.yaml": Self.definition(softDelete: true)])
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        try workplace.write(Self.rows, to: "TodoItem.csv")
        #expect(try workplace.run(["import", "config/TodoItem.csv"] + database).code == 0)
        try workplace.write(Self.definition(softDelete: false), to: "tables/TodoItem.yaml")
        for command in [["check"], ["serve", "--port", "0"], ["migrate"]] {
            let refused = try workplace.run(command + database)
            #expect(refused.code == 78, "\(command): \(refused.errors)")
            #expect(refused.errors.contains("TodoItem: softDelete is off, but the table holds deleted rows (2)"))
        }
        let purge = try workplace.run(["table", "purge", "TodoItem", "--older-than", "0s"] + database)
        #expect(purge.output == "TodoItem: 2 tombstones are gone\n")
        #expect(try workplace.run(["check"] + database).code == 0)
        #expect(try workplace.run(["migrate"] + database).code == 0)
        try workplace.write(Self.definition(softDelete: true), to: "tables/TodoItem.yaml")
        #expect(try workplace.run(["migrate"] + database).code == 0)
        // Whoever pulled before may have rows that were deleted since.
        let show = try workplace.run(["table", "show", "TodoItem"] + database).output
        #expect(show.contains("purged through "))
    }

    private static func run(_ sql: String, on shared: SharedDatabase?, in workplace: Workplace) throws {
        if let shared {
            try shared.session().run(sql)
        } else {
            try DatabaseFile("\(workplace.path)/data/zumod.sqlite3").run(sql)
        }
    }
}
