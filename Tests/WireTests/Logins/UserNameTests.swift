import Access
import Foundation
import JSONText
import Scalars
import Tables
import Testing
import WireTesting

@Suite struct `The user of a name` {
    private static let lines = ["auth:", "  signingKey: \(LoginBrowser.key)", "  providers: { local: }"]
    /// Of `geheimes Wörtchen`, with the ö as one character, and as an o with a mark: earlier versions hashed what was typed.
    private static let hashes = [
        "scrypt$2$1$1$AAAAAAAAAAAAAAAAAAAAAA$Xd_y4n6uq4XvIKBptBv_r8iZzlPmV3JVczeqC3wicHo",
        "scrypt$2$1$1$AAAAAAAAAAAAAAAAAAAAAA$Yfhwx3k3nlet-U7Dm6V98fYH7ki4AnB7CyVdZi99F7U",
    ]

    private static func logIn(_ client: WireClient, _ name: String, _ password: String) throws -> WireResponse {
        let body = #"{"username":"\#(name)","password":"\#(password)"}"#
        return try client.exchange("POST", "/.auth/login/local", body)
    }

    private static func rows(_ client: WireClient, _ token: String) throws -> String {
        try client.exchange("GET", "/tables/mine?$select=id", "", ["X-ZUMO-AUTH: \(token)"]).text
    }

    private static func token(_ response: WireResponse) throws -> (id: String, text: String) {
        (
            try #require(try response.row["user"]?.row["userId"]?.text),
            try #require(try response.row["authenticationToken"]?.text)
        )
    }

    @Test(arguments: TestDatabase.all)
    func `logs in from every keyboard`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            for (name, hash) in [("ren\u{E9}", Self.hashes[0]), ("zoe\u{308}", Self.hashes[1])] {
                #expect(try await server.users.addUser(name, passwordHash: hash))
                for typed in [
                    name, name.precomposedStringWithCanonicalMapping, name.decomposedStringWithCanonicalMapping,
                    " \(name) ",
                ] {
                    for password in [
                        "geheimes W\u{F6}rtchen", "geheimes Wo\u{308}rtchen", "geheimes\u{A0}W\u{F6}rtchen",
                    ] {
                        // The last one is no form of what the second hash was made of.
                        if password.contains("\u{A0}"), hash == Self.hashes[1] { continue }
                        let answer = try Self.logIn(client, typed, password)
                        #expect(answer.code == 200, "\(typed) \(password)")
                        let id = try Self.token(answer).id
                        #expect(Array(id.utf8) == Array("Local:\(name)".utf8))
                    }
                }
                #expect(try Self.logIn(client, name, "geheimes Wortchen").code == 401)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is another than the one who had it before`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            func logIn() throws -> (id: String, text: String) {
                try Self.token(try Self.logIn(client, "ann", LoginBrowser.password))
            }
            #expect(try await server.users.addUser("ann", passwordHash: LoginBrowser.hash))
            let first = try logIn()
            #expect(first.id == "Local:ann")
            let minter = TokenMinter(
                key: try SigningKey(LoginBrowser.key), issuer: "urn:microsoft:windows-azure:zumo",
                audience: "urn:microsoft:windows-azure:zumo")
            // Of a server whose clock is ahead.
            let now = SystemClock.now().milliseconds
            let ahead = try minter.mint(
                user: "Local:ann", claims: ["idp": "local"], lifetime: .seconds(3_600), now: now / 1_000,
                loggedInAt: now + 30_000)
            let insert = try client.exchange("POST", "/tables/mine", #"{"id":"old"}"#, ["X-ZUMO-AUTH: \(first.text)"])
            #expect(insert.code == 201)

            #expect(try await server.users.removeUser("ann"))
            #expect(try await server.users.addUser("ann", passwordHash: LoginBrowser.hash))
            let second = try logIn()
            #expect(second.id.hasPrefix("Local:ann#") && second.id.count == "Local:ann#".count + 8)
            #expect(try Self.rows(client, second.text) == "[]")
            func code(_ token: String) throws -> Int {
                try client.exchange("GET", "/tables/mine", "", ["X-ZUMO-AUTH: \(token)"]).code
            }
            try await Patience.eventually { try code(first.text) == 401 }

            #expect(try await server.users.removeUser("ann"))
            #expect(try await server.users.formerMark(ofUser: "ann") == String(second.id.suffix(8)))
            #expect(try await server.users.addUser("ann", passwordHash: LoginBrowser.hash, mark: .exactly("")))
            let heir = try logIn()
            #expect(heir.id == "Local:ann")
            #expect(try Self.rows(client, heir.text) == #"[{"id":"old"}]"#)
            try await Patience.eventually { try code(second.text) == 401 }
            #expect(try code(ahead) == 401)
            // The heir's requests bring nothing of the old tokens back.
            for token in [first.text, second.text, ahead] {
                #expect(try code(heir.text) == 200)
                #expect(try code(token) == 401)
                let refreshed = try client.exchange("GET", "/.auth/refresh", "", ["X-ZUMO-AUTH: \(token)"])
                #expect(refreshed.code == 401)
            }
        }
    }

    @Test func `is counted as one, however it is typed`() async throws {
        try await TestServer.with(on: .sqlite, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            #expect(try await server.users.addUser("ren\u{E9}", passwordHash: LoginBrowser.hash))
            let forms = [
                "ren\u{E9}", "rene\u{301}", " ren\u{E9}", "rene\u{301}  ", "\u{A0}ren\u{E9}", "ren\u{E9}\u{2003}",
            ]
            let codes = try SpentAttempts.statuses(of: 10, oneForgivenEach: .seconds(6)) { number in
                try Self.logIn(client, forms[number % forms.count], "wrong horse").code
            }
            #expect(codes.last == 429)
        }
    }
}
