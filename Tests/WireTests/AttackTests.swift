import HTTPModel
import Tables
import Testing
import WireTesting

@testable import ServerApp

/// Two users, every verb of three generations, every table of the fixtures, scripted or not: what `zumod check --attack`
/// does to a configuration, by connections.
@Suite struct `A second user asks for the rows of a first` {
    /// The tables that show a user some rows only, by fixture.
    private static let guarded = [
        "config": ["board", "mine"], "scripts": ["notes", "peruser", "stampedtodo", "tenants", "todov1"],
    ]

    private static func attack(_ server: TestServer, _ fixture: String) throws -> Attack {
        let (first, second) = ("sid:alice", "sid:bob")
        let port = server.port
        return Attack(
            first: try fields(first, in: fixture), second: try fields(second, in: fixture),
            stranger: fixture == "scripts" ? applicationKey : [:], firstID: first
        ) { request in
            let fields = request.fields.map { "\($0.key): \($0.value)" }.sorted()
            let answer = try WireClient(port: port).exchange(
                request.method.name, request.target, request.body, fields)
            return AttackResponse(
                status: answer.code, fields: answer.fields.map { ($0.name, $0.value) }, body: answer.text)
        }
    }

    /// The fields of a user's requests, by the keys of a fixture.
    private static func fields(_ user: String, in fixture: String) throws -> [String: String] {
        let isScripted = fixture == "scripts"
        let key = "golden-signing-key-of-forty-bytes-in-all"
        let field = isScripted ? try UserTokens.field(user, key: key) : try UserTokens.field(user)
        let parts = field.split(separator: ": ", maxSplits: 1)
        var fields = [String(parts[0]): String(parts[1])]
        if isScripted { fields.merge(applicationKey) { $1 } }
        return fields
    }

    private static let applicationKey = ["X-ZUMO-APPLICATION": "the-application-key-of-the-cases"]

    @Test(arguments: ["config", "scripts"], TestDatabase.all)
    func `no answer shows what a row of another holds, nor whether it is there`(
        _ fixture: String, on database: TestDatabase
    ) async throws {
        let isScripted = fixture == "scripts"
        try await TestServer.with(
            on: database, fixture: fixture, lines: isScripted ? [] : [UserTokens.line],
            files: isScripted ? ["tables/notes.js": HiddenScriptedRowsTests.sample] : [:]
        ) { server in
            let attack = try Self.attack(server, fixture)
            var tried: [String] = []
            for table in server.store.tables() {
                var report = try await attack.run(on: table)
                if report.requests != nil { tried.append(report.table) }
                // The script of its deletes looks for the row, and says itself that it is another's.
                if report.table == "todov1" {
                    report.findings.removeAll { $0.contains(" DELETE") && $0.contains("tells whether") }
                }
                #expect(report.findings.isEmpty, "\(report.lines.joined(separator: "\n"))")
            }
            #expect(Set(tried).isSuperset(of: Self.guarded[fixture] ?? []), "\(tried)")
        }
    }
}
