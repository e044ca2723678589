import Foundation
import JSONText
import PostgresTesting
import Testing
import WireTesting

@Suite("Worlds", .ownThread)
struct WorldTests {
    @Test(arguments: TestModeServer.Store.all)
    func `32 in parallel walk the tutorial with faults, and none sees another's`(
        _ store: TestModeServer.Store
    ) async throws {
        let server = try TestModeServer(store)
        let root = server.root
        let walks = try await inParallel(32) { number in
            try Self.walk(through: try root.world("{\"name\":\"world-\(number)\",\"seed\":\(number)}"), number)
        }
        #expect(walks.allSatisfy { $0 == [] }, "\(walks.filter { $0 != [] })")
        #expect(try server.root.ids() == [])
        #expect(try server.root.ask("GET", "/_test/requests/count?method=POST").json["count"] == 0)
        #expect(server.daemon.stop() == 0)
    }

    /// What the tutorial's app does, with one lost answer: a row is added, renamed, met by another device, and deleted.
    /// - Returns: what went otherwise than it should.
    private static func walk(through world: TestWorld, _ number: Int) throws -> [String] {
        var faults: [String] = []
        func check(_ isGood: Bool, _ words: String) { if !isGood { faults.append("\(number): \(words)") } }
        let id = "row-\(number)"
        let now = "20\(30 + number)-01-01T00:00:00.000Z"
        check(try world.ask("POST", "/_test/clock", "{\"set\":\"\(now)\",\"frozen\":true}").code == 200, "clock")
        check(
            try world.fault("\"method\":\"POST\",\"table\":\"todoitem\",\"close\":\"afterCommit\",\"times\":1").code
                == 201, "fault")
        do {
            try world.insert(id)
            check(false, "the answer was not lost")
        } catch {}
        check(try world.insert(id).code == 409, "the lost insert was not done")
        let row = try world.ask("GET", "/tables/TodoItem/\(id)")
        check(row.json["createdAt"]?.textValue == now, "stamped \(row.text)")
        check(row["Location"] == nil && row.code == 200, "read \(row.status)")
        check(try world.ask("POST", "/_test/tables/TodoItem/rows/\(id)/touch").code == 200, "touch")
        let late = try world.ask(
            "PATCH", "/tables/TodoItem/\(id)", "{\"text\":\"mine\"}", ["If-Match: \(row["ETag"] ?? "")"])
        check(late.code == 412, "update \(late.status)")
        let again = try world.ask(
            "PATCH", "/tables/TodoItem/\(id)", "{\"text\":\"mine\"}", ["If-Match: \(late["ETag"] ?? "")"])
        check(again.code == 200 && again.json["text"] == "mine", "update again \(again.text)")
        check(try world.ids() == [id], "rows \(try world.ids())")
        let made = try world.ask("POST", "/tables/TodoItem", "{\"text\":\"second\"}")
        check(made["Location"]?.contains("\(world.path)/tables/") == true, "location \(made["Location"] ?? "")")
        check(try world.ask("DELETE", "/tables/TodoItem/\(id)").code == 200, "delete")
        let posts = try world.ask("GET", "/_test/requests/count?method=POST&path=/tables/**").json["count"]?
            .integerValue
        check(posts == 3, "record \(posts ?? 0)")
        check(try world.ask("DELETE", "/_test/worlds/x").code == 404, "worlds are made by the one without a name")
        return faults
    }

    @Test(arguments: TestModeServer.Store.all)
    func `one ends with its rows, and its name is free again`(_ store: TestModeServer.Store) throws {
        let server = try TestModeServer(store)
        let world = try server.world("{\"name\":\"a\"}")
        try world.insert("x")
        #expect(try server.root.ask("POST", "/_test/worlds", "{\"name\":\"a\"}").code == 409)
        #expect(try server.root.ask("DELETE", "/_test/worlds/a").code == 204)
        #expect(try world.ask("GET", "/tables/TodoItem").code == 404)
        #expect(try server.world("{\"name\":\"a\"}").ids() == [])
    }

    /// Bodies that make no world, and the status of the refusal.
    static let refused: [(String, Int)] = [
        ("{\"name\":\"a/b\"}", 400), ("{\"name\":\"\"}", 400), ("{\"name\":7}", 400), ("{\"nam\":\"a\"}", 400),
        ("{\"seed\":-1}", 400), ("{\"clock\":\"soon\"}", 400), ("{\"clock\":\"1969-12-31T23:59:59Z\"}", 400),
        ("{\"snapshot\":\"none\"}", 404), ("[]", 400), ("{", 400),
    ]

