import Access
import Testing
import TokenTesting
import WireTesting

/// A server that trusts one key of each algorithm, asked with tokens that it must not take.
@Suite struct `Tokens over the wire` {
    private static let lines = [
        """
        auth:
          signingKey: \(TokenForge.secret)
          masterKey: \(TokenForge.masterKey)
          keySets: keys.json
          issuer: \(TokenForge.issuer)
          audience: \(TokenForge.audience)
        """
    ]

    private static func with(
        _ database: TestDatabase, _ body: @escaping @Sendable (WireClient) throws -> Void
    ) async throws {
        let files = ["keys.json": TokenForge.keySet()]
        try await TestServer.with(on: database, lines: lines, files: files) { server in
            try body(WireClient(port: server.port))
        }
    }

    /// Those whose reason is not their size.
    private static let forged = ForgedToken.all.filter { $0.fault != .tooLarge }

    /// Whether a header can carry it: what has a newline or a NUL in it never gets there, nor does a blank at its end.
    private static func canBeSent(_ token: String) -> Bool {
        !token.isEmpty && token.last != " "
            && token.utf8.allSatisfy { $0 >= 32 && $0 != 127 } && token.utf8.count < 8_000
    }

    @Test(arguments: TestDatabase.all)
    func `no forged or malformed token is taken anywhere`(on database: TestDatabase) async throws {
        try await Self.with(database) { client in
            var sent = 0
            for forged in Self.forged {
                let token = try forged.make()
                guard Self.canBeSent(token) else { continue }
                for target in ["/tables/todo", "/tables/guarded", "/api/publicPermission", "/.auth/me"] {
                    let response = try client.exchange("GET", target, "", ["X-ZUMO-AUTH: \(token)"])
                    #expect(response.code == 401, "\(forged.name) at \(target): \(response.text)")
                }
                let write = try client.exchange(
                    "POST", "/tables/todo", #"{"text":"x"}"#, ["X-ZUMO-AUTH: \(token)", "ZUMO-API-VERSION: 3.0.0"])
                #expect(write.code == 401, "\(forged.name)")
                sent += 1
            }
            #expect(sent >= 100)
            let rows = try client.exchange("GET", "/tables/todo?$inlinecount=allpages")
            #expect(try rows.row["count"]?.text == "0")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a good token of each algorithm is taken`(on database: TestDatabase) async throws {
        try await Self.with(database) { client in
            let good: [(String, TokenForge.Signer)] = [
                ("HS256", .secret(.sha256)), ("HS384", .secret(.sha384)), ("HS512", .secret(.sha512)),
                ("RS256", .rsa), ("ES256", .p256), ("EdDSA", .ed25519),
            ]
            for (name, signer) in good {
                let token = try TokenForge.token(#"{"alg":"\#(name)"}"#, by: signer)
                for field in ["X-ZUMO-AUTH: \(token)", "Authorization: Bearer \(token)"] {
                    #expect(try client.exchange("GET", "/tables/guarded", "", [field]).code == 200, "\(name)")
                }
            }
            let old = try TokenForge.mobileServicesToken()
            #expect(try client.exchange("GET", "/tables/guarded", "", ["X-ZUMO-AUTH: \(old)"]).code == 200)
        }
    }
}
