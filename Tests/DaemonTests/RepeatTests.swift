import Foundation
import SeedTesting
import Testing
import WireTesting

@Suite("A write that the server was killed under", .ownThread, .serialized)
struct RepeatTests {
    private static let phone = "X-ZUMO-INSTALLATION-ID: 5d2c1f6e"

    @Test func `is answered as if nothing had happened when it is sent again to the restarted server`() async throws {
        try await Self.run(arguments: [])
    }

    @Test(.enabled(if: SharedDatabase.server != nil, "no server is given: run scripts/test-postgres"))
    func `is so on PostgreSQL too`() async throws {
        let database = try SharedDatabase()
        try await Self.run(arguments: ["--database", database.url])
    }

    /// Kills the server before, while and after it commits a write, and in every other round when the write is done but
    /// its answer was not read.
    private static func run(arguments: [String]) async throws {
        let workplace = try Workplace()
        var server = try Daemon(workplace, arguments: arguments)
        var generator = SeededGenerator.printed("a write that the server was killed under")
        var doneBefore = 0
        for round in 0..<9 {
            let path = "/tables/TodoItem/row%20\(round / 3)"
            let tag = try server.client().exchange("GET", path)["ETag"] ?? ""
            let (method, target, body, code) = [
                ("POST", "/tables/TodoItem", "{\"id\":\"row \(round / 3)\",\"text\":\"one\"}", 201),
                ("PATCH", path, "{\"text\":\"two\"}", 200), ("DELETE", path, "", 200),
            ][round % 3]
            let fields = method == "POST" ? [phone] : [phone, "If-Match: \(tag)"]
            let lost = try server.client()
            try lost.send(WireClient.request(method, target, body, fields))
            if round % 2 == 0 {
                let watcher = try server.client()
                while try watcher.exchange("GET", path)["ETag"] ?? "" == tag {}
            } else {
                usleep(UInt32.random(in: 0..<4_000, using: &generator))
            }
            server.send(signal: SIGKILL)
            #expect(server.exit() == SIGKILL)
            server = try Daemon(workplace, arguments: arguments)
            #expect(try await server.isReady())
            let client = try server.client()
            let found = try client.exchange("GET", path)
            let wasDone = (found["ETag"] ?? "") != tag
            if wasDone { doneBefore += 1 }
            let again = try client.exchange(method, target, body, fields)
            // Nobody knows any more whether a change was told to somebody, so that it is not told to a second one.
            let isConflict = wasDone && method == "PATCH"
            #expect(again.code == (isConflict ? 412 : code), "\(method) in round \(round): \(again.text)")
            if isConflict { #expect(again.body == found.body) }
            let other = try client.exchange(method, target, body, Array(fields.dropFirst()))
            #expect([404, 409, 412].contains(other.code), "\(method) in round \(round): \(other.text)")
        }
        #expect(doneBefore >= 5)
        #expect(server.stop() == 0)
    }
}
