import Testing
import WireTesting

/// Scripts of old backends, written after the patterns that were published for them: `Fixture/scripts` has them, and each
/// case tells a story with one. `AttackTests` serves all of them beside one another.
@Suite struct `Cases of scripts` {
    @Test(arguments: Fixture.scriptCases, TestDatabase.all)
    func `the server answers as written`(_ path: String, on database: TestDatabase) async throws {
        let text = try Fixture.text(of: "\(Fixture.scripts)/\(path).http")
        let golden = try GoldenCase(name: path, text: text)
        let parts = try FixtureParts(namedBy: text, in: "\(Fixture.path)/scripts")
        try await TestServer.with(on: database, fixture: "scripts", lines: golden.configuration, parts: parts) {
            server in
            let difference = try GoldenRun.play(golden, port: server.port)
            #expect(difference == nil, "\(difference ?? "")")
        }
    }

    @Test func `there are sixty and more`() {
        #expect(Fixture.scriptCases.count >= 60)
    }
}
