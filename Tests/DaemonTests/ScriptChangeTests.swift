import Foundation
import Testing
import WireTesting

/// What workers read that isn't what is served: it is taken over by itself, and one that ends doesn't stop all others.
@Suite("Scripts that are read again and differ", .ownThread)
struct ScriptChangeTests {
    private static let taken = "the configuration was read again and is in force"
    private static let pid = "exports.get = (req, res) => res.send(String(process.pid));"

    private static func workplace(_ table: String, _ files: [String: String] = [:]) throws -> Workplace {
        let workplace = try Workplace()
        for folder in ["api", "node_modules"] {
            try FileManager.default.createDirectory(
                atPath: "\(workplace.path)/config/\(folder)", withIntermediateDirectories: true)
        }
        let module = "const t = module.exports = require('azure-mobile-apps').table();"
        let text = "\(module)\n\(table)\nt.read((c) => c.execute());"
        for (name, text) in ["api/pid.js": pid, "tables/notes.js": text].merging(files, uniquingKeysWith: { $1 }) {
            try workplace.write(text, to: name)
        }
        return workplace
    }

    /// Ends a worker, and waits until calls are answered by another.
    private static func killWorker(_ client: WireClient) throws {
        let first = try client.exchange("GET", "/api/pid").text
        kill(try #require(Int32(first)), SIGKILL)
        Patience.until {
            let next = try? client.exchange("GET", "/api/pid")
            return next?.code == 200 && next?.text != first
        }
    }

    @Test func `serve on where each worker reads other rows to begin with`() throws {
        let seed = "t.seed = [{ id: 'a', text: require('crypto').randomUUID(), due: new Date() }];"
        let daemon = try Daemon(Self.workplace(seed))
        let client = try daemon.client()
        for _ in 0..<4 { try Self.killWorker(client) }
        #expect(try client.exchange("GET", "/tables/notes").code == 200)
        #expect(!daemon.logged.contains("the scripts have changed"), "\(daemon.logged.suffix(2_000))")
        #expect(daemon.stop() == 0)
    }

    @Test func `serve what was read first where each worker reads something else, and check names it`() async throws {
        let workplace = try Self.workplace("t.pageSize = 1 + process.pid % 900;")
        let words = "tables/notes.js: `pageSize` differs each time the scripts are read"
        #expect(try workplace.run("check").errors.contains(words))
        let daemon = try Daemon(workplace)
        #expect(try await daemon.waits(forLog: "warning \(words)"), "\(daemon.logged.suffix(2_000))")
        let client = try daemon.client()
        for _ in 0..<4 { try Self.killWorker(client) }
        #expect(try client.exchange("GET", "/tables/notes").code == 200)
        #expect(daemon.count(inLog: Self.taken) == 1, "\(daemon.logged.suffix(2_000))")
        #expect(daemon.stop() == 0)
    }

    @Test func `take over what they read from other files, and modules that are installed`() async throws {
        let columns = "t.columns = JSON.parse(require('fs').readFileSync(__dirname + '/columns.dat'));"
        let table = "\(columns)\nt.dynamicSchema = false;"
        let workplace = try Self.workplace(table, ["tables/columns.dat": #"{"text":"string"}"#])
        let daemon = try Daemon(workplace)
        let client = try daemon.client()
        let body = #"{"more":"x"}"#
        #expect(try client.exchange("POST", "/tables/notes", body).code == 400)
        try workplace.write(#"{"text":"string","more":"string"}"#, to: "tables/columns.dat")
        try Self.killWorker(client)
        #expect(try await daemon.waits(forLog: Self.taken), "\(daemon.logged.suffix(2_000))")
        let change = "the scripts have changed and serve something else (tables/notes.js: `columns.more`)"
        #expect(daemon.logged.contains("notice \(change)"))
        #expect(try client.exchange("POST", "/tables/notes", body).code == 201)
        try FileManager.default.createDirectory(
            atPath: "\(workplace.path)/config/node_modules/installed", withIntermediateDirectories: false)
        Patience.until { daemon.count(inLog: Self.taken) == 2 }
        #expect(daemon.count(inLog: Self.taken) == 2)
        #expect(daemon.stop() == 0)
    }

    @Test func `are answered with the reason why they can't be taken over`() async throws {
        let workplace = try Self.workplace("")
        let daemon = try Daemon(workplace)
        let client = try daemon.client()
        try workplace.write("const table = ;", to: "tables/notes.js")
        #expect(try await daemon.waits(forLog: "the configuration can't be taken"))
        Patience.until {
            let answer = try? client.exchange("GET", "/api/pid")
            if let process = answer.flatMap({ Int32($0.text) }) { kill(process, SIGKILL) }
            return answer?.code == 503
        }
        let words = "and can't be taken over: "
        #expect(try await daemon.waits(forLog: words), "\(daemon.logged.suffix(2_000))")
        #expect(daemon.logged.contains("config/tables/notes.js:1: can't be loaded"))
        #expect(daemon.stop() == 0)
    }
}
