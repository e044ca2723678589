import JSONText
import Testing
import WireTesting

/// A client of the server that the official client suites are given: `config/client-suites`.
struct SuiteClient {
    let wire: WireClient
    private let fields = ["ZUMO-API-VERSION: 2.0.0", "Content-Type: application/json"]

    /// Runs a test against a server with that very configuration.
    static func with<Result: Sendable>(
        _ database: TestDatabase, _ body: @Sendable (SuiteClient) throws -> Result
    ) async throws -> Result {
        let folder = "\(Fixture.package)/config/client-suites"
        return try await TestServer.with(on: database, fixture: folder) { server in
            try body(SuiteClient(wire: try WireClient(port: server.port)))
        }
    }

    /// The field with a token that the suites' custom API would hand out.
    static func user(_ name: String = "Facebook:someuserid@hotmail.com") throws -> String {
        try UserTokens.field(name, key: "secret")
    }

    func exchange(
        _ method: String, _ target: String, _ body: String = "", _ more: [String] = []
    ) throws -> WireResponse {
        try wire.exchange(method, "/tables/" + target, body, fields + more)
    }

    /// The same from a client of the first generation.
    func services(
        _ method: String, _ target: String, _ body: String = "", _ more: [String] = []
    ) throws -> WireResponse {
        try wire.exchange(
            method, "/tables/" + target, body,
            ["X-ZUMO-APPLICATION: client-suites-application-key", "Content-Type: application/json"] + more)
    }

    func rows(_ target: String) throws -> [Row] {
        let response = try exchange("GET", target)
        #expect(response.code == 200, "\(target): \(response.text)")
        return try response.rows
    }

    func ids(_ target: String) throws -> [String] {
        try rows(target).compactMap { $0["id"]?.text }
    }

    /// Inserts a row and answers it.
    func insert(_ body: String, into table: String, _ more: [String] = []) throws -> Row {
        let response = try exchange("POST", table, body, more)
        try #require(response.code == 201, "\(table) \(body.prefix(80)): \(response.text)")
        return try response.row
    }
}

extension String {
    /// The text as a part of a path, every byte but letters and digits encoded.
    var encoded: String {
        utf8.map { byte in
            switch byte {
            case 48...57, 65...90, 97...122: String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }.joined()
    }

    /// The text as a string of JSON.
    var json: String {
        var writer = JSONWriter()
        writer.string(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The text as a literal of a filter, encoded.
    var literal: String {
        ("'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'").encoded
    }
}
