import Foundation
import JSONText
import Testing
import TokenTesting
import WireTesting

/// The recipes of the page of logins, each served as it stands there and asked with a token in the provider's form.
@Suite struct `Logging in by each provider` {
    private static func with(
        _ form: ProviderForm, on database: TestDatabase, more: [String] = [],
        _ body: @escaping @Sendable (WireClient, ProviderRecipe) throws -> Void
    ) async throws {
        let recipe = try #require(try ProviderRecipe.all().first { $0.title == form.title })
        let lines =
            ["auth:", "  signingKey: \(String(repeating: "1f", count: 32))"] + more
            + ["  providers:", recipe.lines.replacing("keys/", with: "")]
        let files = ["\(recipe.name).json": form.keySet]
        try await TestServer.with(on: database, lines: lines, files: files) { server in
            try body(WireClient(port: server.port), recipe)
        }
    }

    /// The claims that `/.auth/me` tells, `type=value` each.
    private static func claims(_ client: WireClient, _ token: String, of provider: String) throws -> [String] {
        let answer = try client.exchange("GET", "/.auth/me?provider=\(provider)", "", ["X-ZUMO-AUTH: \(token)"])
        guard case .array(let claims)? = try answer.row["user_claims"] else { return [] }
        return claims.map { "\($0.row["typ"]?.text ?? "")=\($0.row["val"]?.text ?? "")" }
    }

    private static let soap = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"

    @Test(arguments: ProviderForm.all, TestDatabase.all)
    func `gives a token by the recipe, and tells what the provider told`(
        _ form: ProviderForm, on database: TestDatabase
    )
        async throws
    {
        try await Self.with(form, on: database) { client, recipe in
            func logIn(_ changes: [String: String] = [:]) throws -> WireResponse {
                let body = #"{"id_token":"\#(try form.token(changes))"}"#
                return try client.exchange("POST", "/.auth/login/\(recipe.name)", body)
            }
            let answer = try logIn()
            #expect(answer.code == 200, "\(answer.text)")
            let label = recipe.name == "microsoftaccount" ? "MicrosoftAccount" : recipe.name.capitalized
            let claim = recipe.lines.contains("userClaim: oid") ? "oid" : "sub"
            let person = form.claims.first { $0.name == claim }?.json.filter { $0 != "\"" } ?? ""
            #expect(try answer.row["user"]?.row["userId"]?.text == "\(label):\(person)")
            let token = try #require(try answer.row["authenticationToken"]?.text)
            let renewed = try client.exchange("GET", "/.auth/refresh", "", ["X-ZUMO-AUTH: \(token)"])
            for token in [token, try #require(try renewed.row["authenticationToken"]?.text)] {
                #expect(try client.exchange("GET", "/tables/guarded", "", ["X-ZUMO-AUTH: \(token)"]).code == 200)
                let told = try Self.claims(client, token, of: recipe.name)
                for (name, json) in form.claims where ["email", "name", "picture", "oid"].contains(name) {
                    #expect(told.contains("\(name)=\(json.filter { $0 != "\"" })"), "\(told)")
                }
                if let mail = form.claims.first(where: { $0.name == "email" })?.json.filter({ $0 != "\"" }) {
                    #expect(told.contains("\(Self.soap)emailaddress=\(mail)"), "\(told)")
                }
                // A role there is none here.
                let page = try client.exchange(
                    "GET", "/openapi.json", "", ["X-ZUMO-AUTH: \(token)", "X-Forwarded-For: 192.0.2.1"])
                #expect(page.code == 401)
                guard form.claims.contains(where: { $0.name == "roles" }) else { continue }
                for role in ["Survey.Create", "admin"] {
                    #expect(told.contains("roles=\(role)"), "\(told)")
                    #expect(told.contains("http://schemas.microsoft.com/ws/2008/06/identity/claims/role=\(role)"))
                }
            }
            for changes in [["aud": #""other""#], ["iss": #""https://evil.example""#], ["exp": "1000"]] {
                let refused = try logIn(changes)
                #expect(refused.code == 401, "\(changes)")
                #expect(try refused.row["code"]?.text == (changes["exp"] == nil ? "token-invalid" : "token-expired"))
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `tells it to an app that exchanges a code too, and hides it on the way`(on database: TestDatabase) async throws
    {
        let form = try #require(ProviderForm.all.first { $0.title == "Google" })
        let more = ["  redirects: [ \"myapp://easyauth.callback\" ]"]
        try await Self.with(form, on: database, more: more) { client, _ in
            let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
            let start = try client.exchange(
                "GET",
                "/.auth/login/google?post_login_redirect_url=myapp%3A%2F%2Feasyauth.callback"
                    + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
            let url = try #require(URLComponents(string: start["Location"] ?? ""))
            func member(_ name: String) -> String { url.queryItems?.first { $0.name == name }?.value ?? "" }
            #expect(member("client_id") == "407-web.apps.googleusercontent.com")
            let token = try form.token(["nonce": "\"\(member("nonce"))\""])
            let state = member("state").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let done = try client.exchange(
                "POST", "/.auth/login/google/callback", "state=\(state)&id_token=\(token)",
                [
                    "Content-Type: application/x-www-form-urlencoded",
                    "Cookie: \(start["Set-Cookie"]?.prefix { $0 != ";" } ?? "")",
                ])
            let code = try #require(done["Location"]?.components(separatedBy: "authorization_code=").last)
            let text = String(code.prefix { $0 != "." }).replacing("-", with: "+").replacing("_", with: "/")
            let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
            let seen = String(decoding: Data(base64Encoded: padded) ?? Data(), as: UTF8.self)
            #expect(seen.contains("Google:110169484474386276334") && !seen.contains("ann@example.com"))
            let session = try client.exchange(
                "GET", "/.auth/login/google/token?authorization_code=\(code)&code_verifier=\(verifier)")
            let own = try #require(try session.row["authenticationToken"]?.text)
            #expect(try Self.claims(client, own, of: "google").contains("\(Self.soap)emailaddress=ann@example.com"))
        }
    }
}
