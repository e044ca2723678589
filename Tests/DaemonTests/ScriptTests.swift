import Foundation
import JSONText
import Synchronization
import Testing
import WireTesting

/// Scripts in the processes of a real server: what they can't harm, and what becomes of them.
@Suite("Scripts of old backends", .ownThread)
struct ScriptTests {
    /// An API that does something bad, by the member `how` of the query.
    private static let bad = """
        exports.get = (req, res) => {
          switch (req.query.how) {
            case 'loop': for (;;) {}
            case 'loop later': setTimeout(() => { for (;;) {} }, 1); return;
            case 'exit': process.exit(3);
            case 'abort': process.abort();
            case 'kill': process.kill(process.pid, 'SIGKILL'); return;
            case 'rejection': Promise.reject(new Error('nobody takes this')); return;
            case 'error in a timer': setTimeout(() => { throw new Error('from a timer'); }, 1); return;
            case 'heap': { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())); }
            case 'buffers': { const all = []; setInterval(() => { for (let i = 0; i < 8; i++) all.push(Buffer.alloc(1 << 22, 1)); }, 1); return; }
            case 'closed channel': require('fs').closeSync(3); return;
            case 'nonsense on the channel': require('fs').writeSync(3, Buffer.alloc(1 << 16, 255)); return;
            case 'much output': for (let i = 0; i < 20000; i++) console.log('line', i, 'x'.repeat(2000)); res.send('written'); return;
            case 'never': return;
            case 'throws': throw new Error('thrown');
            case 'throws nothing': throw undefined;
            case 'circular': { const all = {}; all.all = all; res.json(all); return; }
            case 'twice': res.send('first'); res.send('second'); return;
            default: res.send('fine');
          }
        };
        """
    private static let table = """
        const table = require('azure-mobile-apps').table();
        table.columns = { text: 'string' };
        table.insert((context) => {
          if (context.item.text === 'die before') process.exit(1);
          return context.execute().then((row) => {
            if (context.item.text === 'die after') process.exit(1);
            return row;
          });
        });
        module.exports = table;
        """

    static func workplace(_ files: [String: String] = [:]) throws -> Workplace {
        let workplace = try Workplace()
        for folder in ["api", "scheduler"] {
            try FileManager.default.createDirectory(
                atPath: "\(workplace.path)/config/\(folder)", withIntermediateDirectories: true)
        }
        for (name, text) in ["api/bad.js": bad, "tables/TodoItem.js": table].merging(files, uniquingKeysWith: { $1 }) {
            try workplace.write(text, to: name)
        }
        return workplace
    }

    private static let quick = limits(seconds: 3)

    private static func limits(seconds: Int) -> [String: String] {
        ["ZUMOD_SCRIPTS_TIME_SECONDS": "\(seconds)", "ZUMOD_SCRIPTS_MEMORY_MEGABYTES": "48"]
    }

