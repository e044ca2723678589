import JSONText
import Scalars
import Synchronization
import Tables
import Testing
import WireTesting

@Suite struct `Signing in to the data page` {
    private static let usersLine =
        "auth: { signingKey: a-signing-key-of-forty-four-bytes-in-all-told, masterKey: master, providers: { local: } }"
    /// Of `correct horse`, cheap to check.
    private static let hash =
        "scrypt$2$1$1$AAAAAAAAAAAAAAAAAAAAAA$PQkVTyyHF9mCETQ-ge6tRpm4yd-InBk92ykpHodz_ds"

    @Test(arguments: TestDatabase.all)
    func `takes the master key and nothing else that looks like one`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            var visit = try PageVisit(server.port)
            #expect(try visit.ask("GET", "api/tables").code == 401)
            #expect(try visit.ask("GET", "api/session").row["signedIn"]?.booleanValue == false)
            for body in [#"{"key":"maste"}"#, #"{"key":""}"#, #"{"key":5}"#, "{}", "[]", "", #"{"token":"a.b.c"}"#] {
                #expect(try (400...403).contains(visit.signIn(body).code), "\(body)")
                #expect(visit.cookie.isEmpty)
            }
            let session = try visit.signIn(#"{"key":"master"}"#)
            #expect(session.code == 200)
            let cookie = try #require(session["Set-Cookie"])
            for attribute in ["Path=/_", "HttpOnly", "SameSite=Strict"] { #expect(cookie.contains(attribute)) }
            #expect(!cookie.contains("Secure"), "over plain HTTP the browser would not send it back")
            #expect(try visit.ask("GET", "api/tables").code == 200)
            #expect(try visit.ask("GET", "api/session").row["signedIn"]?.booleanValue == true)
        }
    }

