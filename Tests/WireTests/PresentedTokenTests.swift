import Testing
import TokenTesting
import WireTesting

/// What counts as a token of this server, and how a request without a good one is told.
@Suite struct `What a request shows` {
    private static let issuer = TestIssuer()
    private static let lines = [
        """
        auth:
          signingKey: \(TokenForge.secret)
          masterKey: \(TokenForge.masterKey)
          issuer: \(TokenForge.issuer)
          audience: \(TokenForge.audience)
          providers:
            google: { keySet: google.json, issuer: "https://g.example", audience: app }
        """
    ]

    private static func with(
        _ database: TestDatabase, _ body: @escaping @Sendable (WireClient) throws -> Void
    ) async throws {
        try await TestServer.with(on: database, lines: lines, files: ["google.json": issuer.keySet]) { server in
            try body(WireClient(port: server.port))
        }
    }

    private static let basic = "Authorization: Basic dXNlcjpwYXNz"

    @Test(arguments: TestDatabase.all)
    func `another scheme than Bearer and what is empty are no token`(on database: TestDatabase) async throws {
        try await Self.with(database) { client in
            let good = "X-ZUMO-AUTH: \(try TokenForge.token())"
            let bearer = "Authorization: Bearer \(try TokenForge.token())"
            let master = "X-ZUMO-MASTER: \(TokenForge.masterKey)"
            let nobody: [[String]] = [
                [], [Self.basic], ["Authorization: basic dXNlcjpwYXNz"],
                ["Authorization: Digest username=\"a\", uri=\"/\""],
                ["Authorization: Negotiate YII="], ["X-ZUMO-AUTH:"], ["X-ZUMO-AUTH: "], ["X-ZUMO-AUTH:", Self.basic],
                ["Authorization:"], ["Authorization: Bearer"], ["Authorization: bearer "],
            ]
            for fields in nobody {
                for version in ["ZUMO-API-VERSION: 2.0.0", "ZUMO-API-VERSION: 3.0.0"] {
                    let open = try client.exchange("GET", "/tables/todo", "", fields + [version])
                    #expect(open.code == 200, "\(fields)")
                    let closed = try client.exchange("GET", "/tables/guarded", "", fields + [version])
                    #expect(closed.code == 401 && closed["WWW-Authenticate"] == "Bearer", "\(fields)")
                    #expect(try closed.row["code"]?.text == "login-required", "\(fields)")
                }
                for path in ["/.auth/me", "/.auth/refresh"] {
                    let closed = try client.exchange("GET", path, "", fields)
                    #expect(closed.code == 401 && closed["WWW-Authenticate"] == "Bearer", "\(path) \(fields)")
                }
            }
            let somebody: [[String]] = [
                [good], [bearer], [good, Self.basic], [Self.basic, good], ["X-ZUMO-AUTH:", bearer],
                [master, Self.basic], [master, "X-ZUMO-AUTH:"],
            ]
            for fields in somebody {
                #expect(try client.exchange("GET", "/tables/guarded", "", fields).code == 200, "\(fields)")
                #expect(try client.exchange("POST", "/tables/todo", #"{"text":"x"}"#, fields).code == 201, "\(fields)")
            }
            #expect(try client.exchange("GET", "/.auth/refresh", "", ["X-ZUMO-AUTH:", bearer]).code == 200)
            #expect(try client.exchange("GET", "/.auth/refresh", "", [good, Self.basic]).code == 200)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `an app is told that its token has expired, and that it has to bring one`(on database: TestDatabase)
        async throws
    {
        try await Self.with(database) { client in
            let payload = TokenForge.goodPayload.replacing("4000000000", with: "1000000000")
            let expired = "X-ZUMO-AUTH: \(try TokenForge.token(TokenForge.goodHeader, payload))"
            let words = #"Bearer error="invalid_token", error_description="The token has expired""#
            for path in ["/tables/todo", "/tables/guarded", "/api/publicPermission", "/.auth/me", "/.auth/refresh"] {
                let answer = try client.exchange("GET", path, "", [expired])
                #expect(answer.code == 401 && answer["WWW-Authenticate"] == words, "\(path)")
                #expect(try answer.row["code"]?.text == "token-expired", "\(path)")
            }
            let forged = try client.exchange("GET", "/tables/todo", "", ["X-ZUMO-AUTH: a.b.c"])
            #expect(forged["WWW-Authenticate"] == #"Bearer error="invalid_token""#)
            // v1 has no word for it in the body.
            let old = try client.exchange("GET", "/tables/todo", "", [expired, "ZUMO-API-VERSION: 1.0.0"])
            #expect(old.code == 401 && old["WWW-Authenticate"] != nil)

            let claims = #""iss":"https://g.example","aud":"app","sub":"1","exp":1000000000"#
            let token = try Self.issuer.token(claims)
            for body in [
                #"{"id_token":"\#(token)"}"#, #"{"id_token":"\#(token)","access_token":"opaque"}"#,
                #"{"access_token":"opaque","authenticationToken":"\#(token)"}"#,
            ] {
                let answer = try client.exchange("POST", "/.auth/login/google", body)
                #expect(answer.code == 401 && answer["WWW-Authenticate"] == words, "\(body)")
                #expect(try answer.row["code"]?.text == "token-expired")
                #expect(try answer.row["error"]?.text == "The provider's token has expired.")
            }
            for path in ["/metrics", "/openapi.json"] {
                let answer = try client.exchange("GET", path, "", ["X-Forwarded-For: 192.0.2.1"])
                #expect(answer.code != 401 || answer["WWW-Authenticate"] == "Bearer", "\(path)")
            }
        }
    }
}