    @Test(arguments: [
        ("loop", 500), ("loop later", 500), ("exit", 500), ("abort", 500), ("kill", 500), ("rejection", 500),
        ("error in a timer", 500), ("heap", 500), ("buffers", 500), ("closed channel", 500),
        ("nonsense on the channel", 500), ("much output", 200), ("never", 500), ("throws", 500),
        ("throws nothing", 500),
        ("circular", 500), ("twice", 200),
    ])
    func `harm nobody else`(_ how: String, _ status: Int) async throws {
        // What ends by itself gets the time for it, and so do the calls behind it, however busy the machine is.
        let isEndless = ["loop", "loop later", "never"].contains(how)
        let limits = Self.limits(seconds: isEndless ? min(Patience.seconds(3), 30) : 60)
        let daemon = try Daemon(Self.workplace(), environment: limits)
        let client = try daemon.client()
        let path = "/api/bad?how=" + how.replacing(" ", with: "%20")
        #expect(try client.exchange("GET", path).code == status, "\(daemon.logged.suffix(2_000))")
        // Whatever became of its worker, others answer, and after a moment as many as before.
        for _ in 0..<20 { #expect(try client.exchange("GET", "/api/bad").code == 200) }
        let made = try client.exchange("POST", "/tables/TodoItem", #"{"id":"a","text":"x"}"#)
        #expect(made.code == 201)
        if status == 500 { #expect(daemon.logged.contains("api/bad.js"), "\(daemon.logged.suffix(2_000))") }
        #expect(daemon.stop() == 0)
    }

    @Test func `lose no write that was acknowledged, and no answer, while workers die under load`() async throws {
        let daemon = try Daemon(Self.workplace(), environment: Self.quick)
        let (acknowledged, refused, unanswered) = (Names(), Names(), Names())
        let port = daemon.port
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask(executorPreference: OwnThread()) {
                    guard let client = try? WireClient(port: port) else { return }
                    for number in 0..<60 {
                        let id = "\(writer)-\(number)"
                        let text = number % 15 == 7 ? "die before" : number % 15 == 11 ? "die after" : "fine"
                        let body = "{\"id\":\"\(id)\",\"text\":\"\(text)\"}"
                        let code = (try? client.exchange("POST", "/tables/TodoItem", body).code) ?? 0
                        if code == 0 { unanswered.add(id) }
                        if code == 201 { acknowledged.add(id) }
                        if code == 500, text == "die before" { refused.add(id) }
                    }
                }
            }
        }
        let client = try daemon.client()
        let written = acknowledged.all
        #expect(written.count > 60, "\(daemon.logged.suffix(1_000))")
        #expect(unanswered.all.isEmpty)
        for id in written { #expect(try client.exchange("GET", "/tables/TodoItem/\(id)").code == 200, "\(id)") }
        for id in refused.all {
            #expect(try client.exchange("GET", "/tables/TodoItem/\(id)").code == 404, "\(id) was half written")
        }
        #expect(daemon.stop() == 0)
    }

    @Test func `cut nobody's connection when a process ends that had closed its output`() async throws {
        let mute = """
            exports.get = (req, res) => {
              for (const descriptor of [1, 2]) require('fs').closeSync(descriptor);
              res.send(String(process.pid));
            };
            """
        let daemon = try Daemon(Self.workplace(["api/mute.js": mute]))
        let process = try #require(Int32(try daemon.client().exchange("GET", "/api/mute").text))
        // One of these has the number that the output had, were it free.
        let neighbours = try (0..<20).map { _ in try daemon.client() }
        for neighbour in neighbours { #expect(try neighbour.exchange("GET", "/").code == 200) }
        kill(process, SIGKILL)
        #expect(try await daemon.waits(forLog: "signal 9"))
        for neighbour in neighbours { #expect(try neighbour.exchange("GET", "/").code == 200) }
        #expect(daemon.stop() == 0)
    }

    @Test func `learn nothing of the server's secrets, and inherit none of its descriptors`() throws {
        let look = """
            const fs = require('fs');
            exports.get = (req, res) => res.json({
              names: Object.keys(process.env),
              files: fs.readdirSync('/proc/self/fd').map((n) => { try { return fs.readlinkSync('/proc/self/fd/' + n); } catch { return ''; } }),
              parameters: process.argv.concat(process.execArgv),
            });
            """
        let daemon = try Daemon(
            Self.workplace(["api/look.js": look]),
            environment: [
                "ZUMOD_AUTH_MASTER_KEY": "a-master-key", "PGPASSWORD": "a-password", "MY_SETTING": "for scripts",
            ])
        let text = try daemon.client().exchange("GET", "/api/look").text
        #expect(!text.contains("ZUMOD_") && !text.contains("PGPASSWORD") && !text.contains("a-master-key"))
        #expect(text.contains("MY_SETTING"))
        #expect(!text.contains("sqlite3"), "\(text)")
        #expect(daemon.stop() == 0)
    }

    /// All that a script may find of the processes that it can name: the server, its ancestors, other workers.
    @Test func `can't look into the memory and the environment of the server, nor of any other process`() throws {
        let look = """
            const fs = require('fs');
            const { spawnSync } = require('child_process');
            function attempt(name) {
              try { const file = fs.openSync(name, 'r'); return fs.readSync(file, Buffer.alloc(64)) > 0 ? name : null; } catch { return null; }
            }
            exports.get = (req, res) => {
              const others = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && Number(name) !== process.pid);
              const opened = [];
              for (const id of others) {
                for (const name of ['environ', 'mem', 'maps', 'auxv']) opened.push(attempt(`/proc/${id}/${name}`));
                try { opened.push(...fs.readdirSync(`/proc/${id}/fd`).map((n) => fs.readlinkSync(`/proc/${id}/fd/${n}`))); } catch {}
              }
              const child = spawnSync('/bin/cat', [`/proc/${process.ppid}/environ`]);
              fs.mkdirSync('moved', { recursive: true });
              fs.writeFileSync('a.txt', 'a');
              fs.renameSync('a.txt', 'moved/a.txt');
              res.json({
                count: others.length, parent: process.ppid, opened: opened.filter(Boolean), child: String(child.stdout),
                status: child.status, rights: fs.readFileSync('/proc/self/status', 'latin1').match(/^NoNewPrivs:.*$/m)[0], own: fs.readFileSync('/proc/self/environ').length > 0, moved: fs.existsSync('moved/a.txt'),
              });
            };
            """
        let daemon = try Daemon(
            Self.workplace(["api/look.js": look]),
            environment: [
                "ZUMOD_AUTH_MASTER_KEY": "a-master-key-of-32-bytes-or-more", "ZUMOD_SCRIPTS_TIME_SECONDS": "60",
            ])
        let answer = try daemon.client().exchange("GET", "/api/look")
        let found = try JSONReader.parse(answer.body)
        #expect(found["parent"]?.integerValue == Int64(daemon.processIdentifier), "\(answer.text)")
        #expect((found["count"]?.integerValue ?? 0) > 1)
        #expect(found["opened"]?.elements?.isEmpty == true, "\(answer.text)")
        #expect(found["child"]?.textValue == "")
        #expect(found["status"]?.integerValue != 0)
        // Neither programs that belong to root nor rights in a file make more of a worker.
        #expect(found["rights"]?.textValue == "NoNewPrivs:\t1")
        // What scripts may do beside: read of themselves, and move files.
        #expect(found["own"]?.booleanValue == true)
        #expect(found["moved"]?.booleanValue == true)
        #expect(daemon.stop() == 0)
    }

    @Test func `are not shown the keys of operators`() throws {
        let look = "exports.get = (req, res) => res.json(req.headers);"
        let daemon = try Daemon(
            Self.workplace(["api/look.js": look]), environment: ["ZUMOD_AUTH_MASTER_KEY": "a-master-key"])
        let text = try daemon.client().exchange(
            "GET", "/api/look", "",
            [
                "X-ZUMO-MASTER: a-master-key", "X-Own: seen",
                "Cookie: a=b; zumod_page_12ab=of-the-page; __Host-zumod-login-12ab=of-a-login",
            ]
        ).text
        #expect(text.contains("seen") && text.contains("a=b"))
        for hidden in ["a-master-key", "of-the-page", "of-a-login"] { #expect(!text.contains(hidden), "\(text)") }
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `end with the server, however it ends`(_ signal: Int32) async throws {
        let whoami = "exports.get = (req, res) => res.send(String(process.pid));"
        let daemon = try Daemon(Self.workplace(["api/whoami.js": whoami]))
        let client = try daemon.client()
        var workers: Set<Int32> = []
        for _ in 0..<40 { workers.insert(try #require(Int32(try client.exchange("GET", "/api/whoami").text))) }
        // One is caught in a loop.
        let port = daemon.port
        Thread.detachNewThread { _ = try? WireClient(port: port).exchange("GET", "/api/bad?how=loop") }
        try await Task.sleep(for: .milliseconds(50))
        daemon.send(signal: signal)
        _ = daemon.exit()
        for worker in workers {
            #expect(try await Patience.eventually { kill(worker, 0) != 0 }, "process \(worker) is still there")
        }
    }

    @Test func `of a whole project are served by its own app`() async throws {
        let workplace = try Workplace()
        let files = [
            "app.js": """
            const express = require('express');
            const mobileApps = require('azure-mobile-apps');
            const app = express();
            const mobileApp = mobileApps({ swagger: true });
            mobileApp.tables.import('./tables');
            mobileApp.tables.add('Inline', { columns: { word: 'string' }, insert: (context) => context.execute() });
            mobileApp.tables.add('Kept', { columns: { word: 'string' } });
            mobileApp.api.import('./api');
            app.use('/tables/kept', (req, res, next) => (req.get('X-Pass') ? next() : res.status(403).send('no')));
            app.use((req, res, next) => { if (req.query.only) req.query.$filter = `word eq '${req.query.only}'`; next(); });
            app.get('/late', async () => { throw new Error('nobody takes this'); });
            mobileApp.tables.initialize().then(() => {
              app.use(mobileApp);
              app.get('/api/own/:name', (req, res) => res.json({ hello: req.params.name }));
              app.get('/elsewhere', (req, res) => res.send('no'));
              app.listen(process.env.PORT || 3000);
            });
            """,
            "tables/notes.js": """
            const table = require('azure-mobile-apps').table();
            table.insert((context) => { context.item.made = require('../shared/words').made; return context.execute(); });
            module.exports = table;
            """,
            "shared/words.js": "exports.made = 'by script';",
            "api/sum.js": "module.exports = { post: (req, res) => res.json({ sum: req.body.a + req.body.b }) };",
        ]
        for (name, text) in files {
            let path = URL(filePath: "\(workplace.path)/project/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
        let listed = try workplace.run("check", "--app", "project")
        #expect(listed.code == 0, "\(listed.errors)")
        let daemon = try Daemon(workplace, arguments: ["--app", "project"])
        let client = try daemon.client()
        let made = try client.exchange("POST", "/tables/notes", #"{"id":"a","text":"x"}"#)
        #expect(made.code == 201 && made.text.contains(#""made":"by script""#), "\(made.text)")
        #expect(try client.exchange("POST", "/tables/inline", #"{"id":"a","word":"x"}"#).code == 201)
        #expect(try client.exchange("POST", "/api/sum", #"{"a":1,"b":2}"#).text == #"{"sum":3}"#)
        #expect(try client.exchange("GET", "/api/own/Anna").text == #"{"hello":"Anna"}"#)
        #expect(try client.exchange("GET", "/elsewhere").text == "no")
        // However its address is written, nobody comes past what stands before a table.
        for name in ["kept", "KEPT", "kept/", "kept?$top=1", "%6bept", "kep%74", "%4bept/x"] {
            #expect(try client.exchange("GET", "/tables/\(name)").code == 403, "\(name)")
        }
        // What the chain has made of a request is what is asked.
        for word in ["one", "two"] {
            let body = "{\"id\":\"\(word)\",\"word\":\"\(word)\"}"
            #expect(try client.exchange("POST", "/tables/inline", body).code == 201)
        }
        let only = try client.exchange("GET", "/tables/inline?only=two&$select=id").text
        #expect(only == #"[{"id":"two"}]"#)
        #expect(try client.exchange("GET", "/late").code == 500)
        #expect(try await daemon.waits(forLog: "app.js at app.js:"), "\(daemon.logged.suffix(1_000))")
        #expect(daemon.stop() == 0)
    }

    @Test(.enabled(if: SharedDatabase.server != nil, "no server is given: run scripts/test-postgres"))
    func `of a mobile service are served from its folder, and its jobs run once for all servers`() async throws {
        let database = try SharedDatabase()
        let workplace = try Workplace()
        let files = [
            "service/table/todoitem.insert.js": """
            var shared = require('../shared/words');
            function insert(item, user, request) { item.made = shared.made; request.execute(); }
            """,
            "service/table/todoitem.json": #"{"insert":{"permission":"public"},"read":{"permission":"public"}}"#,
            "service/shared/words.js": "exports.made = 'by script';",
            "service/api/closed.js": "exports.get = function (request, response) { response.send(200, {}); };",
            "service/api/closed.json": #"{"get":{"permission":"user"}}"#,
            "service/scheduler/tick.js": """
            function tick() { tables.getTable('todoitem').insert({ made: 'by job' }); }
            """,
            "service/scheduler/tick.json": #"{"cron": "* * * * *"}"#,
        ]
        for (name, text) in files {
            let path = URL(filePath: "\(workplace.path)/project/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
        try FileManager.default.removeItem(atPath: "\(workplace.path)/config/tables/TodoItem.yaml")
        func minute() -> Int { Int(Date.now.timeIntervalSince1970) / 60 }
        let first = minute()
        let servers = try (0..<2).map { _ in
            try Daemon(workplace, arguments: ["--app", "project", "--database", database.url])
        }
        let client = try servers[0].client()
        let made = try client.exchange("POST", "/tables/todoitem", #"{"id":"a","text":"x"}"#)
        #expect(made.code == 201 && made.text.contains(#""made":"by script""#), "\(made.text)")
        #expect(try client.exchange("GET", "/api/closed").code == 401)
        // A minute goes by at most until it begins, and a busy machine takes its time.
        func done() -> Int { servers.map { $0.count(inLog: "a job is done") }.reduce(0, +) }
        var rows = 0
        try await Patience.eventually {
            let text = try client.exchange("GET", "/tables/todoitem?$filter=made eq 'by job'").text
            rows = text.components(separatedBy: "by job").count - 1
            return done() > 0 && rows == done()
        }
        #expect(rows > 0 && rows == done(), "\(rows): \(servers[0].logged.suffix(1_000))")
        #expect(rows <= minute() - first + 1)
        for server in servers { #expect(server.stop() == 0) }
    }

    @Test func `need a Node, and say so where there is none`() throws {
        let outcome = try Self.workplace().run("check", environment: ["ZUMOD_SCRIPTS_NODE": "/nowhere/node"])
        #expect(outcome.code == 78)
        #expect(outcome.errors.contains("there is no program /nowhere/node"), "\(outcome.errors)")
    }
}

/// Ids that several writers gather.
private final class Names: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) {
        names.withLock { $0.append(name) }
    }
}