    @Test func `gives a cookie for HTTPS alone where clients come by HTTPS`() async throws {
        try await TestServer.with(on: .sqlite, lines: [UserTokens.reachableLine, "publicUrl: https://api.example.com"])
        {
            server in
            var visit = try PageVisit(server.port)
            let cookie = try visit.signIn(#"{"key":"\#(UserTokens.longKey)"}"#)["Set-Cookie"]
            #expect(cookie?.hasSuffix("; Secure") == true, "\(cookie ?? "")")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `lets in tokens of admins and no others, for as long as they hold`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            var visit = try PageVisit(server.port)
            let user = try UserTokens.field("ann").dropFirst("X-ZUMO-AUTH: ".count)
            #expect(try visit.signIn(#"{"token":"\#(user)"}"#).code == 403)
            let admin = try UserTokens.field("ann", claims: ["role": "admin"]).dropFirst("X-ZUMO-AUTH: ".count)
            #expect(try visit.signIn(#"{"token":"\#(admin)"}"#).row["name"]?.text == "ann")
            #expect(try visit.ask("GET", "api/tables").code == 200)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `lets in local users who are admins, until they are none any more`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [Self.usersLine]) { server in
            #expect(try await server.users.addUser("ann", passwordHash: Self.hash))
            var visit = try PageVisit(server.port)
            let right = #"{"name":"ann","password":"correct horse"}"#
            #expect(try visit.ask("GET", "api/session").text.contains(#""password""#))
            #expect(try visit.signIn(#"{"name":"ann","password":"wrong"}"#).code == 401)
            #expect(try visit.signIn(right).code == 403)
            #expect(try await server.users.setAdmin(true, ofUser: "ann"))
            #expect(try visit.signIn(right).row["name"]?.text == "Local:ann")
            #expect(try visit.ask("GET", "api/tables").code == 200)
            // What apps get for the same password opens nothing of the operator's.
            let login = try visit.client.exchange(
                "POST", "/.auth/login/local", #"{"username":"ann","password":"correct horse"}"#)
            let token = try #require(try login.row["authenticationToken"]?.text)
            #expect(try visit.client.exchange("GET", "/tables/closed", "", ["X-ZUMO-AUTH: \(token)"]).code != 200)
            #expect(try await server.users.setAdmin(false, ofUser: "ann"))
            // The end of tokens is known within a second.
            try await Patience.eventually { try visit.ask("GET", "api/tables").code != 200 }
            #expect(try visit.ask("GET", "api/tables").code == 401)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `lasts eight hours after the last thing that a person did`(on database: TestDatabase) async throws {
        let now = Mutex(Instant(milliseconds: 4_102_444_800_000))
        @Sendable func pass(_ minutes: Int64) {
            now.withLock { $0 = Instant(milliseconds: $0.milliseconds + minutes * 60_000) }
        }
        try await TestServer.with(on: database, lines: [UserTokens.line], clock: { now.withLock { $0 } }) { server in
            var visit = try PageVisit.signedIn(server.port)
            pass(470)
            let renewed = try visit.ask("GET", "api/tables")
            visit.cookie = String(try #require(renewed["Set-Cookie"]).prefix { $0 != ";" })
            pass(470)
            // What the page asks by itself keeps nobody signed in.
            let poll = try visit.ask("GET", "api/health", "", ["X-Zumod-Poll: 1"])
            #expect(poll.code == 200)
            #expect(poll["Set-Cookie"] == nil)
            pass(11)
            #expect(try visit.ask("GET", "api/tables").code == 401)
        }
    }

    @Test func `ends after seven days, whatever is done`() async throws {
        let now = Mutex(Instant(milliseconds: 4_102_444_800_000))
        try await TestServer.with(on: .sqlite, lines: [UserTokens.line], clock: { now.withLock { $0 } }) { server in
            var visit = try PageVisit.signedIn(server.port)
            for hour in stride(from: 7, through: 7 * 24, by: 7) {
                now.withLock { $0 = Instant(milliseconds: $0.milliseconds + 7 * 3_600_000) }
                let renewed = try visit.ask("GET", "api/tables")
                #expect(renewed.code == 200, "hour \(hour)")
                visit.cookie = String(try #require(renewed["Set-Cookie"]).prefix { $0 != ";" })
            }
            now.withLock { $0 = Instant(milliseconds: $0.milliseconds + 1) }
            #expect(try visit.ask("GET", "api/tables").code == 401)
        }
    }

    @Test func `is not hidden by cookies of others, nor by a session of another server on the host`() async throws {
        let other = try await TestServer.with(on: .sqlite, lines: [UserTokens.line]) { server in
            try PageVisit.signedIn(server.port).cookie
        }
        try await TestServer.with(on: .sqlite, lines: [UserTokens.line], isApart: true) { server in
            var visit = try PageVisit.signedIn(server.port)
            let own = visit.cookie
            let name = own.prefix { $0 != "=" }
            #expect(!other.hasPrefix(name + "="), "a browser keeps both")
            visit.cookie = "\(name)=x; \(other); \(own)"
            #expect(try visit.ask("GET", "api/tables").code == 200)
        }
    }

    @Test func `is had on the server's machine also where others come by a public address`() async throws {
        try await TestServer.with(on: .sqlite, lines: [UserTokens.reachableLine, "publicUrl: https://api.example.com"])
        {
            server in
            var visit = try PageVisit(server.port)
            // What browsers say where one opens 127.0.0.1.
            let fields = ["Origin: http://localhost", "Sec-Fetch-Site: same-origin"]
            let signedIn = try visit.client.exchange(
                "POST", "/_/api/session", #"{"key":"\#(UserTokens.longKey)"}"#,
                fields + ["Content-Type: application/json"])
            #expect(signedIn.code == 200, "\(signedIn.text)")
            let given = try #require(signedIn["Set-Cookie"])
            #expect(!given.contains("Secure"), "not every browser would send it back to \(fields[0])")
            visit.cookie = String(given.prefix { $0 != ";" })
            #expect(try visit.ask("GET", "assets/app.js", "", ["Origin: http://localhost"]).code == 200)
            #expect(try visit.ask("GET", "api/tables", "", fields).code == 200)
            #expect(try visit.ask("GET", "api/tables", "", ["Origin: http://localhost:1"]).code == 403)
        }
    }

    @Test func `is forgotten by the browser at signing out, and is another database's nowhere`() async throws {
        let cookie = try await TestServer.with(on: .sqlite, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            let end = try visit.ask("DELETE", "api/session")
            #expect(end.code == 204)
            #expect(end["Set-Cookie"]?.contains("Max-Age=0") == true)
            return visit.cookie
        }
        try await TestServer.with(on: .sqlite, lines: [UserTokens.line], isApart: true) { server in
            var stranger = try PageVisit(server.port)
            stranger.cookie = cookie
            #expect(try stranger.ask("GET", "api/tables").code == 401)
        }
    }

    @Test(arguments: ["A", "zumod_page_=", String(repeating: "A", count: 5_000), "é"])
    func `is not done by a cookie that nobody sealed`(cookie: String) async throws {
        try await TestServer.with(on: .sqlite, lines: [UserTokens.line]) { server in
            var visit = try PageVisit.signedIn(server.port)
            let real = visit.cookie
            let name = real.prefix { $0 != "=" }
            // The last digit may hold no bit of the cookie, so the one before it is another.
            let tail = real.dropLast().last == "A" ? "BA" : "AA"
            for forged in ["\(name)=\(cookie)", String(real.dropLast(2)) + tail, real + "A"] {
                visit.cookie = forged
                #expect(try visit.ask("GET", "api/tables").code == 401)
            }
        }
    }

    @Test func `is for the page's own script alone`() async throws {
        try await TestServer.with(on: .sqlite, lines: [UserTokens.reachableLine, "page: { enabled: true }"]) { server in
            var visit = try PageVisit.signedIn(server.port, key: UserTokens.longKey)
            let row = #"{"id":"a"}"#
            let own = "Origin: http://localhost"
            for field in [
                "Origin: http://localhost:3000", "Origin: http://127.0.0.1:1", "Origin: null",
                "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
            ] {
                #expect(try visit.ask("GET", "api/session", "", [field]).code == 403, "\(field)")
                #expect(try visit.ask("POST", "api/rows/todo", row, [field]).code == 403, "\(field)")
                let isOrigin = field.hasPrefix("Origin")
                #expect(try visit.ask("GET", "tables/todo.csv", "", [field]).code == (isOrigin ? 403 : 200), "\(field)")
            }
            let token = visit.token
            for other in ["", String(token.dropLast()), token + "a"] {
                visit.token = other
                #expect(try visit.ask("POST", "api/rows/todo", row).code == 403)
                #expect(try visit.ask("DELETE", "api/session").code == 403)
            }
            visit.token = token
            #expect(try visit.ask("POST", "api/rows/todo", row, [own, "Sec-Fetch-Site: same-origin"]).code == 201)
            #expect(try visit.signIn(#"{"key":"master"}"#, ["Content-Type: text/plain"]).code == 403)
        }
    }

    @Test func `is tried only so often`() async throws {
        try await TestServer.with(on: .sqlite, lines: [UserTokens.line]) { server in
            var visit = try PageVisit(server.port)
            var codes: [Int] = []
            // A machine that is busy takes so long that some attempts are forgiven meanwhile, one or two in a second.
            let begun = ContinuousClock.now
            while codes.last != 429, codes.count < 140 + 2 * Int(begun.duration(to: .now).components.seconds) {
                codes.append(try visit.signIn(#"{"key":"wrong"}"#).code)
            }
            #expect(codes.last == 429)
            #expect(Set(codes) == [401, 429])
            #expect(try visit.signIn(#"{"key":"master"}"#).code == 200, "the right one always counts")
        }
    }
}
