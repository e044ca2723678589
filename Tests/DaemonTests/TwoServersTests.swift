import Foundation
import PostgresTesting
import Testing
import WireTesting

@Suite(
    "Two servers on one PostgreSQL database", .ownThread,
    .enabled(if: SharedDatabase.server != nil, "no server is given: run scripts/test-postgres"))
struct TwoServersTests {
    @Test func `what one writes is in the next answer of the other, byte for byte`() throws {
        let database = try SharedDatabase()
        let servers = try (0..<2).map { _ in try Daemon(Workplace(), arguments: ["--database", database.url]) }
        let clients = try servers.map { try $0.client() }
        for round in 0..<6 {
            let (writer, reader) = (clients[round % 2], clients[(round + 1) % 2])
            let path = "/tables/TodoItem/row \(round)"
            let added = try writer.exchange(
                "POST", "/tables/TodoItem", "{\"id\":\"row \(round)\",\"text\":\"t\",\"new\(round)\":\(round)}")
            #expect(added.code == 201)
            let selected = try reader.exchange("GET", "/tables/TodoItem?$select=new\(round)&$orderby=createdAt desc")
            #expect(selected.text.hasPrefix("[{\"new\(round)\":\(round)}"))
            let read = try reader.exchange("GET", path)
            #expect(read.code == 200 && read.text == added.text && read["ETag"] == added["ETag"])
            #expect(read.text.contains("\"new\(round)\":\(round)"))
            let found = try reader.exchange("GET", "/tables/TodoItem?$filter=new\(round) eq \(round)")
            #expect(found.text == "[\(added.text)]")

            let stale = try #require(added["ETag"])
            let changed = try reader.exchange("PATCH", path, "{\"text\":\"u\"}", ["If-Match: \(stale)"])
            #expect(changed.code == 200)
            let refused = try writer.exchange("PATCH", path, "{\"text\":\"v\"}", ["If-Match: \(stale)"])
            #expect(refused.code == 412 && refused.text == changed.text)
            #expect(try writer.exchange("DELETE", path).code == 200)
            #expect(try reader.exchange("GET", path).code == 404)
            let again = try reader.exchange("POST", path)
            #expect(again.code == 201)
            #expect(try writer.exchange("GET", path).text == again.text)
            let lists = try clients.map { try $0.exchange("GET", "/tables/TodoItem?$orderby=id") }
            #expect(lists[0].text == lists[1].text)
        }
        for server in servers { #expect(server.stop() == 0) }
    }

    @Test(arguments: [
        "update/patch-with-a-stale-if-match-answers-412-with-the-current-row",
        "update/an-unknown-property-adds-a-column", "insert/a-taken-id-answers-409-with-the-row-that-has-it",
        "insert/the-server-numbers-the-rows-of-an-auto-increment-table",
        "delete/a-soft-deleted-row-is-answered-as-it-is-now", "undelete/a-tombstone-answers-201-and-lives-again",
    ])
    func `a client sees the golden answers whichever server takes its request`(path: String) throws {
        let wire = URL(filePath: #filePath).appending(path: "../../WireTests").standardized
        let tables = wire.appending(path: "Fixture/config/tables")
        var files: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: tables, includingPropertiesForKeys: nil) {
            files["tables/\(file.lastPathComponent)"] = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        }
        let text = try Data(contentsOf: wire.appending(path: "Golden/\(path).http"))
        let golden = try GoldenCase(name: path, text: String(decoding: text, as: UTF8.self))
        #expect(golden.configuration.isEmpty && golden.exchanges.count > 1)
        let database = try SharedDatabase()
        let workplace = try Workplace(files)
        let servers = try (0..<2).map { _ in try Daemon(workplace, arguments: ["--database", database.url]) }
        let difference = try GoldenRun.play(golden, ports: servers.map(\.port))
        #expect(difference == nil, "\(difference ?? "")")
        for server in servers { #expect(server.stop() == 0) }
    }

    /// Who writes first and commits last.
    enum Early: CaseIterable {
        case psql, server
    }

    @Test(arguments: Early.allCases)
    func `a pull while the first of two writes is not committed loses neither`(early: Early) async throws {
        let database = try SharedDatabase()
        let first = try Daemon(Workplace(), arguments: ["--database", database.url(named: "first")])
        let second = try Daemon(Workplace(), arguments: ["--database", database.url(named: "second")])
        let reader = try second.client()
        var copy = PulledCopy()
        // On a busy machine the first write's time may be up before the second has come, which then has nothing to wait for.
        var (rounds, held) = (0, 0)
        while held < 3, rounds < 10 {
            rounds += 1
            let (row, late) = ("early \(rounds)", "late \(rounds)")
            _ = try reader.exchange("POST", "/tables/TodoItem", "{\"id\":\"\(row)\",\"text\":\"old\"}")
            try copy.pull(from: reader)
            let session = try database.session()
            try session.run("BEGIN")
            switch early {
            case .psql: try session.run("UPDATE \"TodoItem\" SET text = 'new' WHERE id = '\(row)'")
            case .server: try session.run("SELECT FROM \"TodoItem\" WHERE id = '\(row)' FOR UPDATE")
            }
            try await withThrowingTaskGroup { group in
                if early == .server {
                    // Its transaction has begun, and ends when the session lets go of the row.
                    let port = first.port
                    group.addTask(executorPreference: OwnThread()) {
                        try Self.repeating(port, "PATCH", "/tables/TodoItem/\(row)", "{\"text\":\"new\"}")
                    }
                    #expect(try await database.waits(forLockOf: "first"))
                }
                let port = second.port
                group.addTask(executorPreference: OwnThread()) {
                    try Self.repeating(port, "POST", "/tables/TodoItem", "{\"id\":\"\(late)\"}")
                }
                let isHeld = try await database.waits(forLockOf: "second") {
                    try reader.exchange("GET", "/tables/TodoItem/\(late)").code == 200
                }
                if isHeld { held += 1 }
                try copy.pull(from: reader)
                try session.run("COMMIT")
                try await group.waitForAll()
            }
            try copy.pull(from: reader)
            #expect(try copy.rows.values.sorted { $0.id < $1.id } == reader.allRows())
            #expect(copy.rows.count == 2 * rounds)
        }
        #expect(held == 3)
        #expect(first.stop() == 0)
        #expect(second.stop() == 0)
    }

    /// Sends a write until it is done: on a slow machine it may be told to come again.
    private static func repeating(_ port: UInt16, _ method: String, _ target: String, _ body: String) throws {
        for _ in 0..<20 {
            let response = try WireClient(port: port).exchange(method, target, body)
            if response.code == 503 { continue }
            #expect(response.code == 200 || response.code == 201, "\(response.text)")
            return
        }
        Issue.record("\(target) was refused again and again")
    }

    @Test func `a pull while servers are paused in the middle of writes loses nothing`() async throws {
        let database = try SharedDatabase()
        let servers = try (0..<2).map { _ in try Daemon(Workplace(), arguments: ["--database", database.url]) }
        let load = ServerLoad(ports: servers.map(\.port))
        var copy = PulledCopy()
        try await withThrowingTaskGroup { group in
            for writer in 0..<6 { group.addTask(executorPreference: OwnThread()) { load.write(writer) } }
            let reader = try servers[1].client()
            for _ in 0..<12 {
                servers[0].send(signal: SIGSTOP)
                for _ in 0..<5 {
                    try copy.pull(from: reader)
                    try await Task.sleep(for: .milliseconds(10))
                }
                servers[0].send(signal: SIGCONT)
                try await Task.sleep(for: .milliseconds(30))
            }
            _ = try await load.waits(forMore: 50)
            load.stop()
            try await group.waitForAll()
        }
        let reader = try servers[1].client()
        try copy.pull(from: reader)
        let rows = try reader.allRows()
        #expect(copy.rows.values.sorted { $0.id < $1.id } == rows.sorted { $0.id < $1.id })
        load.check(rows)
        for server in servers { #expect(server.stop() == 0) }
    }

    @Test(arguments: [true, false])
    func `writes go on within ten seconds when a server is stopped in the middle of one`(isKilled: Bool) async throws {
        let database = try SharedDatabase()
        let first = try Daemon(Workplace(), arguments: ["--database", database.url(named: "first")])
        let second = try Daemon(Workplace(), arguments: ["--database", database.url(named: "second")])
        let load = ServerLoad(ports: [first.port])
        let other = try second.client()
        #expect(try other.exchange("POST", "/tables/TodoItem", "{\"id\":\"warm\"}").code == 201)
        try await withThrowingTaskGroup { group in
            for writer in 0..<4 { group.addTask(executorPreference: OwnThread()) { load.write(writer) } }
            #expect(try await load.waits(forMore: 20))
            // Stopped again and again, until it is stopped in the middle of a transaction.
            let session = try database.session()
            var isInTransaction = false
            for _ in 0..<4_000 where !isInTransaction {
                first.send(signal: SIGSTOP)
                try await Task.sleep(for: .milliseconds(20))
                isInTransaction = try database.isInTransaction("first", session)
                if !isInTransaction { first.send(signal: SIGCONT) }
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(isInTransaction)
            let start = ContinuousClock.now
            var code = 0
            while code != 201, ContinuousClock.now - start < Patience.time(.seconds(30)) {
                code = try other.exchange("POST", "/tables/TodoItem", "{\"id\":\"after\"}").code
            }
            // A busy machine has its time.
            #expect(code == 201 && ContinuousClock.now - start < min(Patience.time(.seconds(10)), .seconds(45)))
            if isKilled {
                load.stop()
                first.send(signal: SIGKILL)
                #expect(first.exit() == SIGKILL)
            } else {
                first.send(signal: SIGCONT)
                #expect(try await load.waits(forMore: 20))
                load.stop()
            }
            try await group.waitForAll()
        }
        let rows = try other.allRows()
        #expect(rows.filter { $0.id == "after" }.count == 1)
        load.check(rows)
        if !isKilled { #expect(first.stop() == 0) }
        #expect(second.stop() == 0)
    }

    @Test func `a database that is not there is in the log and in the answer of readyz`() async throws {
        let server = try #require(SharedDatabase.server)
        let daemon = try Daemon(
            Workplace(), arguments: ["--database", server.replacing("/postgres", with: "/no_such_database")])
        #expect(try await daemon.waits(forLog: "no_such_database"))
        let answer = try daemon.client().exchange("GET", "/readyz")
        #expect(answer.code == 503 && answer.text.contains("The database that the server was given does not exist"))
        #expect(daemon.stop() == 0)
    }

    @Test func `a refused password is in the log and in the answer of readyz, and is told to nobody`() async throws {
        let refusing = try RefusingDatabase()
        let daemon = try Daemon(
            Workplace(),
            arguments: [
                "--database", "postgresql://zumod:hunter2secret@127.0.0.1:\(refusing.port)/app?sslmode=disable",
            ])
        #expect(try await daemon.waits(forLog: "password authentication failed"))
        let answer = try daemon.client().exchange("GET", "/readyz")
        #expect(answer.code == 503 && answer.text.contains("The database refuses the server's user or password"))
        #expect(!daemon.logged.contains("hunter2secret") && !answer.text.contains("hunter2secret"))
        #expect(daemon.stop() == 0)
        #expect(refusing.passwords.contains("hunter2secret"))
    }
}
