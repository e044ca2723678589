import JSONText
import Testing
import WireTesting

@Suite("Conditional requests of the third generation") struct ConditionTests {
    static let version = ["ZUMO-API-VERSION: 3.0.0"]

    enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case patch = "PATCH"
        case jsonPatch = "PATCH "
        case delete = "DELETE"

        var name: String { rawValue.replacing(" ", with: "") }
        var isRead: Bool { self == .get || self == .head }

        func body(id: String) -> String {
            switch self {
            case .get, .head, .delete: ""
            case .put: #"{"id":"\#(id)","text":"cocoa"}"#
            case .patch: #"{"text":"cocoa"}"#
            case .jsonPatch: #"[{"op":"replace","path":"/text","value":"cocoa"}]"#
            }
        }

        var fields: [String] {
            ConditionTests.version + (self == .jsonPatch ? ["Content-Type: application/json-patch+json"] : [])
        }

        func code(_ verdict: Condition.Verdict) -> Int {
            switch verdict {
            case .holds: self == .delete ? 204 : 200
            case .unchanged: isRead ? 304 : 412
            case .failed: 412
            }
        }

        func verdict(_ condition: Condition) -> Condition.Verdict {
            isRead ? condition.verdict : condition.verdictOnWrite
        }
    }

    @Test(arguments: Method.allCases, TestDatabase.all)
    func `every condition is answered as Datasync evaluated it`(_ method: Method, on database: TestDatabase)
        async throws
    {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for (index, condition) in Condition.all.enumerated() {
                let row = try ChangedRow("k\(index)", client)
                let response = try client.exchange(
                    method.name, row.path, method.body(id: "k\(index)"), method.fields + condition.fields(for: row))
                let verdict = method.verdict(condition)
                try #require(response.code == method.code(verdict), "\(method.name): \(condition)")
                if response.code == 304 {
                    #expect(response.body.isEmpty && response["ETag"] == row.tag)
                    #expect(response["Content-Length"] == nil && response["Content-Type"] == nil)
                } else if response.code == 412 {
                    if method != .head { #expect(response.body == row.body, "\(method.name): \(condition)") }
                    #expect(response["ETag"] == row.tag && response["Last-Modified"] != nil)
                }
                if verdict != .holds || method.isRead {
                    #expect(try client.exchange("GET", row.path, "", Self.version).body == row.body)
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `of sixteen whose lists hold one version exactly one writes`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for round in 0..<4 {
                let row = try ChangedRow("k\(round)", client)
                let answers = try await inParallel(16) { index in
                    let fields = Self.version + [#"If-Match: "dGVzdA==", \#(row.tag)"#]
                    let body = #"{"id":"k\#(round)","text":"writer \#(index)"}"#
                    return try WireClient(port: server.port).exchange("PUT", row.path, body, fields)
                }
                let winner = try #require(answers.first { $0.code == 200 })
                let losers = answers.filter { $0.code == 412 }
                #expect(losers.count == 15)
                #expect(losers.allSatisfy { $0.body == winner.body })
                #expect(try client.exchange("GET", row.path, "", Self.version).body == winner.body)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `writers whose condition holds of every version all write`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let row = try ChangedRow("k", try WireClient(port: server.port))
            let answers = try await inParallel(16) { index in
                try WireClient(port: server.port).exchange(
                    "PATCH", row.path, #"{"text":"writer \#(index)"}"#, Self.version + [#"If-None-Match: "dGVzdA==""#])
            }
            #expect(answers.allSatisfy { $0.code == 200 })
            #expect(Set(answers.compactMap { $0["ETag"] }).count == 16)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `of sixteen patches that test one value exactly one writes`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let row = try ChangedRow("k", try WireClient(port: server.port))
            let answers = try await inParallel(16) { index in
                let patch =
                    #"[{"op":"test","path":"/text","value":"tea"},"#
                    + #"{"op":"replace","path":"/text","value":"writer \#(index)"}]"#
                return try WireClient(port: server.port).exchange("PATCH", row.path, patch, Method.jsonPatch.fields)
            }
            #expect(answers.filter { $0.code == 200 }.count == 1)
            #expect(answers.filter { $0.code == 400 }.count == 15)
        }
    }
}
