import Foundation
import HTTPModel
import JSONText
import Scalars
import Synchronization
import Tables
import Testing
import TokenTesting
import WireTesting

/// What people and apps learn of a login that came to nothing.
@Suite struct `A login that fails` {
    private static let issuer = TestIssuer()
    private static let lines = [
        "auth:", "  signingKey: \(LoginBrowser.key)", "  redirects: [ \"myapp://easyauth.callback\" ]",
        "  providers:", "    local:",
        "    google: { keySet: google.json, issuer: \"https://g.example\", audience: app-1, "
            + "authorizeUrl: \"https://g.example/auth\" }",
        "    apple: { keySet: google.json, issuer: \"https://a.example\", audience: app-1, "
            + "authorizeUrl: \"https://a.example/auth\" }",
        "cors: { origins: [ \"http://localhost:3000\" ] }",
    ]
    private static let code =
        "?post_login_redirect_url=myapp%3A%2F%2Feasyauth.callback"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
    private static let message = "?completion_type=postMessage&completion_origin=http%3A%2F%2Flocalhost%3A3000"

    private static func with(
        clock: @escaping Clock = SystemClock.now, _ body: @Sendable (WireClient) async throws -> Void
    ) async throws {
        let files = ["google.json": issuer.keySet]
        try await TestServer.with(on: .sqlite, lines: lines, files: files, clock: clock) { server in
            #expect(try await server.users.addUser("ann", passwordHash: LoginBrowser.hash))
            try await body(try WireClient(port: server.port))
        }
    }

