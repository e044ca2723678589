import Access
import Foundation
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
