import Foundation
import Synchronization
import Testing
import WireTesting

/// What goes wrong for one client, or for one server, is nothing to the others.
@Suite("Servers behind the balancers of the recipes", .ownThread)
struct BalancedRestartTests {
    /// Clients of the balancer that go on until they are stopped, and what they were answered.
    private final class Callers: Sendable {
        private let isOver = Atomic(false)
        private let running = DispatchGroup()
        private let answers = Mutex<[Int]>([])
        private let faults = Mutex<[String]>([])
        private let stored = Mutex<[String]>([])
        private let lost = Atomic(0)

        /// - Parameter next: asks, and tells the status. One that throws has lost its answer.
        private func start(_ port: UInt16, _ next: @escaping @Sendable (WireClient) throws -> Int) {
            running.enter()
            Thread.detachNewThread { [self] in
                defer { running.leave() }
                var client: WireClient?
                while !isOver.load(ordering: .relaxed) {
                    do {
                        let connected = try client ?? WireClient(port: port)
                        client = connected
                        let code = try next(connected)
                        answers.withLock { $0.append(code) }
                    } catch {
                        client = nil
                        faults.withLock { $0.append("\(error)") }
                    }
                    // The servers have to get their turns on a small machine.
                    usleep(4_000)
                }
            }
        }

        func read(at port: UInt16) {
            start(port) { [self] client in
                let code = try client.exchange("GET", "/tables/TodoItem?$top=1").code
                if code != 200 { faults.withLock { $0.append("a list: \(code)") } }
                return code
            }
        }

        func insert(at port: UInt16) {
            start(port) { [self] client in
                let id = UUID().uuidString
                let code = try client.exchange("POST", "/tables/TodoItem", #"{"id":"\#(id)"}"#).code
                switch code {
                case 201: stored.withLock { $0.append(id) }
                // It was on its way as a server ended, and is never sent twice.
                case 502: lost.add(1, ordering: .relaxed)
                default: faults.withLock { $0.append("an insert: \(code)") }
                }
                return code
            }
        }

        var count: Int { answers.withLock { $0.count } }

        /// Waits until so many more were answered.
        func waits(forMore more: Int) -> Bool {
            let wanted = count + more
            return Patience.until { count >= wanted }
        }

        func end() -> (faults: [String], stored: [String], lost: Int) {
            isOver.store(true, ordering: .relaxed)
            running.wait()
            return (faults.withLock { $0 }, stored.withLock { $0 }, lost.load(ordering: .relaxed))
        }
    }

    private static func daemon(_ workplace: Workplace, _ database: String) throws -> Daemon {
        for _ in 0..<20 {
            let port = try FreePort.next()
            if let daemon = try? Daemon(workplace, arguments: ["--port", "\(port)", "--database", database]) {
                return daemon
            }
        }
        throw Daemon.Failure(text: "no port is free")
    }

    @Test(.enabled(if: Balancer.program != nil && SharedDatabase.server != nil, "no nginx, or no PostgreSQL"))
    func `are restarted one after the other, and no request is lost`() async throws {
        let database = try SharedDatabase()
        let workplaces = try [Workplace(), Workplace()]
        var daemons = try workplaces.map { try Self.daemon($0, database.url) }
        let ports = daemons.map(\.port)
        let (balancer, client) = try await Balancer.started {
            try Balancer(before: ports[0], and: ports[1], on: $0)
        }
        defer { withExtendedLifetime(balancer) {} }
        let callers = Callers()
        for _ in 0..<3 { callers.read(at: balancer.port) }
        for _ in 0..<2 { callers.insert(at: balancer.port) }
        #expect(callers.waits(forMore: 100))
        for round in 0..<4 {
            let turn = round % 2
            #expect(daemons[turn].stop() == 0)
            #expect(callers.waits(forMore: 50))
            daemons[turn] = try Daemon(
                workplaces[turn], arguments: ["--port", "\(ports[turn])", "--database", database.url])
            #expect(callers.waits(forMore: 50))
        }
        let (faults, stored, lost) = callers.end()
        #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(3))")
        // Each of the two has one on its way at most whenever a server ends.
        #expect(lost <= 8, "\(lost)")
        #expect(stored.count > 40)
        for id in stored { #expect(try client.exchange("GET", "/tables/TodoItem/\(id)").code == 200) }
        for daemon in daemons { #expect(daemon.stop() == 0) }
    }

    @Test(.enabled(if: Balancer.program != nil, "nginx is not installed"))
    func `are no less there for what one client is refused`() async throws {
        let daemons = try [Daemon(Workplace()), Daemon(Workplace())]
        let (balancer, client) = try await Balancer.started {
            try Balancer(before: daemons[0].port, and: daemons[1].port, on: $0)
        }
        defer { withExtendedLifetime(balancer) {} }
        let large = #"{"text":"\#(String(repeating: "x", count: 40 << 20))"}"#
        for _ in 0..<4 {
            #expect(try WireClient(port: balancer.port).exchange("POST", "/tables/TodoItem", large).code == 413)
            #expect(try client.exchange("GET", "/tables/TodoItem").code == 200)
        }
        for daemon in daemons { #expect(daemon.stop() == 0) }
    }

    @Test func `answer what HAProxy asks by default, however often`() async throws {
        let daemon = try Daemon(Workplace(["zumod.yaml": "limits: { addressRequestsPerMinute: 2 }\n"]))
        for _ in 0..<10 {
            let client = try daemon.client()
            try client.send("OPTIONS / HTTP/1.0\r\n\r\n")
            let answer = try client.response()
            #expect(answer.code == 204 && answer["Allow"] == "GET, HEAD, OPTIONS")
            #expect(client.isClosedByServer())
        }
        #expect(!daemon.logged.contains("OPTIONS"))
        #expect(daemon.stop() == 0)
    }

    @Test(
        .enabled(if: Balancer.program != nil, "nginx is not installed"),
        arguments: Balancer.recipes, [4_000, 8_000, 30_000, 60_000])
    func `take queries as long as the server does, and hand on the link to the next page`(
        by recipe: String, length: Int
    ) async throws {
        let daemon = try Daemon(Workplace(["zumod.yaml": "pageSize: 1\n"]))
        let (balancer, client) = try await Balancer.started { try Balancer(before: daemon.port, on: $0, by: recipe) }
        defer { withExtendedLifetime(balancer) {} }
        for _ in 0..<3 { #expect(try client.exchange("POST", "/tables/TodoItem", #"{"text":"t"}"#).code == 201) }
        let filter = "text%20ne%20%27\(String(repeating: "x", count: length))%27"
        for _ in 0..<3 {
            let answer = try client.exchange(
                "GET", "/tables/TodoItem?$filter=\(filter)", "", ["ZUMO-API-VERSION: 2.0.0"])
            #expect(answer.code == 200 && answer["Link"] != nil)
        }
        #expect(try client.exchange("GET", "/tables/TodoItem").code == 200)
        #expect(daemon.stop() == 0)
    }
}
