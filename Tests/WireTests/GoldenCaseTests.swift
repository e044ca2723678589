import Testing
import WireTesting

@Suite struct `Golden cases` {
    @Test(arguments: Fixture.cases, TestDatabase.all)
    func `the server answers as written`(_ path: String, on database: TestDatabase) async throws {
        let text = try Fixture.text(of: "\(Fixture.golden)/\(path).http")
        let golden = try GoldenCase(name: path, text: text)
        let requests = golden.requestTexts.joined(separator: "\n")
        let parts = try FixtureParts(namedBy: requests, in: "\(Fixture.path)/config")
        try await TestServer.with(on: database, lines: golden.configuration, parts: parts) { server in
            let difference = try GoldenRun.play(golden, port: server.port)
            #expect(difference == nil, "\(difference ?? "")")
            let undocumented = try DocumentedCase(golden, parts, server: server).undocumented()
            #expect(undocumented == [], "\(undocumented)")
        }
    }
}
