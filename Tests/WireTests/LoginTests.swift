import Access
import Foundation
import JSONText
import Tables
import Testing
import TokenTesting
import WireTesting

/// One after the other: each check of a password is meant to be work.
@Suite(.serialized) struct `Logging in` {
    private static let issuer = TestIssuer()
    private static let lines = [
        "auth:",
        "  signingKey: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        "  redirects: [ \"myapp://easyauth.callback\", \"https://app.example/*\" ]",
        "  providers:",
        "    local:",
        "    google: { keySet: google.json, issuer: \"https://g.example\", audience: app-1, "
            + "authorizeUrl: \"https://g.example/auth\" }",
        "    facebook: { keySet: google.json, issuer: \"https://f.example\", audience: app-2 }",
    ]
    private static let password = "correct horse"
    /// Made once: it takes its time.
    private static let hash = Result { try PasswordHash(of: password).text }
    private static let goodClaims = #""iss":"https://g.example","aud":"app-1","sub":"77","exp":4000000000"#

    private static func with(
        _ database: TestDatabase, _ body: @Sendable (WireClient, TestServer) async throws -> Void
    ) async throws {
        try await TestServer.with(on: database, lines: lines, files: ["google.json": issuer.keySet]) { server in
            let passwordHash = try hash.get()
            #expect(try await server.users.addUser("ann", passwordHash: passwordHash))
            try await body(try WireClient(port: server.port), server)
        }
    }

    private static func form(_ members: [(String, String)]) -> String {
        members.map { name, value in
            "\(name)=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        }.joined(separator: "&")
    }

    private static let formType = "Content-Type: application/x-www-form-urlencoded"

    /// Opens a login page.
    /// - Returns: the sealed state in it and the cookie that came along.
    private static func page(_ client: WireClient, _ target: String) throws -> (state: String, cookie: String) {
        let page = try client.exchange("GET", target)
        let cookie = try #require(page["Set-Cookie"]?.split(separator: ";").first)
        let marked = page.text.components(separatedBy: "name=\"state\" value=\"")
        let state = marked.count > 1 ? String(marked[1].prefix { $0 != "\"" }) : ""
        return (state, "Cookie: \(cookie)")
    }

    private static func logIn(
        _ client: WireClient, _ query: String, password: String = password
    ) throws -> WireResponse {
        let (state, cookie) = try page(client, "/.auth/login/local\(query)")
        let body = form([("state", state), ("username", "ann"), ("password", password)])
        return try client.exchange("POST", "/.auth/login/local", body, [formType, cookie])
    }

    private static func user(in location: String?) throws -> String? {
        let text = try #require(location?.components(separatedBy: "#token=").last?.removingPercentEncoding)
        return try JSONReader.parse(Array(text.utf8)).row["user"]?.row["userId"]?.text
    }

    @Test(arguments: TestDatabase.all)
    func `a name and a password give a token that opens tables`(on database: TestDatabase) async throws {
        try await Self.with(database) { client, _ in
            let answer = try client.exchange(
                "POST", "/.auth/login/local", #"{"username":"ann","password":"\#(Self.password)"}"#)
            #expect(answer.code == 200)
            let object = try answer.row
            #expect(object["user"]?.row["userId"]?.text == "Local:ann")
            let token = try #require(object["authenticationToken"]?.text)
            let me = try client.exchange("GET", "/.auth/me", "", ["X-ZUMO-AUTH: \(token)"])
            #expect(me.code == 200)
            #expect(me.text.hasPrefix(#"[{"provider_name":"local","user_id":"Local:ann","user_claims":[{"typ":"aud""#))
            #expect(
                try client.exchange("GET", "/.auth/me?provider=local", "", ["X-ZUMO-AUTH: \(token)"]).text.hasPrefix(
                    "{\"p"))
            #expect(try client.exchange("GET", "/.auth/me?provider=google", "", ["X-ZUMO-AUTH: \(token)"]).text == "{}")
            #expect(try client.exchange("GET", "/tables/todo", "", ["X-ZUMO-AUTH: \(token)"]).code == 200)
        }
    }

    struct Refused: Sendable {
        let path: String
        let body: String
        let code: Int
        let error: String

        static let all = [
            Refused(
                path: "/.auth/login/local", body: #"{"username":"ann","password":"wrong horse"}"#, code: 401,
                error: "The user name or the password is wrong."),
            Refused(
                path: "/.auth/login/local", body: #"{"username":"bob","password":"correct horse"}"#, code: 401,
                error: "The user name or the password is wrong."),
            Refused(
                path: "/login/google", body: #"{"authenticationToken":"a.b.c"}"#, code: 401,
                error: "Error: The provider's token is not valid."),
            Refused(
                path: "/.auth/login/local", body: #"{"username":"ann"}"#, code: 400,
                error: "The body is not what a login needs: a JSON object with the provider's token."),
            Refused(
                path: "/.auth/login/google", body: #"{"id_token":"a.b.c"}"#, code: 401,
                error: "The provider's token is not valid."),
            Refused(
                path: "/.auth/login/google", body: "{}", code: 401, error: "The provider's token is not valid."),
            Refused(
                path: "/.auth/login/yahoo", body: "{}", code: 404,
                error: "There is no login provider named 'yahoo'."),
        ]
    }

    @Test(arguments: Refused.all, TestDatabase.all)
    func `what proves nothing gives no token`(_ refused: Refused, on database: TestDatabase) async throws {
        try await Self.with(database) { client, _ in
            let answer = try client.exchange("POST", refused.path, refused.body)
            #expect(answer.code == refused.code)
            #expect(try answer.row["error"]?.text == refused.error)
            #expect(!answer.text.contains("authenticationToken"))
        }
    }

    @Test(arguments: ["/.auth/login/google", "/login/google", "/.AUTH/Login/Google"])
    func `a provider's token is exchanged for the server's own`(_ path: String) async throws {
        try await Self.with(.sqlite) { client, _ in
            for name in ["id_token", "access_token", "authenticationToken"] {
                let body = #"{"\#(name)":"\#(try Self.issuer.token(Self.goodClaims))"}"#
                let answer = try client.exchange("POST", path, body)
                #expect(answer.code == 200)
                #expect(try answer.row["user"]?.row["userId"]?.text == "Google:77")
            }
        }
    }

    @Test(arguments: [
        #""iss":"https://g.example","aud":"app-2","sub":"77","exp":4000000000"#,
        #""iss":"https://f.example","aud":"app-1","sub":"77","exp":4000000000"#,
        #""iss":"https://g.example","aud":"app-1","sub":"77","exp":1000000000"#,
        #""iss":"https://g.example","aud":"app-1","sub":"","exp":4000000000"#,
        #""iss":"https://g.example","aud":"app-1","sub":"77""#,
        #""iss":"https://g.example","aud":"app-2","azp":"app-1","sub":"77","exp":4000000000"#,
    ])
    func `a provider's token for another app, of another issuer or of the past is refused`(_ claims: String)
        async throws
    {
        try await Self.with(.sqlite) { client, _ in
            let body = #"{"id_token":"\#(try Self.issuer.token(claims))"}"#
            #expect(try client.exchange("POST", "/.auth/login/google", body).code == 401)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `the page ends where web views look for the token`(on database: TestDatabase) async throws {
        try await Self.with(database) { client, _ in
            let answer = try Self.logIn(client, "?session_mode=token")
            #expect(answer.code == 302)
            let location = try #require(answer["Location"])
            #expect(location.hasPrefix("http://localhost/.auth/login/done#token=%7B%22user%22"))
            #expect(try Self.user(in: location) == "Local:ann")
            #expect(try client.exchange("GET", "/.auth/login/done").code == 200)

            let wrong = try Self.logIn(client, "", password: "wrong horse")
            #expect(wrong.code == 401)
            #expect(wrong.text.contains("The user name or the password is wrong."))
            #expect(wrong["Content-Type"] == "text/html; charset=utf-8")
        }
    }

    @Test func `a form counts only with the state and the cookie of one page`() async throws {
        try await Self.with(.sqlite) { client, _ in
            let first = try Self.page(client, "/.auth/login/local")
            let second = try Self.page(client, "/.auth/login/local")
            func post(_ state: String, _ cookie: String, to path: String = "/.auth/login/local") throws -> Int {
                let body = Self.form([("state", state), ("username", "ann"), ("password", Self.password)])
                return try client.exchange("POST", path, body, [Self.formType, cookie]).code
            }
            #expect(try post(first.state, second.cookie) == 400)
            #expect(try post(first.state, "Cookie: other=1") == 400)
            #expect(try post("", first.cookie) == 400)
            let other = first.state.last == "A" ? "B" : "A"
            #expect(try post(String(first.state.dropLast()) + other, first.cookie) == 400)
            #expect(try post(first.state, "Cookie: a=b; \(first.cookie.dropFirst(8)); c=d") == 302)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `an app of its own gets a code and exchanges it once, with its verifier`(on database: TestDatabase)
        async throws
    {
        try await Self.with(database) { client, _ in
            let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
            let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
            let query =
                "?post_login_redirect_url=myapp%3A%2F%2Feasyauth.callback&code_challenge=\(challenge)"
                + "&code_challenge_method=S256&session_mode=token"
            let location = try #require(try Self.logIn(client, query)["Location"])
            #expect(location.hasPrefix("myapp://easyauth.callback#authorization_code="))
            let code = String(location.components(separatedBy: "=").last ?? "")
            func exchange(_ code: String, _ verifier: String) throws -> WireResponse {
                try client.exchange(
                    "GET", "/.auth/login/local/token?authorization_code=\(code)&code_verifier=\(verifier)")
            }
            #expect(try exchange(code, String(verifier.reversed())).code == 401)
            #expect(try exchange(String(code.dropLast(2)) + "AA", verifier).code == 401)
            #expect(try exchange("", "").code == 401)
            let session = try exchange(code, verifier)
            #expect(session.code == 200)
            #expect(try session.row["user"]?.row["userId"]?.text == "Local:ann")
            #expect(try exchange(code, verifier).code == 401)
            // The code that passed through the browser holds no token.
            let seen = Data(base64Encoded: Self.padded(String(code.prefix { $0 != "." }))) ?? Data()
            #expect(!seen.isEmpty)
            #expect(!String(decoding: seen, as: UTF8.self).contains("eyJ"))
        }
    }

    private static func padded(_ text: String) -> String {
        text.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    @Test(arguments: [
        "?post_login_redirect_url=https%3A%2F%2Fevil.example",
        "?post_login_redirect_url=myapp%3A%2F%2Feasyauth.callback.evil",
        "?post_login_redirect_url=myapp%3A%2F%2Feasyauth.callback&code_challenge=abc&code_challenge_method=plain",
        "?completion_type=postMessage&completion_origin=https%3A%2F%2Fevil.example",
        "?completion_type=postMessage", "?completion_type=alert&completion_origin=http%3A%2F%2Flocalhost",
    ])
    func `nobody but the configured apps is handed a token`(_ query: String) async throws {
        try await Self.with(.sqlite) { client, _ in
            for provider in ["local", "google"] {
                let answer = try client.exchange("GET", "/.auth/login/\(provider)\(query)")
                #expect(answer.code == 400)
            }
        }
    }

    @Test func `a provider's page is asked for a token in a form, which counts for the browser that asked`()
        async throws
    {
        try await Self.with(.sqlite) { client, _ in
            let start = try client.exchange("GET", "/.auth/login/google")
            #expect(start.code == 302)
            let url = try #require(URLComponents(string: start["Location"] ?? ""))
            let members = Dictionary(
                (url.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
            #expect(url.host == "g.example")
            #expect(members["client_id"] == "app-1")
            #expect(members["response_mode"] == "form_post")
            #expect(members["redirect_uri"] == "http://localhost/.auth/login/google/callback")
            let nonce = try #require(members["nonce"])
            let state = try #require(members["state"])
            let cookie = "Cookie: " + (start["Set-Cookie"]?.prefix { $0 != ";" } ?? "")
            func post(_ claims: String, _ cookie: String) throws -> WireResponse {
                let body = Self.form([("state", state), ("id_token", try Self.issuer.token(claims))])
                return try client.exchange("POST", "/.auth/login/google/callback", body, [Self.formType, cookie])
            }
            #expect(try post(Self.goodClaims, cookie).code == 400)
            #expect(try post(Self.goodClaims + #","nonce":"\#(nonce)""#, "Cookie: zumod-login=1").code == 400)
            let done = try post(Self.goodClaims + #","nonce":"\#(nonce)""#, cookie)
            #expect(done.code == 302)
            #expect(try Self.user(in: done["Location"]) == "Google:77")
            #expect(try client.exchange("GET", "/.auth/login/facebook").code == 400)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a token is refreshed until three days after its end, while its user is there`(on database: TestDatabase)
        async throws
    {
        let minter = TokenMinter(
            key: try SigningKey("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"),
            issuer: "urn:microsoft:windows-azure:zumo", audience: "urn:microsoft:windows-azure:zumo")
        let now = Int64(Date().timeIntervalSince1970)
        func token(ended hours: Int64, user: String = "Local:ann") throws -> String {
            try minter.mint(
                user: user, claims: ["idp": "local", "team": "red"], lifetime: .seconds(60),
                now: now - hours * 3_600 - 60, loggedInAt: (now + 3_600) * 1_000)
        }
        let tokens = (try token(ended: -1), try token(ended: 71), try token(ended: 73))
        try await Self.with(database) { client, server in
            func refresh(_ token: String) throws -> WireResponse {
                try client.exchange("GET", "/.auth/refresh", "", ["X-ZUMO-AUTH: \(token)"])
            }
            let renewed = try refresh(tokens.1)
            #expect(renewed.code == 200)
            let text = try #require(try renewed.row["authenticationToken"]?.text)
            #expect(try client.exchange("GET", "/.auth/me", "", ["X-ZUMO-AUTH: \(text)"]).text.contains("red"))
            #expect(try client.exchange("GET", "/.auth/me", "", ["X-ZUMO-AUTH: \(tokens.1)"]).code == 401)
            #expect(try refresh(tokens.2).code == 401)
            #expect(try refresh(text + "x").code == 401)
            #expect(try client.exchange("GET", "/.auth/refresh").code == 401)
            #expect(try await server.users.removeUser("ann"))
            // What the database says is believed for a second.
            try await Patience.eventually { try refresh(text).code == 401 }
            #expect(try refresh(text).code == 401)
        }
    }

    /// A hash of the password that costs nothing, for tests of how often it is compared.
    private static let cheapHash = "scrypt$2$1$1$AAAAAAAAAAAAAAAAAAAAAA$PQkVTyyHF9mCETQ-ge6tRpm4yd-InBk92ykpHodz_ds"

    private static func answer(
        _ client: WireClient, _ name: String, _ password: String, from address: String
    ) throws -> WireResponse {
        let body = #"{"username":"\#(name)","password":"\#(password)"}"#
        return try client.exchange("POST", "/.auth/login/local", body, ["X-Forwarded-For: \(address)"])
    }

    @Test func `too many attempts for one user have to wait`() async throws {
        try await Self.with(.sqlite) { client, server in
            #expect(try await server.users.addUser("eve", passwordHash: Self.cheapHash))
            let codes = try SpentAttempts.statuses(of: 10, oneForgivenEach: .seconds(6)) { _ in
                try Self.answer(client, "eve", "wrong horse", from: "192.0.2.1").code
            }
            #expect(codes.last == 429)
            #expect(codes.dropLast().allSatisfy { $0 == 401 })
            // A busy machine may be about to forgive one, which the right password is not to have.
            try await SpentAttempts.untilNoneIsNear(within: 4) {
                try Self.answer(client, "eve", "wrong horse", from: "192.0.2.1")
            }
            // Neither does that keep the user out elsewhere, nor from there once it has been the user's.
            #expect(try Self.answer(client, "eve", Self.password, from: "192.0.2.1").code == 429)
            #expect(try Self.answer(client, "eve", Self.password, from: "192.0.2.2").code == 200)
            for _ in 0..<12 { _ = try Self.answer(client, "eve", "wrong horse", from: "192.0.2.2") }
            #expect(try Self.answer(client, "eve", Self.password, from: "192.0.2.2").code == 200)
        }
    }

    @Test func `what no user can have for a name or a password is refused and not counted`() async throws {
        try await Self.with(.sqlite) { client, server in
            #expect(try await server.users.addUser("eve", passwordHash: Self.cheapHash))
            let long = String(repeating: "a", count: 300)
            for _ in 0..<50 {
                #expect(try Self.answer(client, "eve", long, from: "192.0.2.1").code == 401)
                #expect(try Self.answer(client, long, "wrong horse", from: "192.0.2.1").code == 401)
            }
            let right = try Self.answer(client, "eve", Self.password, from: "192.0.2.1").code
            #expect(right == 200)
        }
    }

    @Test(arguments: ["/.auth/login/local", "/login/local"])
    func `the page that opened the login is told in JSON text`(_ path: String) async throws {
        try await Self.with(.sqlite) { client, _ in
            let query = "?completion_type=postMessage&completion_origin=http%3A%2F%2Flocalhost%3A3000"
            let (state, cookie) = try Self.page(client, path + query)
            let body = Self.form([("state", state), ("username", "ann"), ("password", Self.password)])
            let page = try client.exchange("POST", path, body, [Self.formType, cookie]).text
            let argument = try #require(page.components(separatedBy: "window.opener.postMessage(").last)
            let parts = argument.components(separatedBy: #","http://localhost:3000");"#)
            #expect(parts.count == 2)
            guard case .string(let text) = try JSONReader.parse(Array(parts[0].utf8)) else {
                Issue.record("\(parts[0])")
                return
            }
            let message = try JSONReader.parse(Array(text.utf8)).row
            #expect(message["type"]?.text == "LoginCompleted")
            #expect(message["oauth"]?.row["user"]?.row["userId"]?.text == "Local:ann")
        }
    }

    struct Route: Sendable {
        let method: String
        let path: String
        let code: Int

        static let all = [
            Route(method: "GET", path: "/.auth", code: 404), Route(method: "GET", path: "/.auth/you", code: 404),
            Route(method: "GET", path: "/login", code: 404), Route(method: "PUT", path: "/.auth/me", code: 405),
            Route(method: "DELETE", path: "/.auth/login/local", code: 405),
            Route(method: "GET", path: "/.auth/login/local/callback", code: 405),
            Route(method: "POST", path: "/.auth/login/local/callback", code: 404),
            Route(method: "GET", path: "/.auth/login/local/other", code: 404),
            Route(method: "GET", path: "/.auth/me", code: 401), Route(method: "GET", path: "/.auth/logout", code: 200),
            Route(
                method: "GET", path: "/.auth/logout?post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye",
                code: 302),
            Route(
                method: "GET", path: "/.auth/logout?post_logout_redirect_uri=https%3A%2F%2Fevil.example%2Fbye",
                code: 200),
            Route(method: "GET", path: "/login/done", code: 200),
        ]
    }

    @Test func `every route has its methods`() async throws {
        try await Self.with(.sqlite) { client, _ in
            for route in Route.all {
                let answer = try client.exchange(route.method, route.path)
                #expect(answer.code == route.code, "\(route.method) \(route.path)")
            }
        }
    }
}