    /// What a provider posts of a user whom it lets in.
    private static func token(for page: WireResponse, by issuerName: String = "g") throws -> [(String, String)] {
        let nonce = try #require(LoginBrowser.member("nonce", of: page))
        let token = try issuer.token(
            #""iss":"https://\#(issuerName).example","aud":"app-1","sub":"77","exp":4000000000,"nonce":"\#(nonce)""#)
        return [("state", try #require(LoginBrowser.member("state", of: page))), ("id_token", token)]
    }

    struct Ending: Sendable {
        let query: String
        /// Where the browser goes; nil where the page itself tells the app.
        let address: String?

        static let all = [
            Ending(query: "", address: "http://localhost/.auth/login/done#error="),
            Ending(
                query: "?post_login_redirect_url=myapp%3A%2F%2Feasyauth.callback",
                address: "myapp://easyauth.callback#error="),
            Ending(query: code, address: "myapp://easyauth.callback#error="), Ending(query: message, address: nil),
        ]
    }

    private static func expectTold(_ answer: WireResponse, _ words: String, _ ending: Ending) {
        if let address = ending.address {
            #expect(answer.code == 302)
            #expect(
                answer["Location"] == address
                    + (words.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? ""))
        } else {
            #expect(answer.code == 200)
            #expect(answer.text.contains(#"\"type\":\"LoginCompleted\",\"error\":\"\#(words)\""#))
            #expect(answer.text.contains(#","http://localhost:3000");"#))
            #expect(!answer.text.contains("You are logged in"))
        }
    }

    @Test(arguments: Ending.all, ["GET", "POST"])
    func `at the provider tells the app at once`(_ ending: Ending, _ method: String) async throws {
        try await Self.with { client in
            var browser = LoginBrowser(client)
            for (word, words) in [
                ("access_denied", "The login was cancelled."), ("user_cancelled_authorize", "The login was cancelled."),
                ("server_error", "The login provider let nobody in."), ("<b>", "The login provider let nobody in."),
            ] {
                let page = try browser.open("/.auth/login/google\(ending.query)")
                let members = [
                    ("error", word), ("error_description", "<script>"),
                    ("state", try #require(LoginBrowser.member("state", of: page))),
                ]
                let path = "/.auth/login/google/callback"
                let answer =
                    method == "GET"
                    ? try browser.open("\(path)?\(LoginBrowser.form(members))") : try browser.submit(members, to: path)
                Self.expectTold(answer, words, ending)
                // Also by a browser that kept no cookie.
                let late = try client.exchange("GET", "\(path)?\(LoginBrowser.form(members))")
                Self.expectTold(late, words, ending)
            }
        }
    }

    @Test func `by the user's will counts as no attempt`() async throws {
        try await Self.with { client in
            var browser = LoginBrowser(client)
            for _ in 0..<35 {
                let page = try browser.open("/.auth/login/google")
                let state = try #require(LoginBrowser.member("state", of: page))
                let answer = try browser.submit(
                    [("error", "access_denied"), ("state", state)], to: "/.auth/login/google/callback")
                #expect(answer.code == 302)
            }
            let page = try browser.open("/.auth/login/google")
            let done = try browser.submit(try Self.token(for: page), to: "/.auth/login/google/callback")
            #expect(done["Location"]?.contains("#token=") == true)
        }
    }

    @Test(arguments: Ending.all) func `on the server's own page tells the app too`(_ ending: Ending) async throws {
        try await Self.with { client in
            var browser = LoginBrowser(client)
            let page = try browser.open("/.auth/login/local\(ending.query)")
            #expect(page.text.contains("Cancel</button>"))
            let state = try #require(LoginBrowser.state(in: page))
            let answer = try browser.submit(
                [("state", state), ("username", ""), ("password", ""), ("cancel", "yes")], to: "/.auth/login/local")
            Self.expectTold(answer, "The login was cancelled.", ending)
        }
    }

    @Test func `for too many attempts says so on the page, where one can go on later or give up`() async throws {
        try await Self.with { client in
            var browser = LoginBrowser(client)
            let page = try browser.open("/.auth/login/local\(Self.code)")
            var state = try #require(LoginBrowser.state(in: page))
            var answer = page
            let codes = try SpentAttempts.statuses(of: 10, oneForgivenEach: .seconds(6)) { _ in
                answer = try browser.submit(
                    [("state", state), ("username", "ann"), ("password", "wrong horse")], to: "/.auth/login/local")
                state = try #require(LoginBrowser.state(in: answer))
                return answer.code
            }
            #expect(codes.last == 429)
            #expect(answer["Retry-After"] != nil)
            #expect(answer["Content-Type"] == "text/html; charset=utf-8")
            #expect(answer.text.contains("Too many attempts; try again in"))
            let given = try browser.submit(
                [("state", state), ("username", "ann"), ("password", ""), ("cancel", "yes")], to: "/.auth/login/local")
            #expect(given["Location"]?.hasPrefix("myapp://easyauth.callback#error=") == true)
        }
    }

    @Test(arguments: Ending.all)
    func `for a state that is old or another browser's says so, with ways back`(_ ending: Ending) async throws {
        let time = Mutex(SystemClock.now().milliseconds)
        try await Self.with(clock: { Instant(milliseconds: time.withLock { $0 }) }) { client in
            for provider in ["local", "google"] {
                var browser = LoginBrowser(client)
                let page = try browser.open("/.auth/login/\(provider)\(ending.query)")
                let state = try #require(LoginBrowser.state(in: page) ?? LoginBrowser.member("state", of: page))
                let path = provider == "local" ? "/.auth/login/local" : "/.auth/login/google/callback"
                let members = [("state", state), ("username", "ann"), ("password", LoginBrowser.password)]
                var other = LoginBrowser(client)
                let elsewhere = try other.submit(members, to: path)
                time.withLock { $0 += 601_000 }
                for answer in [elsewhere, try browser.submit(members, to: path)] {
                    #expect(answer.code == 400)
                    #expect(answer["Content-Type"] == "text/html; charset=utf-8")
                    #expect(answer.text.contains("The login took too long or began elsewhere; begin again."))
                    let again = "<a href=\"/.auth/login/\(provider)\(ending.query.replacing("&", with: "&amp;"))\">"
                    #expect(answer.text.contains(again))
                    if let address = ending.address {
                        #expect(answer.text.contains("<a href=\"\(address)"))
                    } else {
                        #expect(answer.text.contains("window.opener.postMessage("))
                    }
                    #expect(!answer.text.contains("logged in"))
                }
                let unknown = try browser.submit([("state", "x")], to: path)
                #expect(unknown.code == 400)
                #expect(unknown.text.contains("<a href=\"/.auth/login/\(provider)\">Begin again</a>"))
            }
        }
    }

    @Test func `stands by itself: tabs, providers and double clicks`() async throws {
        try await Self.with { client in
            var browser = LoginBrowser(client)
            let first = try browser.open("/.auth/login/google\(Self.code)")
            let second = try browser.open("/.auth/login/apple")
            let local = try browser.open("/.auth/login/local")
            let third = try browser.open("/.auth/login/google")
            #expect(browser.cookies.count == 4)
            let state = try #require(LoginBrowser.state(in: local))
            for _ in 0..<2 {
                let form = [("state", state), ("username", "ann"), ("password", LoginBrowser.password)]
                #expect(try browser.submit(form, to: "/.auth/login/local").code == 302)
                for (page, provider) in [(third, "google"), (second, "apple"), (first, "google")] {
                    let members = try Self.token(for: page, by: String(provider.prefix(1)))
                    let answer = try browser.submit(members, to: "/.auth/login/\(provider)/callback")
                    #expect(answer.code == 302, "\(provider)")
                }
            }
            // One's state isn't another's.
            let mixed = try Self.token(for: first)[0...0] + Self.token(for: third)[1...1]
            #expect(try browser.submit(Array(mixed), to: "/.auth/login/google/callback").code == 400)
            for _ in 0..<20 { _ = try browser.open("/.auth/login/google") }
            #expect(browser.cookies.count == 10)
        }
    }

    @Test func `is bound to the browser by cookies that nobody else sets`() async throws {
        try await Self.with { client in
            for (provider, site) in [("local", "Lax"), ("google", "None")] {
                var browser = LoginBrowser(client)
                browser.fields = ["X-Forwarded-Proto: https", "X-Forwarded-Host: api.example"]
                let page = try browser.open("/.auth/login/\(provider)")
                let cookie = try #require(page["Set-Cookie"])
                #expect(cookie.hasPrefix("__Host-zumod-login-"))
                #expect(cookie.hasSuffix("; Max-Age=600; Path=/; HttpOnly; SameSite=\(site); Secure"))
            }
            let plain = try client.exchange("GET", "/.auth/login/google")["Set-Cookie"]
            #expect(plain?.hasPrefix("zumod-login-") == true)
            #expect(plain?.hasSuffix("; Max-Age=600; Path=/; HttpOnly; SameSite=Lax") == true)
        }
    }

    @Test func `where its form comes from a page of somebody else`() async throws {
        try await Self.with { client in
            for (field, code) in [
                ("Origin: https://evil.example", 403), ("Origin: http://localhost.evil.example", 403),
                ("Sec-Fetch-Site: cross-site", 403), ("Sec-Fetch-Site: same-site", 403),
                ("Origin: http://localhost", 302),
                ("Origin: null", 302), ("Sec-Fetch-Site: same-origin", 302),
            ] {
                var browser = LoginBrowser(client)
                let state = try #require(LoginBrowser.state(in: try browser.open("/.auth/login/local")))
                browser.fields = [field]
                let form = [("state", state), ("username", "ann"), ("password", LoginBrowser.password)]
                #expect(try browser.submit(form, to: "/.auth/login/local").code == code, "\(field)")
            }
        }
    }

    @Test func `says so in words where it can't begin`() async throws {
        try await Self.with { client in
            let target = "/.auth/login/local?post_login_redirect_url=https%3A%2F%2Fevil.example"
            let page = try client.exchange("GET", target, "", ["Accept: text/html,application/xhtml+xml"])
            #expect(page.code == 400)
            #expect(page["Content-Type"] == "text/html; charset=utf-8")
            #expect(page.text.contains("is not one that this server may send users to") && !page.text.contains("evil"))
            #expect(try client.exchange("GET", target).row["error"]?.text?.hasPrefix("post_login_redirect_url") == true)
            let unknown = try client.exchange("GET", "/.auth/login/yahoo", "", ["Accept: text/html"])
            #expect(unknown.code == 404 && unknown.text.contains("There is no login provider named &#39;yahoo&#39;."))
        }
    }

    @Test func `takes no token from an address`() async throws {
        try await Self.with { client in
            var browser = LoginBrowser(client)
            let members = try Self.token(for: try browser.open("/.auth/login/google"))
            let answer = try browser.open("/.auth/login/google/callback?\(LoginBrowser.form(members))")
            #expect(answer.code == 400)
            #expect(try browser.submit(members, to: "/.auth/login/google/callback").code == 302)
        }
    }
}
