import Foundation
import Testing
import WireTesting

/// `zumod check --attack`, and what `zumod check` says beside it.
@Suite("What one user learns of another", .ownThread)
struct AttackCommandTests {
    private static let guarded = """
        const table = require('azure-mobile-apps').table();
        table.columns = { text: 'string', userId: 'string' };
        table.softDelete = true;
        table.access = 'authenticated';
        table.insert((context) => { context.item.userId = context.user.id; return context.execute(); });
        const own = (context) => { context.query.where({ userId: context.user.id }); return context.execute(); };
        table.read(own); table.update(own); table.delete(own);
        module.exports = table;
        """

    private static func check(_ tables: [String: String], _ arguments: String...) throws -> Workplace.Outcome {
        let workplace = try Workplace()
        for (name, text) in tables { try workplace.write(text, to: "tables/\(name)") }
        return try workplace.run(["check"] + arguments)
    }

    @Test func `is nothing where scripts and rules say whose rows they are`() throws {
        let rule = "columns: { text: string, ownerId: string }\nvisible: \"ownerId eq @userId\"\nsoftDelete: true\n"
        let end = try Self.check(
            ["notes.js": Self.guarded, "papers.yaml": rule, "shared.yaml": "columns: { text: string }\n"], "--attack")
        #expect(end.code == 0, "\(end.output)\(end.errors)")
        for line in ["attack notes: ", "attack papers: "] {
            let said = end.output.split(separator: "\n").filter { $0.hasPrefix(line) }
            #expect(said.count == 1 && said[0].hasSuffix("requests, nothing learned of another user's rows"), "\(said)")
        }
        #expect(end.output.contains("attack shared: not tried: its rows are for all users to read"))
        #expect(end.errors.contains("has no script for undelete: that of update stands around it"))
    }

    @Test func `is told where a script hides rows from reads alone`() throws {
        let open = Self.guarded.replacing("table.update(own); table.delete(own);", with: "")
        let end = try Self.check(["notes.js": open], "--attack")
        #expect(end.code == 1, "\(end.output)\(end.errors)")
        #expect(end.output.contains("attack notes: v2 DELETE shows what another user's row holds: it answers 200"))
        #expect(end.output.contains("attack notes: v1 DELETE changes another user's row: it answers 204"))
        #expect(!end.output.contains("undelete"), "\(end.output)")
        #expect(end.errors.contains("has no script for update and delete beside read: whoever may do that"))
    }
}
