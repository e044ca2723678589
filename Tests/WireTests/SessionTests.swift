import Access
import Foundation
import JSONText
import Scalars
import Tables
import Testing
import WireTesting

@Suite struct `Tokens of a login` {
    private static let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    private static let lines = [
        "auth:", "  signingKey: \(key)", "  sessionLifetime: 10d",
        "  redirects: [ \"myapp://easyauth.callback\" ]", "  providers: { local: }",
    ]
    private static let password = "correct horse"
    /// Of that password, by a scrypt that costs nothing.
    private static let hash =
        "scrypt$2$1$1$AAAAAAAAAAAAAAAAAAAAAA$PQkVTyyHF9mCETQ-ge6tRpm4yd-InBk92ykpHodz_ds"

    private static func logIn(_ client: WireClient) throws -> String {
        let answer = try client.exchange(
            "POST", "/.auth/login/local", #"{"username":"ann","password":"\#(password)"}"#)
        return try #require(try answer.row["authenticationToken"]?.text)
    }

    private static func code(_ client: WireClient, _ token: String, _ target: String = "/tables/todo") throws -> Int {
        try client.exchange("GET", target, "", ["X-ZUMO-AUTH: \(token)"]).code
    }

    /// What the database says is believed for a second.
    private static func awaitRefusal(_ client: WireClient, of token: String) async throws {
        try await Patience.eventually { try code(client, token) == 401 }
        for target in ["/tables/todo", "/api/none", "/push/x", "/.auth/me", "/.auth/refresh"] {
            let refused = try code(client, token, target)
            #expect(refused == 401 || target == "/api/none" && refused == 404, "\(target)")
        }
    }

    enum Change: CaseIterable, Sendable {
        case password, revocation, removal, newUserOfThatName
    }

    @Test(arguments: Change.allCases, TestDatabase.all)
    func `end with a new password, with the user, and where an operator ends them`(
        _ change: Change, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            #expect(try await server.users.addUser("ann", passwordHash: Self.hash))
            let old = try Self.logIn(client)
            #expect(try Self.code(client, old) == 200)
            switch change {
            case .password: #expect(try await server.users.setPasswordHash(Self.hash, ofUser: "ann"))
            case .revocation: #expect(try await server.users.endTokens(ofUser: "ann"))
            case .removal: #expect(try await server.users.removeUser("ann"))
            case .newUserOfThatName:
                #expect(try await server.users.removeUser("ann"))
                #expect(try await server.users.addUser("ann", passwordHash: Self.hash))
            }
            try await Self.awaitRefusal(client, of: old)
            guard change != .removal else { return }
            let new = try Self.logIn(client)
            #expect(try Self.code(client, new) == 200)
            #expect(try Self.code(client, new, "/.auth/refresh") == 200)
            #expect(try Self.code(client, old) == 401)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `open nothing for a user who isn't there, until there is one`(on database: TestDatabase) async throws {
        let minter = TokenMinter(
            key: try SigningKey(Self.key), issuer: "urn:microsoft:windows-azure:zumo",
            audience: "urn:microsoft:windows-azure:zumo")
        let nobody = try minter.mint(user: "Local:ann", lifetime: nil, now: 0)
        let stranger = try minter.mint(user: "Google:ann", lifetime: nil, now: 0)
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            #expect(try Self.code(client, nobody) == 401)
            #expect(try Self.code(client, stranger) == 200)
            #expect(try await server.users.addUser("ann", passwordHash: Self.hash))
            let token = try Self.logIn(client)
            #expect(try Self.code(client, token) == 200)
            #expect(try Self.code(client, nobody) == 401)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `end for the user that is named, and for none whose name looks alike`(on database: TestDatabase) async throws {
        let names = ["jos\u{E9}", "jose\u{301}", "\u{301}jose"]
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            func logIn(_ name: String) throws -> String {
                let body = "{\"username\":\"\(name)\",\"password\":\"\(Self.password)\"}"
                let answer = try client.exchange("POST", "/.auth/login/local", body)
                return try #require(try answer.row["authenticationToken"]?.text)
            }
            for name in names { #expect(try await server.users.addUser(name, passwordHash: Self.hash)) }
            for (ended, name) in names.enumerated() {
                let tokens = try names.map(logIn)
                for token in tokens { #expect(try Self.code(client, token) == 200) }
                #expect(try await server.users.endTokens(ofUser: name))
                try await Patience.eventually {
                    // The others ask meanwhile, and bring nothing of it back.
                    for (index, token) in tokens.enumerated() where index != ended {
                        #expect(try Self.code(client, token) == 200)
                    }
                    return try Self.code(client, tokens[ended]) == 401
                }
                for (index, token) in tokens.enumerated() {
                    #expect(try Self.code(client, token) == (index == ended ? 401 : 200), "\(index) of \(ended)")
                }
            }
        }
    }

    @Test func `can be renewed until the time of the login is over`() async throws {
        let minter = TokenMinter(
            key: try SigningKey(Self.key), issuer: "urn:microsoft:windows-azure:zumo",
            audience: "urn:microsoft:windows-azure:zumo")
        let now = SystemClock.now().milliseconds
        func token(ofLogin days: Int64) throws -> String {
            try minter.mint(
                user: "Google:77", lifetime: .seconds(3_600), now: now / 1_000,
                loggedInAt: now - days * 86_400_000)
        }
        let (young, old, over) = (try token(ofLogin: 1), try token(ofLogin: 9), try token(ofLogin: 11))
        try await TestServer.with(on: .sqlite, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            func refresh(_ token: String) throws -> WireResponse {
                try client.exchange("GET", "/.auth/refresh", "", ["X-ZUMO-AUTH: \(token)"])
            }
            #expect(try refresh(over).code == 401)
            for (token, days) in [(young, 9), (old, 1)] {
                // Also by way of another token, and another.
                var latest = token
                for _ in 0..<3 { latest = try #require(try refresh(latest).row["authenticationToken"]?.text) }
                let parts = latest.split(separator: ".").map(String.init)
                let padded = parts[1].replacing("-", with: "+").replacing("_", with: "/")
                let payload = try #require(
                    Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)))
                let claims = try JSONReader.parse(Array(payload)).row
                guard case .integer(let expiry)? = claims["exp"] else {
                    Issue.record("no exp")
                    continue
                }
                #expect(abs(expiry - now / 1_000 - Int64(days) * 86_400) <= 2)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `come of a code once, whichever server is asked`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let end = Instant(milliseconds: SystemClock.now().milliseconds + 60_000)
            let (past, now) = (Instant(milliseconds: 1), SystemClock.now())
            #expect(try await server.users.takeCode("a", until: end, trusted: now))
            #expect(try await !server.users.takeCode("a", until: end, trusted: now))
            #expect(try await server.users.takeCode("b", until: past, trusted: now))
            // Kept for as long as no clock can be believed.
            #expect(try await !server.users.takeCode("b", until: end, trusted: nil))
            // Forgotten, as no server takes it any more.
            #expect(try await server.users.takeCode("b", until: end, trusted: now))
            let another = try await server.users.takeCode("b", until: end, trusted: now)
            #expect(!another)
        }
    }
}
