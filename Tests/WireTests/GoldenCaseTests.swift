import Testing
import WireTesting

@Suite struct `Golden cases` {
    @Test(arguments: Fixture.cases, TestDatabase.all)
    func `the server answers as written`(_ path: String, on database: TestDatabase) async throws {
        let text = try Fixture.text(of: "\(Fixture.golden)/\(path).http")
        let golden = try GoldenCase(name: path, text: text)
        try await TestServer.with(on: database, lines: golden.configuration) { server in
            let difference = try GoldenRun.play(golden, port: server.port)
            #expect(difference == nil, "\(difference ?? "")")
            let undocumented = try DocumentedCase(golden, server: server).undocumented()
            #expect(undocumented == [], "\(undocumented)")
        }
    }

    @Test func `every case is named in the coverage document, and every one named there exists`() throws {
        let document = try Fixture.text(of: Fixture.coverage)
        let named = document.matches(of: /`([a-z0-9-]+\/[a-z0-9-]+)`/).map { String($0.output.1) }
        #expect(Set(named).subtracting(Fixture.cases).isEmpty)
        #expect(Set(Fixture.cases).subtracting(named).isEmpty)
    }

    @Test func `every suite that the coverage document names exists`() throws {
        let document = try Fixture.text(of: Fixture.coverage)
        let root = String(Fixture.coverage.dropLast("docs/protocol-coverage.md".count))
        for match in document.matches(of: /`(Tests\/[A-Za-z\/]+\.swift)`/) {
            #expect(throws: Never.self) { try Fixture.text(of: root + String(match.output.1)) }
        }
    }
}
