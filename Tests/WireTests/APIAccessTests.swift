import Testing
import WireTesting
import ZumodServer

@Suite struct `Who may call an API` {
    private static let levels: [AccessLevel] = [.anonymous, .application, .authenticated, .admin, .disabled]

    /// An API for each level, and one whose verbs have each their own.
    private static func extensions() -> Extensions {
        var extensions = Extensions()
        for level in levels {
            extensions.api("for-\(level.rawValue)", access: level) { api in
                api.get { _ in .text("in") }
                api.post { _ in .text("in") }
            }
        }
        extensions.api("each", access: .disabled) { api in
            api.get(access: .anonymous) { _ in .text("in") }
            api.post(access: .application) { _ in .text("in") }
            api.put(access: .authenticated) { _ in .text("in") }
            api.patch(access: .admin) { _ in .text("in") }
            api.delete { _ in .text("in") }
        }
        return extensions
    }

    private static func expected(_ caller: APICaller, _ level: AccessLevel) -> Int {
        guard let levels = caller.levels else { return 401 }
        return level == .disabled ? 405 : levels.contains(level) ? 200 : 401
    }

    @Test(arguments: TestDatabase.all)
    func `every level lets in whom it should`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [APICaller.keys], extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            for caller in try APICaller.all() {
                for level in Self.levels {
                    for method in ["GET", "POST"] {
                        let target = "/api/for-\(level.rawValue)\(caller.query)"
                        let response = try client.exchange(method, target, "", caller.fields)
                        #expect(
                            response.code == Self.expected(caller, level),
                            "\(method) of \(level.rawValue) with \(caller.testDescription)")
                        #expect((response.text == "in") == (response.code == 200))
                    }
                }
            }
        }
    }

    @Test func `a verb's level beats the API's`() async throws {
        let verbs = zip(["GET", "POST", "PUT", "PATCH", "DELETE"], Self.levels)
        try await TestServer.with(on: .sqlite, lines: [APICaller.keys], extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            for caller in try APICaller.all() {
                for (method, level) in verbs {
                    let response = try client.exchange(method, "/API/Each\(caller.query)", "", caller.fields)
                    #expect(
                        response.code == Self.expected(caller, level), "\(method) with \(caller.testDescription)")
                }
            }
        }
    }

    @Test func `a bad token is told before anything else`() async throws {
        try await TestServer.with(on: .sqlite, lines: [APICaller.keys]) { server in
            let client = try WireClient(port: server.port)
            for target in ["/api/none", "/api", "/api/publicPermission", "/push/installations/1"] {
                for method in ["PUT", "OPTIONS"] {
                    let response = try client.exchange(method, target, "", ["X-ZUMO-AUTH: nonsense"])
                    #expect(response.code == 401, "\(method) \(target)")
                }
            }
        }
    }
}
