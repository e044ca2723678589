import JSONText
import Testing
import WireTesting

@Suite struct `Writers at the same time` {
    private static func answers(
        _ server: TestServer, _ count: Int, _ exchange: @escaping @Sendable (WireClient, Int) throws -> WireResponse
    ) async throws -> [WireResponse] {
        try await inParallel(count) { index in
            try exchange(try WireClient(port: server.port), index)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `of sixteen with one tag exactly one writes, and the others see its row`(on database: TestDatabase)
        async throws
    {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for round in 0..<8 {
                let path = "/tables/todo/k\(round)"
                let tag = try #require(try client.exchange("POST", "/tables/todo", "{\"id\":\"k\(round)\"}")["ETag"])
                let answers = try await Self.answers(server, 16) { client, index in
                    try client.exchange("PATCH", path, "{\"text\":\"writer \(index)\"}", ["If-Match: \(tag)"])
                }
                let written = answers.with(code: 200)
                #expect(written.count == 1)
                #expect(answers.with(code: 412).count == 15)
                let winner = try #require(written.first)
                #expect(try client.exchange("GET", path).body == winner.body)
                for loser in answers.with(code: 412) {
                    #expect(loser.body == winner.body)
                    #expect(loser["ETag"] == winner["ETag"])
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `of sixteen deletes with one tag exactly one deletes`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let tag = try #require(try client.exchange("POST", "/tables/hard", #"{"id":"a"}"#)["ETag"])
            let answers = try await Self.answers(server, 16) { client, _ in
                try client.exchange("DELETE", "/tables/hard/a", "", ["If-Match: \(tag)"])
            }
            #expect(answers.with(code: 200).count == 1)
            #expect(answers.with(code: 404).count == 15)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `of sixteen inserts of one id exactly one is made`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let answers = try await Self.answers(server, 16) { client, index in
                try client.exchange("POST", "/tables/todo", "{\"id\":\"k\",\"text\":\"writer \(index)\"}")
            }
            #expect(answers.with(code: 201).count == 1)
            let conflicts = answers.with(code: 409)
            #expect(conflicts.count == 15)
            #expect(conflicts.allSatisfy { $0.body == answers.with(code: 201).first?.body })
        }
    }

    @Test(arguments: TestDatabase.all)
    func `every write without a tag has a version and a stamp of its own`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            try #require(try client.exchange("POST", "/tables/todo", #"{"id":"k"}"#).code == 201)
            let answers = try await Self.answers(server, 16) { client, index in
                try client.exchange("PATCH", "/tables/todo/k", "{\"text\":\"writer \(index)\"}")
            }
            let rows = try answers.with(code: 200).map { try $0.row }
            #expect(rows.count == 16)
            #expect(Set(rows.compactMap { $0["version"]?.text }).count == 16)
            #expect(Set(rows.compactMap { $0["updatedAt"]?.text }).count == 16)
            let last = rows.max { $0["updatedAt"]?.text ?? "" < $1["updatedAt"]?.text ?? "" }
            #expect(try client.exchange("GET", "/tables/todo/k").row == last)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `sixteen that add columns at once all succeed`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let answers = try await Self.answers(server, 16) { client, index in
                try client.exchange("POST", "/tables/hard", "{\"id\":\"\(index)\",\"shared\":1,\"c\(index)\":\"x\"}")
            }
            #expect(answers.with(code: 201).count == 16)
            let client = try WireClient(port: server.port)
            let rows = try client.exchange("GET", "/tables/hard").rows
            #expect(rows.count == 16)
            for row in rows {
                // Five of the server, two declared, the shared one and sixteen.
                #expect(row.count == 24)
                #expect(row["shared"] == .integer(1))
                let id = row["id"]?.text ?? ""
                #expect(row["c\(id)"] == .string("x"))
            }
        }
    }
}

extension [WireResponse] {
    fileprivate func with(code: Int) -> [WireResponse] {
        filter { $0.code == code }
    }
}