    @Test func `what makes no world says why`() throws {
        let server = try TestModeServer(.memory)
        for (body, status) in Self.refused {
            let answer = try server.root.ask("POST", "/_test/worlds", body)
            #expect(answer.code == status, "\(body): \(answer.text)")
            #expect(answer.json["error"]?.textValue?.isEmpty == false, "\(body): \(answer.text)")
        }
        #expect(try server.root.ask("GET", "/_test/worlds").json["worlds"]?.elements?.isEmpty == true)
    }

    @Test func `there are 256 at most`() async throws {
        let server = try TestModeServer(.memory)
        let root = server.root
        let codes = try await inParallel(16) { _ in
            try (0..<17).map { _ in try root.ask("POST", "/_test/worlds").code }
        }.flatMap(\.self)
        #expect(codes.count { $0 == 201 } == 256)
        #expect(codes.count { $0 == 429 } == 16)
        #expect(try server.root.ask("DELETE", "/_test/worlds/w1").code == 204)
        #expect(try server.root.ask("POST", "/_test/worlds").code == 201)
    }

    @Test(arguments: TestModeServer.Store.all)
    func `links and the description of a world lead into it`(_ store: TestModeServer.Store) throws {
        let server = try TestModeServer(store, ["zumod.yaml": "pageSize: 2\n"])
        let world = try server.world("{\"name\":\"a\"}")
        for number in 0..<3 { try world.insert("row-\(number)") }
        let page = try world.ask("GET", "/tables/TodoItem?$orderby=id")
        let link = try #require(page["Link"]).split(separator: ";")[0]
        #expect(link.contains("127.0.0.1:\(server.port)/w/a/tables/TodoItem?"))
        let target = try #require(link.range(of: "/w/a")).upperBound
        #expect(try world.ask("GET", String(link[target...])).json.elements?.count == 1)
        let document = try world.ask("GET", "/openapi.json").json
        #expect(document["servers"]?.elements?.first?["url"]?.textValue == "http://127.0.0.1:\(server.port)/w/a")
    }

    @Test func `databases of a server that was killed go when the next one starts`() async throws {
        guard let url = SharedDatabase.server else { return }
        func databases(of prefix: String) throws -> Int {
            try DatabaseSession(url).run("SELECT FROM pg_database WHERE starts_with(datname, '\(prefix)')").count
        }
        let first = try TestModeServer(.postgres)
        _ = try first.world()
        let killed = try await Self.prefix(of: first)
        #expect(try databases(of: killed) > 1)
        first.daemon.send(signal: SIGKILL)
        _ = first.daemon.exit()
        // The server notices in its own time that nobody holds the lock any more.
        var second = try TestModeServer(.postgres)
        for _ in 0..<20 where try databases(of: killed) > 0 { second = try TestModeServer(.postgres) }
        #expect(try databases(of: killed) == 0)
        let stopped = try await Self.prefix(of: second)
        #expect(try databases(of: stopped) > 0)
        #expect(second.daemon.stop() == 0)
        #expect(try databases(of: stopped) == 0)
    }

    @Test func `databases of others stay, whatever they are called`() throws {
        guard let url = SharedDatabase.server else { return }
        let own = UUID().uuidString.filter { $0 != "-" }.lowercased()
        let names = ["zumod_test_\(own)", "zumod_test_a\(own.prefix(6))_prod", "zumod_test_\(own.prefix(8))_1"]
        let session = try DatabaseSession(url)
        for name in names { try session.run("CREATE DATABASE \"\(name)\"") }
        defer { for name in names { _ = try? session.run("DROP DATABASE IF EXISTS \"\(name)\"") } }
        #expect(try TestModeServer(.postgres).daemon.stop() == 0)
        for name in names {
            #expect(try session.run("SELECT FROM pg_database WHERE datname = '\(name)'").count == 1, "\(name)")
        }
    }

    @Test func `two servers side by side leave each other's databases alone, also when their sessions were ended`()
        async throws
    {
        guard let url = SharedDatabase.server else { return }
        let first = try TestModeServer(.postgres)
        try first.root.insert("a")
        let own = try await Self.prefix(of: first)
        try DatabaseSession(url).run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE starts_with(datname, '\(own)')")
        #expect(try TestModeServer(.postgres).daemon.stop() == 0)
        var ids: [String] = []
        for _ in 0..<100 where ids.isEmpty { ids = (try? first.root.ids()) ?? [] }
        #expect(ids == ["a"])
    }

    /// What the names of a server's databases begin with.
    private static func prefix(of server: TestModeServer) async throws -> String {
        #expect(try await server.daemon.waits(forLog: "made for the tests: "))
        let log = server.daemon.logged
        let start = try #require(log.range(of: "zumod_test_")).lowerBound
        return String(log[start...].prefix { $0 != "…" })
    }
}
