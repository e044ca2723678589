import Testing
import WireTesting

/// Proxies that compress mark an entity tag, and SDKs quote it once more.
@Suite struct `Versions as proxies and SDKs leave them` {
    enum Generation: String, CaseIterable, Sendable {
        case v1, v2, v3

        var fields: [String] {
            switch self {
            case .v1: ["X-ZUMO-APPLICATION: key"]
            case .v2: ["ZUMO-API-VERSION: 2.0.0"]
            case .v3: ["ZUMO-API-VERSION: 3.0.0"]
            }
        }

        var methods: [String] { [self == .v3 ? "PUT" : "PATCH", "DELETE"] }
    }

    static let forms = [
        #"W/"v""#, #""v-gzip""#, #""v-br""#, #""v;gzip""#, #""W/\"v\"""#, #""\"v\"""#, #""W/"v"""#, #"W/"v-gzip""#,
    ]

    @Test(arguments: Generation.allCases, TestDatabase.all)
    func `count in If-Match as the version`(_ generation: Generation, on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for (index, form) in Self.forms.enumerated() {
                for method in generation.methods {
                    let id = "\(method)\(index)"
                    let row = try TaggedRow(id, client)
                    let body = method == "DELETE" ? "" : #"{"id":"\#(id)","text":"cocoa"}"#
                    func answer(ifMatch version: String) throws -> WireResponse {
                        try client.exchange(
                            method, "/tables/todo/\(id)", body,
                            generation.fields + ["If-Match: " + form.replacing("v", with: version)])
                    }
                    let stale = try answer(ifMatch: row.stale)
                    #expect(stale.code == 412 && stale["ETag"] == "\"\(row.current)\"", "\(form): \(stale.text)")
                    let done = try answer(ifMatch: row.current)
                    #expect((200...204).contains(done.code), "\(method) \(form): \(done.text)")
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `count in the body of the second generation as the version`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for (index, form) in Self.forms.enumerated() {
                let row = try TaggedRow("k\(index)", client)
                let escaped = form.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                for (version, code) in [(row.stale, 409), (row.current, 200)] {
                    let body = #"{"text":"cocoa","version":"\#(escaped.replacing("v", with: version))"}"#
                    let answer = try client.exchange(
                        "PATCH", "/tables/todo/k\(index)", body, Generation.v2.fields)
                    #expect(answer.code == code, "\(form): \(answer.text)")
                }
            }
        }
    }
}

/// A row that was written twice.
private struct TaggedRow {
    let stale: String
    let current: String

    init(_ id: String, _ client: WireClient) throws {
        let fields = ["ZUMO-API-VERSION: 2.0.0"]
        let first = try client.exchange("POST", "/tables/todo", #"{"id":"\#(id)"}"#, fields)
        let second = try client.exchange("PATCH", "/tables/todo/\(id)", #"{"text":"tea"}"#, fields)
        try #require(first.code == 201 && second.code == 200, "\(first.text) \(second.text)")
        stale = try #require(first["ETag"]).replacing("\"", with: "")
        current = try #require(second["ETag"]).replacing("\"", with: "")
    }
}
