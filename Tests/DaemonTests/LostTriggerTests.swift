import Foundation
import PostgresTesting
import Testing
import WireTesting

/// What a server and `zumod verify` say where another program has removed triggers.
@Suite("Triggers that were lost", .ownThread)
struct LostTriggerTests {
    private static let stores = [false, true].filter { !$0 || SharedDatabase.server != nil }

    @Test(arguments: stores)
    func `a start that makes lost triggers anew says so, and verify until it is answered`(
        onPostgres: Bool
    ) async throws {
        let workplace = try Workplace()
        let shared = onPostgres ? try SharedDatabase() : nil
        let database = shared.map { ["--database", $0.url] } ?? []
        func run(_ sql: String) throws {
            if let shared {
                try shared.session().run(sql)
            } else {
                try DatabaseFile("\(workplace.path)/data/zumod.sqlite3").run(sql)
            }
        }
        try workplace.write("id,text\na,x\nb,x\n", to: "TodoItem.csv")
        #expect(try workplace.run(["import", "config/TodoItem.csv"] + database).code == 0)
        let before = try workplace.run(["export"] + database).output
        try run(
            onPostgres
                ? #"ALTER TABLE "TodoItem" DISABLE TRIGGER zumod_deleted"# : #"DROP TRIGGER "zumod_TodoItem.deleted""#)
        try run(#"DELETE FROM "TodoItem" WHERE "id" = 'b'"#)
        let trial = try workplace.run(["migrate", "--dry-run"] + database)
        #expect(trial.output.contains("that table TodoItem had lost triggers"))
        #expect(try workplace.run(["serve", "--port", "0", "--no-migrate"] + database).code == 78)
        let words = "triggers that another program had removed or changed were made anew"
        for _ in 1...2 {
            let daemon = try Daemon(workplace, arguments: database)
            #expect(try await daemon.waits(forLog: words))
            #expect(daemon.stop() == 0)
        }
        let after = try workplace.run(["export"] + database).output
        #expect(after != before && after.contains("\"a\"") && !after.contains("\"b\""))
        let show = try workplace.run(["table", "show", "TodoItem"] + database).output
        #expect(show.contains("devices that synced last before that may have missed deletes"))
        let finding = try workplace.run(["verify"] + database)
        #expect(finding.code == 65)
        #expect(finding.output.contains("table TodoItem: \(words) at ") && finding.output.contains("deleted"))
        try run("DELETE FROM zumod_losses WHERE table_name = 'TodoItem'")
        #expect(try !workplace.run(["verify"] + database).output.contains(words))
    }
}
