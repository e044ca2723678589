import Foundation
import JSONText
import Tables
import Testing
import TokenTesting
import WireTesting

@Suite struct `Logging in by the system's browser` {
    private static let issuer = TestIssuer()
    private static let lines = [
        "auth:", "  signingKey: \(LoginBrowser.key)",
        "  redirects: [ \"ZumoE2ETest://easyauth.callback\", \"http://127.0.0.1/back\" ]",
        "  providers:", "    local:",
        "    google: { keySet: google.json, issuer: \"https://g.example\", audience: app-1, "
            + "authorizeUrl: \"https://g.example/auth\" }",
    ]

    /// What a library sends, byte for byte, when it logs in with `LoginAsync`, `login` or `loginWithProvider` and a scheme.
    struct Library: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Of the address at which it opens the browser.
        let query: String
        /// The address at which the system opens the app again, but for the code.
        let callback: String
        /// Of the address at which it asks for the token, where CODE stands for the code.
        let exchange: String

        static let all = [
            Library(
                testDescription: ".NET",
                query:
                    "post_login_redirect_url=zumoe2etest%3A%2F%2Feasyauth.callback%2F"
                    + "&code_challenge=yrO2Y%2B9DN6anHkVspwhR%2F7Oa%2BlOCbXSmVZk4edXgUQg%3D"
                    + "&code_challenge_method=S256&session_mode=token",
                callback: "zumoe2etest://easyauth.callback/#authorization_code=",
                exchange: "authorization_code=CODE&code_verifier=mDzB7pDjVi1TvygR%2BgOFNj4YdSz4ATPAsOPdmEz%2Fp%2BY%3D"),
            Library(
                testDescription: "iOS",
                query:
                    "code_challenge=yrO2Y%2B9DN6anHkVspwhR%2F7Oa%2BlOCbXSmVZk4edXgUQg%3D"
                    + "&post_login_redirect_url=ZumoE2ETest%3A%2F%2Feasyauth.callback&code_challenge_method=S256"
                    + "&session_mode=token",
                callback: "ZumoE2ETest://easyauth.callback#authorization_code=",
                exchange: "authorization_code=CODE&code_verifier=mDzB7pDjVi1TvygR%2BgOFNj4YdSz4ATPAsOPdmEz%2Fp%2BY%3D"),
            Library(
                testDescription: "Android",
                query:
                    "post_login_redirect_url=zumoe2etest%3A%2F%2Feasyauth.callback"
                    + "&code_challenge_method=S256"
                    + "&code_challenge=yrO2Y%2B9DN6anHkVspwhR%2F7Oa%2BlOCbXSmVZk4edXgUQg%3D&session_mode=token",
                callback: "zumoe2etest://easyauth.callback#authorization_code=",
                exchange: "code_verifier=mDzB7pDjVi1TvygR%2BgOFNj4YdSz4ATPAsOPdmEz%2Fp%2BY%3D&authorization_code=CODE"),
            Library(
                testDescription: "one that leaves the plus as it is",
                query:
                    "post_login_redirect_url=zumoe2etest://easyauth.callback"
                    + "&code_challenge_method=S256&code_challenge=yrO2Y+9DN6anHkVspwhR/7Oa+lOCbXSmVZk4edXgUQg=",
                callback: "zumoe2etest://easyauth.callback#authorization_code=",
                exchange: "code_verifier=mDzB7pDjVi1TvygR+gOFNj4YdSz4ATPAsOPdmEz/p+Y=&authorization_code=CODE"),
            Library(
                testDescription: "a desktop app by the standards",
                query:
                    "post_login_redirect_uri=http%3A%2F%2F127.0.0.1%3A51004%2Fback"
                    + "&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                callback: "http://127.0.0.1:51004/back#authorization_code=",
                exchange: "authorization_code=CODE&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
        ]
    }

    private static func with(
        _ database: TestDatabase, _ body: @Sendable (WireClient) async throws -> Void
    ) async throws {
        try await TestServer.with(on: database, lines: lines, files: ["google.json": issuer.keySet]) { server in
            #expect(try await server.users.addUser("ann", passwordHash: LoginBrowser.hash))
            try await body(try WireClient(port: server.port))
        }
    }

    /// Exchanges the code that a response sends to the app with, as the libraries do: all that follows `authorization_code=`.
    private static func exchange(
        _ client: WireClient, _ back: WireResponse, _ library: Library, by provider: String
    ) throws -> WireResponse {
        let location = try #require(back["Location"])
        #expect(location.hasPrefix(library.callback))
        let code = try #require(location.components(separatedBy: "#authorization_code=").last)
        // None of them encodes it, or each in its own way.
        #expect(code.utf8.allSatisfy { $0 == 0x2E || $0 == 0x2D || $0 == 0x5F || ($0 >= 0x30 && $0 <= 0x7A) })
        return try client.exchange(
            "GET", "/.auth/login/\(provider)/token?" + library.exchange.replacing("CODE", with: code))
    }

    @Test(arguments: Library.all, TestDatabase.all)
    func `each library gets its token`(_ library: Library, on database: TestDatabase) async throws {
        try await Self.with(database) { client in
            var browser = LoginBrowser(client)
            let back = try browser.logIn("/.auth/login/local?\(library.query)")
            #expect(back.code == 302)
            let answer = try Self.exchange(client, back, library, by: "local")
            #expect(answer.code == 200)
            #expect(try answer.row["user"]?.row["userId"]?.text == "Local:ann")
            let token = try #require(try answer.row["authenticationToken"]?.text)
            #expect(try client.exchange("GET", "/tables/todo", "", ["X-ZUMO-AUTH: \(token)"]).code == 200)
            // iOS waits on where it is told 400.
            #expect(try Self.exchange(client, back, library, by: "local").code == 401)
        }
    }

    @Test(arguments: Library.all) func `each library gets its token by a provider's page`(_ library: Library)
        async throws
    {
        try await Self.with(.sqlite) { client in
            var browser = LoginBrowser(client)
            let page = try browser.open("/.auth/login/google?\(library.query)")
            let nonce = try #require(LoginBrowser.member("nonce", of: page))
            let state = try #require(LoginBrowser.member("state", of: page))
            let token = try Self.issuer.token(
                #""iss":"https://g.example","aud":"app-1","sub":"77","exp":4000000000,"nonce":"\#(nonce)""#)
            let back = try browser.submit(
                [("state", state), ("id_token", token)], to: "/.auth/login/google/callback")
            #expect(back.code == 302)
            let answer = try Self.exchange(client, back, library, by: "google")
            #expect(try answer.row["user"]?.row["userId"]?.text == "Google:77")
        }
    }

    @Test func `a challenge that is none is refused`() async throws {
        try await Self.with(.sqlite) { client in
            let redirect = "post_login_redirect_url=zumoe2etest%3A%2F%2Feasyauth.callback"
            let good = "yrO2Y%2B9DN6anHkVspwhR%2F7Oa%2BlOCbXSmVZk4edXgUQg%3D"
            for query in [
                "&code_challenge=\(good)", "&code_challenge=\(good)&code_challenge_method=plain",
                "&code_challenge_method=S256", "&code_challenge=&code_challenge_method=S256",
                "&code_challenge=\(good)%3D&code_challenge_method=S256",
                "&code_challenge=\(good.dropLast(6))&code_challenge_method=S256",
            ] {
                let answer = try client.exchange("GET", "/.auth/login/local?\(redirect)\(query)")
                #expect(answer.code == 400, "\(query)")
            }
        }
    }
}
