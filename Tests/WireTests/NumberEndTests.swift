import Testing
import WireTesting

@Suite struct `A number at its end in a query` {
    private static let most = String(Int.max)

    @Test(arguments: ["2.0.0", "3.0.0"], TestDatabase.all)
    func `beside the token of a link is no other place`(version: String, on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: ["pageSize: 2"]) { server in
            let client = try WireClient(port: server.port)
            for id in ["a", "b", "c", "d", "e"] {
                try #require(try client.exchange("POST", "/tables/todo", #"{"id":"\#(id)"}"#).code == 201)
            }
            let fields = ["ZUMO-API-VERSION: \(version)"]
            let first = try client.exchange("GET", "/tables/todo", "", fields)
            let text = first["Link"] ?? first.text
            let token = try #require(text.firstMatch(of: /skiptoken=([A-Za-z0-9_-]+)/)?.1)
            let next = try client.exchange(
                "GET", "/tables/todo?$skip=\(Self.most)&$skiptoken=\(token)", "", fields)
            #expect(next.code == 200 && next.text.contains(#""id":"c""#), "\(next.text)")
            #expect((next["Link"] ?? next.text).contains("skip=\(Self.most)"))
            let far = try client.exchange(
                "GET", "/tables/todo?$skip=\(Self.most)&$top=\(version == "2.0.0" ? "1000" : Self.most)", "",
                fields)
            #expect(far.code == (version == "2.0.0" ? 200 : 400), "\(far.text)")
        }
    }
}
