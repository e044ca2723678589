import Arguments
import Operating
import ServerApp
import ServerConfiguration

/// `zumod check`: reads everything and changes nothing.
struct CheckCommand: Sendable {
    var attack = false
    var scripts = ScriptOptions()
    var common = CommonOptions()

    static let command = Command(
        "check", "Reads configuration and database and says what is wrong, with file, line and key.",
        discussion: """
            Ends with 0 when a server would start, else with 78. Changes nothing.

            With --app it is a report of the move: who may do what, and the file and line that say so; what requests come \
            through, in its order; what becomes of the SQL of scripts on SQLite and on PostgreSQL; and what is other than it was.

            With --attack two invented users come too: one writes rows, and the other asks for them in every way that the \
            API has, by the tables, rules and scripts of the configuration, on an empty database in memory. What the other \
            learns is told, and it ends with 1 then. Scripts do all that they do, other servers are told of it too: give it \
            a copy of a configuration whose scripts reach nobody.
            """, CheckCommand(),
        [.flag("attack", "Tells what one user learns of another's rows.", to: \.attack)]
            + ScriptOptions.parameters.within(\.scripts) + CommonOptions.parameters.within(\.common)
    ) { try await $0.run() }

    func run() async throws {
        var sources = common.sources
        sources.app = scripts.app
        sources.reportsScripts = scripts.app != nil
        sources.readsScriptsTwice = true
        let configuration = try Configuration.read(from: sources, without: .servesSample)
        for warning in configuration.warnings { Exit.say("warning: \(warning)") }
        for explanation in configuration.explanations { print("note: \(explanation)") }
        for note in configuration.notes { print("note: \(note)") }
        let application = Application(configuration)
        defer { application.endScripts() }
        for exposure in application.fileExposures { Exit.say("warning: \(exposure)") }
        do throws(StartFault) {
            let (tables, move) = try await application.check()
            for line in tables { print(line) }
            for line in application.scriptLines + move { print(Exit.harmless(line)) }
            print("ok: \(tables.count) \(tables.count == 1 ? "table" : "tables")")
            guard attack else { return }
            let trial = try await application.attack()
            for line in trial.lines { print(Exit.harmless(line)) }
            if trial.findings == 0 { return }
        } catch {
            // Anything that prevents a server from starting.
            _ = Exit.tell(error)
            throw CommandEnd.code(Exit.configuration)
        }
        throw CommandEnd.code(1)
    }
}
