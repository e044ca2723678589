import Foundation
import Synchronization
import Testing
import WireTesting

/// Calls of scripts beside others that loop, fail and end their processes: who did no harm is answered.
@Suite("Scripts beside scripts that do harm", .ownThread)
struct ScriptHarmTests {
    private static let bad = """
        exports.get = (req, res) => {
          switch (req.query.how) {
            case 'loop': for (;;) {}
            case 'later': setTimeout(() => { for (;;) {} }, 5); return;
            case 'kill': require('child_process').execSync('kill -9 ' + process.pid); return;
            case 'rejection': Promise.reject(new Error('nobody takes this')); return;
            case 'timer': setTimeout(() => { throw new Error('from a timer'); }, 1); return;
            default: res.send('fine');
          }
        };
        """
    private static let good = """
        exports.get = async (req, res) => {
          const table = req.azureMobile.tables('TodoItem');
          if (req.query.writes) await table.insert({ text: req.query.writes });
          const rows = await table.read(table.take(5));
          if (req.query.notes) require('fs').appendFileSync(__dirname + '/notes', req.query.notes);
          await new Promise((resolve) => setTimeout(resolve, Number(req.query.wait || 0)));
          res.json({ process: process.pid });
        };
        """

    private static func daemon(_ settings: [String: String] = [:]) throws -> Daemon {
        let workplace = try Workplace()
        try FileManager.default.createDirectory(
            atPath: "\(workplace.path)/config/api", withIntermediateDirectories: true)
        try workplace.write(bad, to: "api/bad.js")
        try workplace.write(good, to: "api/good.js")
        return try Daemon(workplace, environment: settings)
    }

    /// Answers of clients that ask for the same until they are told to stop.
    private final class Asking: Sendable {
        private let state: Mutex<(codes: [[Int]], isOver: Bool)>

        init(clients: Int) { state = Mutex((Array(repeating: [], count: clients), false)) }

        var codes: [[Int]] { state.withLock { $0.codes } }
        var isOver: Bool { state.withLock { $0.isOver } }

        func add(_ code: Int, of client: Int) { state.withLock { $0.codes[client].append(code) } }
        func stop() { state.withLock { $0.isOver = true } }

        /// Waits until each client has two more answers, the second of them to a call that began after this one.
        func goOn() {
            let counts = codes.map(\.count)
            Patience.until { zip(codes, counts).allSatisfy { $0.count > $1 + 1 } }
        }
    }

    @Test(arguments: ["loop", "later", "kill", "rejection", "timer"])
    func `answer others while one does harm again and again`(_ how: String) async throws {
        let daemon = try Self.daemon(["ZUMOD_SCRIPTS_TIME_SECONDS": "8"])
        let (port, others) = (daemon.port, Asking(clients: 3))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask(executorPreference: OwnThread()) {
                    let client = try? WireClient(port: port)
                    while !others.isOver {
                        let code = try? client?.exchange("GET", "/api/good?wait=25").code
                        others.add(code ?? 0, of: number)
                    }
                }
            }
            group.addTask(executorPreference: OwnThread()) {
                for _ in 0..<3 {
                    let client = try? WireClient(port: port)
                    #expect((try? client?.exchange("GET", "/api/bad?how=\(how)").code) == 500)
                    // Whoever loses two workers is told to come again.
                    others.goOn()
                }
                others.stop()
            }
        }
        let codes = others.codes.flatMap { $0 }
        let failed = codes.count { $0 != 200 }
        let told = daemon.logged.split(separator: "\n").filter { !$0.contains("status=200") }.suffix(20)
        #expect(failed == 0, "\(failed) of \(codes.count): \(told.joined(separator: "\n"))")
        #expect(daemon.stop() == 0)
    }

    @Test func `begin a call anew that has only read when its process ends, and none that has written`() async throws {
        let daemon = try Self.daemon(["ZUMOD_SCRIPTS_WORKERS": "1", "ZUMOD_SCRIPTS_TIME_SECONDS": "60"])
        let port = daemon.port
        func began(_ path: String) -> Task<(code: Int, text: String), any Error> {
            Task(executorPreference: OwnThread()) {
                let answer = try WireClient(port: port).exchange("GET", path)
                return (answer.code, answer.text)
            }
        }
        let client = try daemon.client()
        let (reading, writing) = (began("/api/good?wait=3000"), began("/api/good?wait=60000&writes=once"))
        // Both are under way once the row is there.
        var rows = ""
        while !rows.contains("once") { rows = try client.exchange("GET", "/tables/TodoItem").text }
        try await Task.sleep(for: .milliseconds(300))
        #expect(try client.exchange("GET", "/api/bad?how=kill").code == 500)
        let (read, written) = (try await reading.value, try await writing.value)
        #expect(read.code == 200, "\(read): \(daemon.logged.suffix(2_000))")
        #expect(written.code == 500)
        rows = try client.exchange("GET", "/tables/TodoItem").text
        #expect(rows.components(separatedBy: "once").count == 2, "\(rows)")
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: ["kill", "loop"])
    func `do nothing twice that a call did beside what it asked of the server`(_ how: String) async throws {
        // Only the loop has to come to its limit, and a busy machine takes its time until the call has left its note.
        let seconds = how == "loop" ? min(Patience.seconds(4), 40) : 50
        let daemon = try Self.daemon(["ZUMOD_SCRIPTS_WORKERS": "1", "ZUMOD_SCRIPTS_TIME_SECONDS": "\(seconds)"])
        let (port, notes) = (daemon.port, "\(daemon.workplace.path)/config/api/notes")
        let writing = Task(executorPreference: OwnThread()) {
            try WireClient(port: port).exchange("GET", "/api/good?wait=60000&notes=x").code
        }
        let isWriting = try await Patience.eventually { FileManager.default.fileExists(atPath: notes) }
        try #require(isWriting, "\(daemon.logged.suffix(2_000))")
        #expect(try daemon.client().exchange("GET", "/api/bad?how=\(how)").code == 500)
        #expect(try await writing.value == 500)
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "x")
        #expect(daemon.stop() == 0)
    }
}
