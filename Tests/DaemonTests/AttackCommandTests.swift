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
        return try workplace.run(["check"] + arguments, environment: ["ZUMOD_SCRIPTS_WORKERS": "1"])
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

    /// Tables that hide rows from some of what is asked, by what the attack has to find.
    private static let leaks = [
        ("v2 GET shows what another user's row holds", "if (!context.id) own(context); return context.execute();"),
        (
            "v2 list of the newest shows",
            "if (context.id || context.query.filter) own(context); return context.execute();"
        ),
        ("v3 list of one column shows", "if (!context.req.query.$select) own(context); return context.execute();"),
        (
            "v1 list from a place on shows",
            "if (!('$skip' in context.req.query)) own(context); return context.execute();"
        ),
        ("v2 list by what it holds shows", "if (!context.query.filter) own(context); return context.execute();"),
        ("v2 GET without a token shows", "if (context.user) own(context); return context.execute();"),
        (
            "v2 list tells whether another user's row is there",
            "const all = await context.tables('notes').read(); own(context); const rows = await context.execute();"
                + " context.res.set('X-Of', String(all.length)); return rows;"
        ),
    ]

    @Test func `is told whichever of its reads a script leaves open`() throws {
        let leaks = Self.leaks.suffix(Extent.whole(Self.leaks.count, part: 1))
        var tables: [String: String] = [:]
        for (number, (_, body)) in leaks.enumerated() {
            tables["notes\(number).js"] = """
                const table = require('azure-mobile-apps').table();
                table.columns = { text: 'string', userId: 'string' };
                table.access = 'anonymous';
                const own = (context) => context.query.where({ userId: context.user ? context.user.id : 'nobody' });
                const ofOwn = (context) => { own(context); return context.execute(); };
                table.insert((context) => { context.item.userId = context.user.id; return context.execute(); });
                table.read(async (context) => { \(body.replacing("'notes'", with: "'notes\(number)'")) });
                table.update(ofOwn); table.delete(ofOwn);
                module.exports = table;
                """
        }
        let end = try Self.check(tables, "--attack")
        #expect(end.code == 1)
        for (number, (finding, _)) in leaks.enumerated() {
            #expect(end.output.contains("attack notes\(number): \(finding)"), "\(end.output)\(end.errors)")
        }
    }

    @Test(.enabled(if: Extent.isWhole, "\(Extent.later)"))
    func `is told of a change in the first user's name, and of a table that holds numbers alone`() throws {
        let believing = Self.guarded.replacing(
            "table.update(own);",
            with: "table.update((context) => { const userId = context.item.userId || context.user.id;"
                + " context.query.where({ userId }); return context.execute(); });")
        let numbers = Self.guarded.replacing("text: 'string'", with: "amount: 'number'")
            .replacing("table.softDelete", with: "table.dynamicSchema = false; table.softDelete")
        let end = try Self.check(
            ["notes.js": believing, "sums.js": numbers, "open.js": numbers.replacing("table.read(own); ", with: "")],
            "--attack")
        #expect(end.code == 1)
        #expect(end.output.contains("attack notes: v2 PATCH in the first user's name changes another user's row"))
        let sums = end.output.split(separator: "\n").filter { $0.hasPrefix("attack sums: ") }
        #expect(sums.count == 1 && sums[0].hasSuffix("requests, nothing learned of another user's rows"), "\(sums)")
        #expect(end.output.contains("attack open: not tried: its rows are for all users to read"), "\(end.output)")
    }
}
