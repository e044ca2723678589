import JSONText
import SyncTesting
import Testing
import WireTesting

@Suite struct `Three generations on one row` {
    @Test(arguments: TestDatabase.all)
    func `each sees the others' changes, and is told of a conflict in its own words`(
        on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database) { server in
            let first = ClientKind.ios2.client(of: server)
            let second = ClientKind.dotnet4.client(of: server)
            let third = ClientKind.datasync6.client(of: server)
            func text(_ client: SyncClient) -> JSONValue? { client.rows["a"]?.columns["text"] }
            /// Pushes, and answers the statuses of the requests.
            func codes(_ client: SyncClient) throws -> [Int] {
                client.connection.forget()
                try client.push()
                return client.connection.exchanges.map(\.code)
            }

            first.insert("a", ["text": .string("of the first"), "complete": .boolean(false)])
            #expect(try codes(first) == [201])
            for client in [second, third] {
                try client.pull()
                #expect(text(client) == .string("of the first"))
                #expect(client.rows["a"]?.version == first.rows["a"]?.version)
            }

            // The second writes; the two others write over what they know, are refused, and take the second's row.
            second.update("a", ["text": .string("of the second")])
            #expect(try codes(second) == [200])
            for client in [first, third] {
                client.update("a", ["text": .string("too late")])
                #expect(try codes(client) == [412])
                #expect(client.rows["a"] == second.rows["a"])
            }

            // The third writes over that; the second deletes what it knows, is refused, and deletes what it is told.
            third.update("a", ["text": .string("of the third")])
            #expect(try codes(third) == [200])
            second.delete("a")
            #expect(try codes(second) == [412])
            #expect(text(second) == .string("of the third"))
            second.delete("a")
            #expect(try codes(second) == [200])

            // A deleted row: v1 compares versions first and hands out the row, v3 says that it is gone.
            first.update("a", ["text": .string("too late")])
            #expect(try codes(first) == [412])
            third.update("a", ["text": .string("too late")])
            #expect(try codes(third) == [410])
            #expect(first.rows["a"] == nil && third.rows["a"] == nil)

            // Its id is taken all the same. The first generation's answer has no row, so that the client asks for it.
            for (client, expected) in [(first, [409, 404]), (second, [409]), (third, [409])] {
                client.insert("a", ["text": .string("again"), "complete": .boolean(true)])
                #expect(try codes(client) == expected)
                #expect(client.rows["a"] == nil)
            }
            try Self.restore(server)
            for client in [first, second, third] {
                try client.pull()
                #expect(text(client) == .string("of the third"))
                #expect(try ServerRows(of: "todo", port: server.port).differences(from: client.rows) == [])
            }
        }
    }

    /// Brings the row back as each generation does, deleting it again in between.
    private static func restore(_ server: TestServer) throws {
        let client = try WireClient(port: server.port)
        let (v1, v2, v3) = ("X-ZUMO-APPLICATION: key", "ZUMO-API-VERSION: 2.0.0", "ZUMO-API-VERSION: 3.0.0")
        let path = "/tables/todo/a"
        let patch = ["Content-Type: application/json"]
        #expect(try client.exchange("POST", path, "", [v1]).code == 200)
        #expect(try client.exchange("GET", path, "", [v2]).code == 200)
        #expect(try client.exchange("DELETE", path, "", [v1]).code == 204)
        #expect(try client.exchange("DELETE", path, "", [v1]).code == 404)
        #expect(try client.exchange("POST", path, "", [v2]).code == 201)
        #expect(try client.exchange("GET", path, "", [v3]).code == 200)
        #expect(try client.exchange("DELETE", path, "", [v2]).code == 200)
        #expect(try client.exchange("DELETE", path, "", [v2]).code == 404)
        #expect(try client.exchange("PATCH", path, #"{"deleted":false}"#, [v3] + patch).code == 200)
        #expect(try client.exchange("DELETE", path, "", [v3]).code == 204)
        #expect(try client.exchange("DELETE", path, "", [v3]).code == 410)
        let whole = #"{"id":"a","text":"of the third","complete":true}"#
        #expect(try client.exchange("PUT", "\(path)?__includedeleted=true", whole, [v3] + patch).code == 200)
        #expect(try client.exchange("GET", path, "", [v1]).code == 200)
    }
}
