import Access
import Foundation
import Tables
import Testing
import WireTesting

/// Keys that are renewed, and tokens whose provider is there no more.
@Suite struct `A renewed signing key` {
    private static let old = String(repeating: "1f", count: 32)
    private static let new = String(repeating: "2e", count: 32)
    private static let azure = "urn:microsoft:windows-azure:zumo"

    private static func token(_ key: SigningKey, _ claims: [String: String] = [:]) throws -> String {
        try TokenMinter(key: key, issuer: azure, audience: azure).mint(
            user: "Google:77", claims: claims, lifetime: nil, now: 0, loggedInAt: 4_000_000_000_000)
    }

    @Test(arguments: TestDatabase.all)
    func `logs nobody out, and is what refreshed tokens are signed with`(on database: TestDatabase) async throws {
        // As the Node server took its secret: letters, which happen to be hexadecimal digits.
        let lines = ["auth: { signingKey: { hex: \(Self.new) }, oldSigningKeys: [ { text: \(Self.old) } ] }"]
        try await TestServer.with(on: database, lines: lines) { server in
            let client = try WireClient(port: server.port)
            func code(_ token: String, _ path: String = "/tables/guarded") throws -> Int {
                try client.exchange("GET", path, "", ["X-ZUMO-AUTH: \(token)"]).code
            }
            let (old, new) = (try SigningKey(Self.old, as: .text), try SigningKey(Self.new, as: .hex))
            #expect(try code(Self.token(old)) == 200)
            #expect(try code(Self.token(new)) == 200)
            #expect(try code(Self.token(SigningKey(Self.old, as: .hex))) == 401)
            let answer = try client.exchange(
                "GET", "/.auth/refresh", "", ["X-ZUMO-AUTH: \(try Self.token(old))"])
            let renewed = try #require(try answer.row["authenticationToken"]?.text)
            let verifier = TokenVerifier(signingKey: new, issuers: [Self.azure], audiences: [Self.azure])
            #expect(try verifier.verify(renewed, now: Int64(Date().timeIntervalSince1970)).id == "Google:77")
        }
    }

    /// Of `correct horse`, by a scrypt that costs nothing.
    private static let hash = "scrypt$2$1$1$AAAAAAAAAAAAAAAAAAAAAA$PQkVTyyHF9mCETQ-ge6tRpm4yd-InBk92ykpHodz_ds"

    /// The page of a login, as a browser has it.
    private struct Page: Sendable {
        let state: String
        let cookie: String

        init(_ client: WireClient) throws {
            let page = try client.exchange(
                "GET",
                "/.auth/login/local?post_login_redirect_url=myapp%3A%2F%2Feasyauth.callback&code_challenge_method=S256"
                    + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
            cookie = String(page["Set-Cookie"]?.prefix { $0 != ";" } ?? "")
            let marked = page.text.components(separatedBy: "name=\"state\" value=\"")
            state = String(try #require(marked.last).prefix { $0 != "\"" })
        }

        func code(_ client: WireClient) throws -> String {
            let state = state.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let done = try client.exchange(
                "POST", "/.auth/login/local", "username=ann&password=correct%20horse&state=\(state)",
                ["Content-Type: application/x-www-form-urlencoded", "Cookie: \(cookie)"])
            return done["Location"]?.components(separatedBy: "authorization_code=").last ?? ""
        }
    }

    @Test(arguments: TestDatabase.all)
    func `lets a login end that began by the old one`(on database: TestDatabase) async throws {
        let rest = "redirects: [ \"myapp://easyauth.callback\" ], providers: { local: }"
        let old = ["auth: { signingKey: \(Self.old), \(rest) }"]
        let (page, code) = try await TestServer.with(on: database, lines: old) { server in
            #expect(try await server.users.addUser("ann", passwordHash: Self.hash))
            let client = try WireClient(port: server.port)
            return (try Page(client), try Page(client).code(client))
        }
        let new = ["auth: { signingKey: \(Self.new), oldSigningKeys: [ \(Self.old) ], \(rest) }"]
        try await TestServer.with(on: database, lines: new) { server in
            #expect(try await server.users.addUser("ann", passwordHash: Self.hash))
            let client = try WireClient(port: server.port)
            // One had its code, the other stood before the page.
            for code in [code, try page.code(client)] {
                let session = try client.exchange(
                    "GET",
                    "/.auth/login/local/token?authorization_code=\(code)"
                        + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
                #expect(session.code == 200, "\(session.text)")
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `refreshes no token of a provider that left the configuration`(on database: TestDatabase) async throws {
        let lines = [
            "auth: { signingKey: \(Self.new), providers: { local: , aad: { keySet: none.json, issuer: i, audience: a } } }"
        ]
        try await TestServer.with(on: database, lines: lines) { server in
            let client = try WireClient(port: server.port)
            func refresh(_ claims: [String: String]) throws -> Int {
                let token = try Self.token(SigningKey(Self.new), claims)
                #expect(try client.exchange("GET", "/tables/guarded", "", ["X-ZUMO-AUTH: \(token)"]).code == 200)
                return try client.exchange("GET", "/.auth/refresh", "", ["X-ZUMO-AUTH: \(token)"]).code
            }
            #expect(try refresh([:]) == 200)
            for known in ["aad", "AAD", "windowsazureactivedirectory"] { #expect(try refresh(["idp": known]) == 200) }
            for gone in ["google", "facebook"] { #expect(try refresh(["idp": gone]) == 401, "\(gone)") }
        }
    }
}
