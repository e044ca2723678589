import Foundation
import HTTPModel
import Synchronization
import Testing
import WireTesting

/// SIGHUP, and what takes its place.
@Suite("The configuration read again", .ownThread)
struct ReloadTests {
    private static let taken = "the configuration was read again and is in force"
    private static let refused = "the configuration can't be taken, and the one before stays in force"
    private static let keys = [String(repeating: "11", count: 32), String(repeating: "22", count: 32)]

    private static func settings(_ round: Int) -> String {
        """
        auth: { signingKey: "\(keys[round % 2])" }
        limits: { bodyBytes: \(round % 2 == 0 ? 2_048 : 4_096) }
        log: { level: notice }

        """
    }

    /// Asks for a reload and waits until the log says what came of it.
    private static func reload(_ daemon: Daemon, expecting text: String, _ message: Comment? = nil) throws {
        let before = daemon.count(inLog: text)
        daemon.send(signal: SIGHUP)
        Patience.until { daemon.count(inLog: text) != before }
        try #require(daemon.count(inLog: text) > before, message ?? "\(daemon.logged.suffix(2_000))")
    }

    /// Clients that ask without a pause, on connections that are kept.
    private final class Load: Sendable {
        private let isOver = Atomic(false)
        private let faults = Mutex<[String]>([])
        private let count = Atomic(0)
        private let running = DispatchGroup()

        /// - Parameter isRight: whether an answer may be given, by its status.
        func start(
            on port: UInt16, _ method: String, _ path: String, _ body: String = "",
            isRight: @escaping @Sendable (Int) -> Bool
        ) {
            running.enter()
            Thread.detachNewThread { [self] in
                defer { running.leave() }
                do {
                    let client = try WireClient(port: port)
                    while !isOver.load(ordering: .relaxed) {
                        let code = try client.exchange(method, path, body).code
                        count.add(1, ordering: .relaxed)
                        // The test's own requests have to get their turn on a small machine.
                        usleep(2_000)
                        if !isRight(code) { faults.withLock { $0.append("\(method) \(path): \(code)") } }
                    }
                } catch {
                    faults.withLock { $0.append("\(method) \(path): \(error)") }
                }
            }
        }

        var answers: Int { count.load(ordering: .relaxed) }

        func end() -> [String] {
            isOver.store(true, ordering: .relaxed)
            running.wait()
            return faults.withLock { $0 }
        }
    }

    private static let databases: [Bool] = SharedDatabase.server == nil ? [false] : [false, true]

