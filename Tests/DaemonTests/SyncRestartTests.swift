import Foundation
import JSONText
import SyncTesting
import Testing
import WireTesting

@Suite("Clients that outlive their server", .ownThread)
struct SyncRestartTests {
    @Test(arguments: ClientKind.served)
    func `go on with their tokens and versions after a restart`(_ kind: ClientKind) throws {
        let workplace = try Workplace()
        var server = try Daemon(workplace)
        final class Place { var port: UInt16 = 0 }
        let place = Place()
        place.port = server.port
        let client = SyncClient(kind, PullSettings(table: "TodoItem")) { place.port }
        for number in 0..<60 { client.insert("row-\(number)", ["text": .string("old")]) }
        try client.pull()
        try client.pull()
        client.update("row-7", ["text": .string("offline")])
        client.insert("new", ["text": .string("offline")])

        server.send(signal: SIGKILL)
        #expect(server.exit() == SIGKILL)
        #expect(throws: SyncFailure.connectionLost) { try client.push() }
        server = try Daemon(workplace)
        place.port = server.port
        client.connection.forget()
        try client.pull()
        // The versions still hold, so that nothing is refused, and the token does, so that only what is new comes.
        #expect(client.connection.exchanges.allSatisfy { $0.code == 200 || $0.code == 201 })
        #expect(client.connection.exchanges.count <= 2 + 3)
        let rows = try ServerRows(of: "TodoItem", port: server.port)
        #expect(rows.differences(from: client.rows) == [])
        #expect(rows.live["row-7"]?.columns["text"] == .string("offline"))
        #expect(rows.live.count == 61)
        #expect(server.stop() == 0)
    }
}
