import Scalars
import Synchronization
import Tables
import Testing
import WireTesting

@Suite struct `Rows that expire` {
    /// A clock that a test moves.
    private final class MovedClock: Sendable {
        private let ahead = Mutex<Int64>(0)

        var tell: Clock {
            { Instant(milliseconds: SystemClock.now().milliseconds + self.ahead.withLock { $0 }) }
        }

        func move(days: Int64) {
            ahead.withLock { $0 += days * 86_400_000 }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are neither seen nor written once their time is over`(on database: TestDatabase) async throws {
        let clock = MovedClock()
        try await TestServer.with(on: database, clock: clock.tell) { server in
            let client = try WireClient(port: server.port)
            for id in ["a", "b", "c"] {
                #expect(try client.exchange("POST", "/tables/brief", "{\"id\":\"\(id)\",\"text\":\"tea\"}").code == 201)
            }
            let link = try #require(try client.exchange("GET", "/tables/brief").nextPath)
            clock.move(days: 29)
            #expect(try client.exchange("GET", "/tables/brief/a").code == 200)
            // A link holds as long as its rows do, though time has gone by.
            #expect(try client.exchange("GET", link).rows.map { $0["id"]?.text } == ["c"])

            clock.move(days: 2)
            #expect(try client.exchange("GET", link).rows.isEmpty)
            let list = try client.exchange("GET", "/tables/brief?$inlinecount=allpages&__includeDeleted=true")
            #expect(list.text == #"{"results":[],"count":0}"#)
            for (method, body) in [("GET", ""), ("PATCH", #"{"text":"milk"}"#), ("DELETE", ""), ("POST", "")] {
                #expect(try client.exchange(method, "/tables/brief/a", body).code == 404, "\(method)")
            }
            let again = try client.exchange("POST", "/tables/brief", #"{"id":"a"}"#)
            // Rows are stamped by the true clock: here a new one is too old as well, else this were 409.
            #expect(again.code == 403 && !again.text.contains("tea"))
        }
    }
}
