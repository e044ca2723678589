import Access
import Foundation
import JSONText
import Scalars
import Tables
import Testing
import TokenTesting
import WireTesting

@Suite struct `A logout` {
    private static let issuer = TestIssuer()
    private static let lines = [
        "auth:", "  signingKey: \(LoginBrowser.key)", "  providers:", "    local:",
        "    google: { keySet: google.json, issuer: \"https://g.example\", audience: app-1 }",
    ]

    /// Somebody's way to log in.
    enum Way: CaseIterable, Sendable {
        case local, google
    }

    private static func with(
        _ database: TestDatabase, ends: String? = nil, _ body: @Sendable (WireClient, TestServer) async throws -> Void
    ) async throws {
        let lines = lines + (ends.map { ["  logout: \($0)"] } ?? [])
        try await TestServer.with(on: database, lines: lines, files: ["google.json": issuer.keySet]) { server in
            for name in ["ann", "bob"] {
                #expect(try await server.users.addUser(name, passwordHash: LoginBrowser.hash))
            }
            try await body(try WireClient(port: server.port), server)
        }
    }

    private static func logIn(_ client: WireClient, _ way: Way, _ name: String = "ann") throws -> String {
        let body =
            switch way {
            case .local: #"{"username":"\#(name)","password":"\#(LoginBrowser.password)"}"#
            case .google:
                #"{"id_token":"\#(try issuer.token(#""iss":"https://g.example","aud":"app-1","sub":"\#(name)","exp":4000000000"#))"}"#
            }
        let answer = try client.exchange("POST", "/.auth/login/\(way)", body)
        return try #require(try answer.row["authenticationToken"]?.text)
    }

    private static func code(_ client: WireClient, _ token: String, _ target: String = "/tables/todo") throws -> Int {
        try client.exchange("GET", target, "", ["X-ZUMO-AUTH: \(token)"]).code
    }

    /// What the database says is believed for a second. The others' requests go on meanwhile.
    private static func expectEnded(
        _ client: WireClient, _ tokens: [String], others: [String]
    ) async throws {
        for token in tokens {
            try await Patience.eventually {
                for other in others { #expect(try code(client, other) == 200) }
                return try code(client, token) == 401
            }
        }
        for token in tokens {
            for other in others { #expect(try code(client, other) == 200) }
            for target in ["/tables/todo", "/.auth/me", "/.auth/refresh"] {
                #expect(try code(client, token, target) == 401, "\(target)")
            }
        }
    }

    @Test(arguments: Way.allCases, TestDatabase.all)
    func `ends the login that it is called with, and all tokens of that, for good`(
        _ way: Way, on database: TestDatabase
    ) async throws {
        try await Self.with(database) { client, _ in
            let phone = try Self.logIn(client, way)
            let renewed = try #require(
                try client.exchange("GET", "/.auth/refresh", "", ["X-ZUMO-AUTH: \(phone)"]).row["authenticationToken"]?
                    .text)
            let tablet = try Self.logIn(client, way)
            let other = try Self.logIn(client, way, "bob")
            for token in [phone, renewed, tablet, other] { #expect(try Self.code(client, token) == 200) }
            let page = try client.exchange("GET", "/.auth/logout", "", ["X-ZUMO-AUTH: \(renewed)"])
            #expect(page.code == 200)
            #expect(page.text.contains("this login is ended. Those on other devices go on."))
            try await Self.expectEnded(client, [phone, renewed], others: [tablet, other])
            let again = try Self.logIn(client, way)
            try await Self.expectEnded(client, [phone, renewed], others: [tablet, other, again])
            // A second one changes nothing.
            #expect(try Self.code(client, phone, "/.auth/logout") == 200)
            try await Self.expectEnded(client, [phone, renewed], others: [tablet, other, again])
        }
    }

    @Test(arguments: Way.allCases, TestDatabase.all)
    func `ends all of the user's where the settings say so`(_ way: Way, on database: TestDatabase) async throws {
        try await Self.with(database, ends: "user") { client, _ in
            let (phone, tablet) = (try Self.logIn(client, way), try Self.logIn(client, way))
            let other = try Self.logIn(client, way, "bob")
            let page = try client.exchange("POST", "/.auth/logout", "", ["Authorization: Bearer \(phone)"])
            #expect(page.text.contains("all logins of this user are ended."))
            try await Self.expectEnded(client, [phone, tablet], others: [other])
            let again = try Self.logIn(client, way)
            try await Self.expectEnded(client, [phone, tablet], others: [other, again])
        }
    }

    @Test func `takes the token from where every other request has it`() async throws {
        try await Self.with(.sqlite) { client, _ in
            let (phone, tablet) = (try Self.logIn(client, .local), try Self.logIn(client, .local))
            for fields in [["Authorization: Basic YTpi"], ["X-ZUMO-AUTH: ", "Authorization: Basic YTpi"]] {
                let page = try client.exchange("POST", "/.auth/logout", "", fields)
                #expect(page.text.contains("No login came along"), "\(fields)")
            }
            let page = try client.exchange(
                "POST", "/.auth/logout", "", ["X-ZUMO-AUTH: ", "Authorization: Bearer \(phone)"])
            #expect(page.text.contains("this login is ended"))
            try await Self.expectEnded(client, [phone], others: [tablet])
        }
    }

    @Test func `ends logins of earlier versions, and says what it can't end`() async throws {
        let minter = TokenMinter(
            key: try SigningKey(LoginBrowser.key), issuer: "urn:microsoft:windows-azure:zumo",
            audience: "urn:microsoft:windows-azure:zumo")
        let now = SystemClock.now().milliseconds
        func token(_ claims: [String: String], ago: Int64) throws -> String {
            try minter.mint(
                user: "Google:ann", claims: claims, lifetime: .seconds(3_600), now: now / 1_000, loggedInAt: now - ago)
        }
        let (old, other) = (try token(["idp": "google"], ago: 1_000), try token(["idp": "google"], ago: 1_001))
        let made = try token([:], ago: 1_000)
        try await Self.with(.sqlite) { client, _ in
            for token in [old, other, made] { #expect(try Self.code(client, token) == 200) }
            #expect(try Self.code(client, old, "/.auth/logout") == 200)
            try await Self.expectEnded(client, [old], others: [other, made])
            let page = try client.exchange("GET", "/.auth/logout", "", ["X-ZUMO-AUTH: \(made)"])
            #expect(page.text.contains("is of no login"))
            #expect(try Self.code(client, made) == 200)
            #expect(try client.exchange("GET", "/.auth/logout").text.contains("No login came along"))
            #expect(try Self.code(client, other + "x", "/.auth/logout") == 200)
            #expect(try Self.code(client, other) == 200)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is remembered until its time, and never by an earlier moment`(on database: TestDatabase) async throws {
        try await Self.with(database) { _, server in
            let end = Instant(milliseconds: SystemClock.now().milliseconds + 60_000)
            try await server.users.endLogin("login a", at: Instant(milliseconds: 2_000), until: end)
            try await server.users.endLogin("login a", at: Instant(milliseconds: 999), until: end)
            let found = try await server.users.ends(ofLogins: ["login a", "login b"])
            #expect(found == [EndedLogin(name: "login a", at: Instant(milliseconds: 2_000))])
            let none = try await server.users.ends(ofLogins: [])
            #expect(none.isEmpty)
        }
    }
}
