import Foundation
import HTTPModel
import JSONText
import Testing
import WireTesting

@Suite struct `Webhooks of tables` {
    @Test(arguments: TestDatabase.all)
    func `are told of each write that was done, and of no other`(on database: TestDatabase) async throws {
        let receiver = Receiver()
        try await receiver.listening { url in
            let fixture = try Self.configuration("softDelete: true\nwebhook: { url: \"\(url)\", secret: Jefe }")
            defer { try? FileManager.default.removeItem(atPath: fixture) }
            try await TestServer.with(on: database, fixture: fixture, lines: [UserTokens.line]) { server in
                let client = try WireClient(port: server.port)
                let user = try UserTokens.field("sid:alice")
                let path = "/tables/told/k1"
                let stale = #"If-Match: "AAAAAAAAAAA=""#
                let steps: [(String, String, String, [String], Int)] = [
                    ("POST", "/tables/told", #"{"id":"k1","text":"tea","n":1.5}"#, [user], 201),
                    ("POST", "/tables/told", #"{"id":"k1","text":"tea"}"#, [], 409),
                    ("PATCH", path, #"{"text":"milk"}"#, [stale], 412),
                    ("PATCH", path, "{}", [], 200),
                    ("PATCH", path, #"{"text":"milk"}"#, [], 200),
                    ("GET", path, "", [], 200),
                    ("DELETE", path, "", [], 200),
                    ("DELETE", path, "", [], 404),
                    ("POST", path, "", [], 201),
                ]
                var rows: [[UInt8]] = []
                for (method, path, body, fields, code) in steps {
                    let response = try client.exchange(method, path, body, fields)
                    #expect(response.code == code, "\(method) \(body)")
                    if method != "GET", body != "{}", response.code < 300 { rows.append(response.body) }
                }
                let notices = await receiver.next(4)
                let told = try notices.map { try JSONReader.parse($0.body).row }
                #expect(told.map { $0["operation"]?.text } == ["insert", "update", "delete", "undelete"])
                #expect(told.map { $0["userId"]?.text } == ["sid:alice", nil, nil, nil])
                // The row is the one that the client was answered, byte for byte.
                for (notice, row) in zip(notices, rows) {
                    let text = String(decoding: notice.body, as: UTF8.self)
                    #expect(text.hasSuffix("\"row\":" + String(decoding: row, as: UTF8.self) + "}"))
                    #expect(notice.fields["X-Zumod-Signature"]?.count == "sha256=".count + 64)
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are told once of a write that is sent again`(on database: TestDatabase) async throws {
        let receiver = Receiver()
        try await receiver.listening { url in
            let fixture = try Self.configuration("softDelete: true\nwebhook: { url: \"\(url)\", secret: Jefe }")
            defer { try? FileManager.default.removeItem(atPath: fixture) }
            try await TestServer.with(on: database, fixture: fixture) { server in
                let client = try WireClient(port: server.port)
                let steps: [(String, String, String, String)] = [
                    ("POST", "/tables/told", #"{"id":"k1"}"#, "X-ZUMO-INSTALLATION-ID: 5d2c1f6e"),
                    ("PATCH", "/tables/told/k1", #"{"text":"milk"}"#, "Idempotency-Key: one"),
                    ("DELETE", "/tables/told/k1", "", "X-ZUMO-INSTALLATION-ID: 5d2c1f6e"),
                    ("POST", "/tables/told", #"{"id":"last"}"#, "X-ZUMO-INSTALLATION-ID: 5d2c1f6e"),
                ]
                for (method, path, body, field) in steps {
                    let answers = try (1...2).map { _ in try client.exchange(method, path, body, [field]) }
                    #expect(answers[0].code < 300 && answers[1].code == answers[0].code, "\(method) \(body)")
                }
                // Notices go out in the order of the writes, so that a second one of the others had come before the last.
                let told = try await receiver.next(4).map { try JSONReader.parse($0.body).row["operation"]?.text }
                #expect(told == ["insert", "update", "delete", "insert"])
            }
        }
    }

    @Test func `delay no write while their receiver hangs`() async throws {
        let receiver = Receiver(hangs: true)
        try await receiver.listening { url in
            let fixture = try Self.configuration("webhook: { url: \"\(url)\", events: [insert] }")
            defer { try? FileManager.default.removeItem(atPath: fixture) }
            try await TestServer.with(on: .sqlite, fixture: fixture) { server in
                let client = try WireClient(port: server.port)
                for index in 0..<100 {
                    #expect(try client.exchange("POST", "/tables/told", "{\"id\":\"\(index)\"}").code == 201)
                }
                #expect(try client.exchange("DELETE", "/tables/told/0").code == 200)
                #expect(await receiver.next(1).count == 1)
                receiver.open()
                #expect(await receiver.next(99).count == 99)
            }
        }
    }

    private static func configuration(_ table: String) throws -> String {
        let folder = NSTemporaryDirectory() + "zumod-told-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/tables", withIntermediateDirectories: true)
        try Data(table.utf8).write(to: URL(fileURLWithPath: folder + "/tables/told.yaml"))
        return folder
    }
}
