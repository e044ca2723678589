import Foundation
import Synchronization
import Testing
import WireTesting

@Suite("A running server", .ownThread)
struct ServeTests {
    private static func insert(_ id: String) -> String {
        let body = "{\"id\":\"\(id)\",\"text\":\"t\"}"
        return "POST /tables/TodoItem HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func `rows are there again after a restart`() throws {
        let workplace = try Workplace()
        let first = try Daemon(workplace)
        let client = try first.client()
        try client.send(Self.insert("a"))
        #expect(try client.response().code == 201)
        first.send(signal: SIGINT)
        #expect(first.exit() == 0)
        #expect(FileManager.default.fileExists(atPath: "\(workplace.path)/data/zumod.sqlite3"))

        let second = try Daemon(workplace)
        let reader = try second.client()
        try reader.send("GET /tables/todoitem/a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try reader.response().code == 200)
        #expect(second.stop() == 0)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal lets a request in flight finish, and takes no other`(_ signal: Int32) async throws {
        let daemon = try Daemon(Workplace())
        let client = try daemon.client()
        let request = Self.insert("slow")
        try client.send(String(request.dropLast(5)))
        // The server has the head once another connection is answered after it.
        let other = try daemon.client()
        try other.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try other.response().code == 200)
        daemon.send(signal: signal)
        #expect(try await daemon.waits(forLog: "stopping: requests in flight may finish"))
        try client.send(String(request.suffix(5)))
        let response = try client.response()
        #expect(response.code == 201)
        #expect(response["Connection"] == "close")
        #expect(daemon.exit() == 0)
        #expect(throws: WireClient.Failure.self) { try daemon.client() }
    }

    @Test func `a second signal stops at once`() async throws {
        let daemon = try Daemon(Workplace())
        let client = try daemon.client()
        try client.send(String(Self.insert("never").dropLast(5)))
        let other = try daemon.client()
        try other.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try other.response().code == 200)
        daemon.send(signal: SIGTERM)
        #expect(try await daemon.waits(forLog: "stopping: requests in flight may finish"))
        #expect(daemon.isRunning)
        #expect(daemon.stop() == 0)
        #expect(try await daemon.waits(forLog: "stopping at once"))
    }

    @Test func `kill -9 under concurrent inserts loses no write that was acknowledged`() async throws {
        let workplace = try Workplace()
        let daemon = try Daemon(workplace)
        let port = daemon.port
        let acknowledged = Acknowledged()
        for writer in 0..<8 {
            // Blocking calls need a thread of their own.
            Thread.detachNewThread { Self.insertUntilCut(port, writer, acknowledged) }
        }
        while acknowledged.ids.count < 100, daemon.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        daemon.send(signal: SIGKILL)
        #expect(daemon.exit() == SIGKILL)

        let second = try Daemon(workplace)
        let client = try second.client()
        for id in acknowledged.ids {
            try client.send("GET /tables/TodoItem/\(id) HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try client.response().code == 200, "\(id) was acknowledged and is gone")
        }
        #expect(second.stop() == 0)
    }

    /// The ids whose inserts were answered with 201.
    private final class Acknowledged: Sendable {
        private let list = Mutex<[String]>([])

        var ids: [String] { list.withLock { $0 } }

        func append(_ id: String) {
            list.withLock { $0.append(id) }
        }
    }

    /// Inserts row after row until the connection breaks.
    private static func insertUntilCut(_ port: UInt16, _ writer: Int, _ acknowledged: Acknowledged) {
        guard let client = try? WireClient(port: port) else { return }
        for number in 0... {
            let id = "w\(writer)-\(number)"
            guard (try? client.send(insert(id))) != nil, (try? client.response())?.code == 201 else { return }
            acknowledged.append(id)
        }
    }

    @Test func `the server outlives the reader of its log`() throws {
        let daemon = try Daemon(Workplace())
        daemon.abandonLog()
        let client = try daemon.client()
        for _ in 0..<3 {
            try client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try client.response().code == 200)
        }
        #expect(daemon.stop() == 0)
    }

    @Test func `what is no request is in the log, with the reason and who sent it`() async throws {
        let daemon = try Daemon(Workplace())
        for text in ["nonsense\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"] {
            let client = try daemon.client()
            try client.send(text)
            #expect(try client.response().code == 400)
        }
        for reason in ["not a token followed by one blank", "a % that two hexadecimal digits"] {
            #expect(try await daemon.waits(forLog: reason), "\(daemon.logged)")
            #expect(
                daemon.logged.split(separator: "\n").contains {
                    $0.contains(reason) && $0.contains("address=127.0.0.1")
                })
        }
        #expect(daemon.stop() == 0)
    }

    @Test func `a port that is taken ends with 78 and says so`() throws {
        let daemon = try Daemon(Workplace())
        let outcome = try Workplace().run("serve", "--port", "\(daemon.port)")
        #expect(outcome.code == 78)
        #expect(outcome.errors.contains("taken by another process"))
        #expect(daemon.stop() == 0)
    }

    @Test func `flags and environment reach the server`() async throws {
        let daemon = try Daemon(
            Workplace(["zumod.yaml": "log: { format: text }"]), arguments: ["--log-format", "json"])
        let client = try daemon.client()
        try client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n\r\n")
        #expect(try client.response()["X-Request-Id"] == "mine")
        daemon.send(signal: SIGTERM)
        #expect(daemon.exit() == 0)
        #expect(
            try await daemon.waits(
                forLog: "\"id\":\"mine\",\"method\":\"GET\",\"path\":\"/\",\"status\":200,\"us\":"))
    }

    @Test func `a body over the configured limit is 413`() throws {
        let daemon = try Daemon(Workplace(["zumod.yaml": "limits: { bodyBytes: 1024 }"]))
        let client = try daemon.client()
        try client.send("POST /tables/TodoItem HTTP/1.1\r\nHost: x\r\nContent-Length: 1025\r\n\r\n")
        let response = try client.response()
        #expect(response.code == 413)
        #expect(response["X-Request-Id"] != nil)
        #expect(response["x-zumo-server-version"]?.hasPrefix("zumod-") == true)
        #expect(daemon.stop() == 0)
    }
}
