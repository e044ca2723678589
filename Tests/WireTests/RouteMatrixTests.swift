import Access
import Tables
import Testing
import WireTesting

/// Every route that is no table and no API of a program's own, asked for by every caller.
@Suite struct `Who may ask for what else` {
    private struct Route {
        let method: String
        let path: String
        var body = ""
        var fields: [String] = []
        /// To callers without a token or the master key, to users, to admins by token and by master key, and to callers
        /// with a token that is no good.
        let codes: (nobody: Int, user: Int, adminUser: Int, master: Int, badToken: Int)
        /// To a token that was good until lately, where that is another answer.
        var expired: Int?

        func code(for caller: APICaller) -> Int {
            if let expired, caller.isExpired { return expired }
            guard let levels = caller.levels else { return codes.badToken }
            if caller.fields == ["X-ZUMO-MASTER: master"] { return codes.master }
            if levels.contains(.admin) { return codes.adminUser }
            return levels.contains(.authenticated) ? codes.user : codes.nobody
        }
    }

    /// A request that a proxy on the same machine passed on, so that its caller is not the machine itself.
    private static let passedOn = ["X-Forwarded-For: 203.0.113.9"]

    private static let routes: [Route] = [
        Route(method: "GET", path: "/", codes: (200, 200, 200, 200, 200)),
        Route(method: "GET", path: "/healthz", codes: (200, 200, 200, 200, 200)),
        Route(method: "GET", path: "/readyz", codes: (200, 200, 200, 200, 200)),
        Route(method: "POST", path: "/healthz", codes: (405, 405, 405, 405, 405)),
        Route(method: "GET", path: "/status", codes: (200, 200, 200, 200, 200)),
        Route(method: "GET", path: "/diagnostics", codes: (401, 401, 200, 200, 401)),
        Route(method: "GET", path: "/metrics", fields: passedOn, codes: (401, 401, 200, 200, 401)),
        Route(method: "GET", path: "/openapi.json", fields: passedOn, codes: (401, 401, 200, 200, 401)),
        Route(method: "GET", path: "/nothing", codes: (404, 404, 404, 404, 404)),
        Route(method: "GET", path: "/.auth/me", codes: (401, 200, 200, 401, 401)),
        Route(method: "GET", path: "/.auth/refresh", codes: (401, 200, 200, 401, 401), expired: 200),
        Route(
            method: "POST", path: "/.auth/login/local", body: #"{"username":"ann","password":"wrong horse"}"#,
            codes: (401, 401, 401, 401, 401)),
        Route(
            method: "POST", path: "/login/local", body: #"{"username":"bob","password":"wrong horse"}"#,
            codes: (401, 401, 401, 401, 401)),
        Route(
            method: "PUT", path: "/push/installations/1", body: #"{"platform":"gcm","pushChannel":"x"}"#,
            codes: (204, 204, 204, 204, 401)),
        Route(method: "GET", path: "/tables", codes: (404, 404, 404, 404, 401)),
        Route(method: "GET", path: "/api/none", codes: (404, 404, 404, 404, 401)),
    ]

    private static let lines = [
        APICaller.keys.dropLast() + ", providers: { local: {} } }"
    ].map(String.init)

    @Test(arguments: TestDatabase.all)
    func `every route answers every caller as it should`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            // Of bob, who isn't there, each wrong password takes as long as of somebody who is.
            #expect(try await server.users.addUser("ann", passwordHash: LoginBrowser.hash))
            let client = try WireClient(port: server.port)
            for caller in try APICaller.all().filter(\.query.isEmpty) {
                for route in Self.routes {
                    let response = try client.exchange(
                        route.method, route.path, route.body, caller.fields + route.fields)
                    let name = "\(route.method) \(route.path) with \(caller.testDescription)"
                    #expect(response.code == route.code(for: caller), "\(name): \(response.text.prefix(100))")
                    guard response.code >= 400 else { continue }
                    #expect(response.text.contains(#""error":""#), "\(name)")
                    #expect(response["Cache-Control"]?.contains("no-store") == true, "\(name)")
                }
            }
        }
    }
}
