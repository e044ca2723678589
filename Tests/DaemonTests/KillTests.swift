import Foundation
import SeedTesting
import Testing
import WireTesting

@Suite(
    "Servers and PostgreSQL killed", .ownThread, .serialized,
    .enabled(if: StoppableServer.url != nil, "no server is given: run scripts/test-postgres"))
struct KillTests {
    @Test func `kill -9 of servers and restarts of PostgreSQL lose no acknowledged write`() async throws {
        let seed = SeededGenerator.printedSeed(of: "killing servers")
        try await StoppableServer.alone { try await Self.kill($0, SeededGenerator(seed: seed)) }
    }

    private static func kill(_ postgres: StoppableServer, _ generator: SeededGenerator) async throws {
        var generator = generator
        let database = try SharedDatabase(on: StoppableServer.url)
        let workplaces = [try Workplace(), try Workplace()]
        var servers = try workplaces.map { try Daemon($0, arguments: ["--database", database.url]) }
        let load = ServerLoad(ports: servers.map(\.port))
        try await withThrowingTaskGroup { group in
            defer { load.stop() }
            for writer in 0..<8 { group.addTask(executorPreference: OwnThread()) { load.write(writer) } }
            for round in 0..<ServerLoad.kills {
                #expect(try await load.waits(forMore: 40))
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<300, using: &generator)))
                let mode = round == 1 ? "fast" : round == ServerLoad.kills - 1 ? "immediate" : nil
                async let restarted: Void = restart(postgres, mode)
                let victim = Int.random(in: 0..<2, using: &generator)
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200, using: &generator)))
                servers[victim].send(signal: SIGKILL)
                #expect(servers[victim].exit() == SIGKILL)
                servers[victim] = try Daemon(workplaces[victim], arguments: ["--database", database.url])
                load.move(victim, to: servers[victim].port)
                try await restarted
            }
            #expect(try await load.waits(forMore: 40))
            load.stop()
            try await group.waitForAll()
        }
        for server in servers {
            #expect(try await server.isReady())
            load.check(try server.client().allRows())
            #expect(server.stop() == 0)
        }
    }

    private static func restart(_ postgres: StoppableServer, _ mode: String?) async throws {
        if let mode { try await postgres.run("restart -m \(mode)") }
    }

    @Test func `a server that starts while PostgreSQL is away answers 503 until it is there`() async throws {
        try await StoppableServer.alone { postgres in
            let database = try SharedDatabase(on: StoppableServer.url)
            try await postgres.run("stop -m fast")
            let outcome = Result { try Self.answersWithoutDatabase(database.url) }
            try await postgres.run("start")
            let server = try outcome.get()
            let client = try server.client()
            #expect(try await server.isReady())
            #expect(try client.exchange("POST", "/tables/TodoItem", "{\"id\":\"a\"}").code == 201)
            #expect(try client.exchange("GET", "/tables/TodoItem/a").code == 200)
            #expect(server.stop() == 0)
        }
    }

    /// Starts a server, which says that it listens.
    private static func answersWithoutDatabase(_ url: String) throws -> Daemon {
        let server = try Daemon(Workplace(), arguments: ["--database", url])
        let client = try server.client()
        #expect(try client.exchange("GET", "/healthz").code == 200)
        #expect(try client.exchange("GET", "/readyz").code == 503)
        for (method, path, body) in [
            ("GET", "/tables/TodoItem", ""), ("GET", "/tables/TodoItem/a", ""), ("POST", "/tables/TodoItem", "{}"),
        ] {
            let response = try client.exchange(method, path, body)
            #expect(response.code == 503, "\(method) \(path)")
            #expect(response["Retry-After"] != nil)
        }
        return server
    }
}