    @Test(arguments: databases)
    func `under load no request is dropped, and what the log says is in force is`(onPostgres: Bool) throws {
        let database = onPostgres ? try SharedDatabase() : nil
        let workplace = try Workplace(["zumod.yaml": Self.settings(0)])
        let daemon = try Daemon(workplace, arguments: database.map { ["--database", $0.url] } ?? [])
        let tokens = try (0..<2).map { key in
            try workplace.run("token", "--user", "u", environment: ["ZUMOD_AUTH_SIGNING_KEY": Self.keys[key]]).output
                .filter { $0 != "\n" }
        }
        let load = Load()
        for _ in 0..<3 { load.start(on: daemon.port, "GET", "/tables/TodoItem?$top=1") { $0 == 200 } }
        load.start(on: daemon.port, "POST", "/tables/TodoItem", #"{"text":"t"}"#) { $0 == 201 }
        // It comes and goes, and is for admins whenever it is there.
        load.start(on: daemon.port, "GET", "/tables/Closed") { $0 == 401 || $0 == 404 }
        load.start(on: daemon.port, "POST", "/tables/Closed", #"{"text":"t"}"#) { $0 == 401 || $0 == 404 }

        let kept = try daemon.client()
        var state = 0
        let rounds = Extent.whole(20, part: 10)
        for round in 1...rounds {
            if round % 5 == 0 {
                try workplace.write("auth: { signingKey: [\n", to: "zumod.yaml")
                try Self.reload(daemon, expecting: Self.refused)
            } else {
                state = round
                try workplace.write(Self.settings(round), to: "zumod.yaml")
                let closed = "\(workplace.path)/config/tables/Closed.yaml"
                if round % 2 == 0 {
                    try workplace.write("access: admin\ncolumns: { text: string }\n", to: "tables/Closed.yaml")
                } else {
                    try? FileManager.default.removeItem(atPath: closed)
                }
                let access = ["anonymous", "authenticated", "admin"][round % 3]
                try workplace.write(
                    "access: \(access)\ncolumns: { text: string, c\(round): number }\nsoftDelete: \(round % 4 < 2)\n",
                    to: "tables/Turning.yaml")
                try Self.reload(daemon, expecting: Self.taken)
            }
            let large = #"{"text":"\#(String(repeating: "x", count: 3_000))"}"#
            for client in [kept, try daemon.client()] {
                let closed = try client.exchange("GET", "/tables/Closed").code
                #expect(closed == (state % 2 == 0 ? 401 : 404), "round \(round)")
                let anonymous = try client.exchange("GET", "/tables/Turning").code
                #expect(anonymous == [200, 401, 401][state % 3], "round \(round)")
                for key in 0..<2 {
                    let field = ["X-ZUMO-AUTH: \(tokens[key])"]
                    let code = try client.exchange("GET", "/tables/Turning", "", field).code
                    #expect(code == (state % 2 != key ? 401 : [200, 200, 401][state % 3]), "round \(round) key \(key)")
                }
            }
            // The last of its connection, as too large a body ends it.
            let code = try daemon.client().exchange("POST", "/tables/TodoItem", large).code
            #expect(code == (state % 2 == 0 ? 413 : 201), "round \(round)")
        }
        let before = load.answers
        Patience.until { load.answers >= before + 50 }
        let faults = load.end()
        #expect(faults.isEmpty, "\(faults.prefix(5))")
        #expect(daemon.count(inLog: "did not find expected") == rounds / 5)
        let page = try daemon.client().exchange("GET", "/metrics").text
        #expect(page.contains(#"zumod_configuration_loads_total{outcome="taken"} \#(rounds - rounds / 5)"#))
        #expect(page.contains(#"zumod_configuration_loads_total{outcome="refused"} \#(rounds / 5)"#))
        #expect(daemon.stop() == 0)
    }

    @Test func `what is wrong is told with file, line and key, and what needs a restart by its key`() throws {
        let workplace = try Workplace(["zumod.yaml": "log: { level: notice }\n"])
        let daemon = try Daemon(workplace)
        try workplace.write("log: { level: notice }\n\npageSize: many\n", to: "zumod.yaml")
        try Self.reload(daemon, expecting: Self.refused + ": config/zumod.yaml:3: pageSize: has to be a whole number")
        try FileManager.default.moveItem(atPath: "\(workplace.path)/config", toPath: "\(workplace.path)/gone")
        try Self.reload(daemon, expecting: Self.refused + ": config: there is no such directory")
        try FileManager.default.moveItem(atPath: "\(workplace.path)/gone", toPath: "\(workplace.path)/config")
        // An id of text can't become one of numbers.
        try workplace.write("log: { level: notice }\n", to: "zumod.yaml")
        try workplace.write("autoIncrement: true\n", to: "tables/TodoItem.yaml")
        try Self.reload(daemon, expecting: Self.refused + ": table TodoItem: its ids are text already")
        try workplace.write("columns: { text: string }\nsoftDelete: true\n", to: "tables/TodoItem.yaml")
        let settings = "host: localhost\ndatabase: { connections: 3 }\nlog: { level: notice, format: json }\n"
        try workplace.write(settings, to: "zumod.yaml")
        try Self.reload(daemon, expecting: #""message":"\#(Self.taken)","tables":"1""#)
        #expect(daemon.logged.contains("database.connections: the change needs a restart"))
        #expect(daemon.logged.contains("host: the change needs a restart"))
        #expect(!daemon.logged.contains("port: the change"))
        #expect(try daemon.client().exchange("GET", "/tables/TodoItem").code == 200)
        #expect(daemon.stop() == 0)
    }

    @Test func `turns that were spent stay spent`() throws {
        func settings(_ perMinute: Int) -> String { "limits: { addressRequestsPerMinute: \(perMinute) }\n" }
        let workplace = try Workplace(["zumod.yaml": settings(3)])
        let daemon = try Daemon(workplace)
        let client = try daemon.client()
        let first = try (0..<4).map { _ in try client.exchange("GET", "/tables/TodoItem").code }
        #expect(first == [200, 200, 200, 429])
        try Self.reload(daemon, expecting: Self.taken)
        #expect(try client.exchange("GET", "/tables/TodoItem").code == 429)
        try workplace.write(settings(5), to: "zumod.yaml")
        try Self.reload(daemon, expecting: Self.taken)
        let more = try (0..<3).map { _ in try client.exchange("GET", "/tables/TodoItem").code }
        #expect(more.prefix(2) == [200, 200])
        try workplace.write(settings(0), to: "zumod.yaml")
        try Self.reload(daemon, expecting: Self.taken)
        for _ in 0..<10 { #expect(try client.exchange("GET", "/tables/TodoItem").code == 200) }
        #expect(daemon.stop() == 0)
    }

    @Test func `connections rest as long as the limit now says`() throws {
        let workplace = try Workplace(["zumod.yaml": "limits: { keepAliveSeconds: 86400 }\n"])
        let daemon = try Daemon(workplace)
        #expect(try daemon.client().exchange("GET", "/healthz").code == 200)
        try workplace.write("limits: { keepAliveSeconds: 1 }\n", to: "zumod.yaml")
        try Self.reload(daemon, expecting: Self.taken)
        let client = try daemon.client()
        #expect(try client.exchange("GET", "/healthz").code == 200)
        #expect(client.isClosedByServer())
        #expect(!daemon.logged.contains("the change needs a restart"))
        #expect(daemon.stop() == 0)
    }

    @Test func `as much is held for clients as the limit now says`() throws {
        func settings(_ bytes: Int) -> String { "limits: { bodyBytes: 65536, bufferBytes: \(bytes) }\n" }
        let workplace = try Workplace(["zumod.yaml": settings(1 << 20)])
        let daemon = try Daemon(workplace)
        func limit() throws -> String? {
            let name = "zumod_buffer_limit_bytes "
            let lines = try daemon.client().exchange("GET", "/metrics").text.split(separator: "\n")
            return lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
        }
        #expect(try limit() == "1048576")
        try workplace.write(settings(2 << 20), to: "zumod.yaml")
        try Self.reload(daemon, expecting: Self.taken)
        #expect(try limit() == "2097152")
        #expect(daemon.stop() == 0)
    }

    @Test func `webhooks are told that the tables now have`() async throws {
        let (first, second) = (Receiver(), Receiver())
        try await first.listening { firstURL in
            try await second.listening { secondURL in
                let workplace = try Workplace(["zumod.yaml": "log: { level: notice }\n"])
                let daemon = try Daemon(workplace)
                let webhooks: [String?] = [nil, firstURL, secondURL, nil, firstURL]
                for (number, url) in webhooks.enumerated() {
                    let webhook = url.map { "webhook: { url: \"\($0)\" }\n" } ?? ""
                    try workplace.write("columns: { text: string }\n\(webhook)", to: "tables/TodoItem.yaml")
                    try Self.reload(daemon, expecting: Self.taken)
                    let code = try daemon.client().exchange("POST", "/tables/TodoItem", "{\"id\":\"\(number)\"}").code
                    #expect(code == 201)
                }
                // A table's notices are sent in order, and all of them before the server has stopped.
                #expect(daemon.stop() == 0)
                for (receiver, numbers) in [(first, [1, 4]), (second, [2])] {
                    let told = await receiver.next(numbers.count).map { String(decoding: $0.body, as: UTF8.self) }
                    #expect(told.count == numbers.count)
                    for (body, number) in zip(told, numbers) { #expect(body.contains("\"id\":\"\(number)\"")) }
                }
            }
        }
    }

    @Test func `a server that exposes itself takes no key that is easily guessed`() throws {
        let workplace = try Workplace(["zumod.yaml": "host: 0.0.0.0\n"])
        let daemon = try Daemon(workplace)
        try workplace.write("host: 127.0.0.1\nauth: { masterKey: short }\n", to: "zumod.yaml")
        try Self.reload(daemon, expecting: "\(Self.refused): config/zumod.yaml:2: auth.masterKey: is a key of 5 bytes")
        #expect(daemon.stop() == 0)
    }

    @Test func `where SIGHUP was ignored at the start it stays so, and the files are watched`() throws {
        let workplace = try Workplace()
        let daemon = try Daemon(workplace, shell: "trap '' HUP")
        let client = try daemon.client()
        try workplace.write("columns: { text: string }\n", to: "tables/Later.yaml")
        Patience.until { daemon.count(inLog: Self.taken) >= 1 }
        #expect(try client.exchange("GET", "/tables/Later").code == 200)
        try workplace.write("columns: { text: strin }\n", to: "tables/Later.yaml")
        Patience.until { daemon.count(inLog: Self.refused) >= 1 }
        #expect(try client.exchange("GET", "/tables/Later").code == 200)
        daemon.send(signal: SIGHUP)
        #expect(try client.exchange("GET", "/tables/Later").code == 200)
        #expect(daemon.count(inLog: Self.taken) == 1 && daemon.count(inLog: Self.refused) == 1)
        #expect(daemon.stop() == 0)
    }

    @Test func `a terminal that closes still ends the server`() throws {
        let script = """
            import os, pty, signal, subprocess, sys
            terminal, end = pty.openpty()
            server = subprocess.Popen(sys.argv[1:], stdin=end, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            os.close(end)
            assert server.stdout.readline().startswith(b"zumod listening")
            os.close(terminal)
            server.send_signal(signal.SIGHUP)
            sys.exit(server.wait())
            """
        let workplace = try Workplace()
        let process = workplace.process(["python3", "-c", script, Workplace.binary.path, "serve", "--port", "0"])
        process.executableURL = URL(filePath: "/usr/bin/env")
        try process.run()
        process.waitForEnd()
        #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    }

    @Test func `a storm of SIGHUP neither stops the server nor keeps it from stopping`() throws {
        let daemon = try Daemon(Workplace())
        let client = try daemon.client()
        for round in 0..<Extent.whole(20_000, part: 4_000) {
            daemon.send(signal: SIGHUP)
            if round % 1_000 == 0 { #expect(try client.exchange("GET", "/tables/TodoItem").code == 200) }
        }
        daemon.send(signal: SIGTERM)
        for _ in 0..<1_000 { daemon.send(signal: SIGHUP) }
        #expect(daemon.exit() == 0)
    }
}
