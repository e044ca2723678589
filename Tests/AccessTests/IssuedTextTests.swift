import Testing

@testable import Access

/// What earlier versions issued, letter by letter: it has to be good for as long as it said.
@Suite("What older versions issued")
struct IssuedTextTests {
    struct Issued: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: String
        let token: String
        /// When the login was, in milliseconds since 1970.
        let loggedInAt: Int64

        init(_ name: String, _ key: String, _ loggedInAt: Int64, _ token: String) {
            testDescription = name
            self.key = key
            self.token = token
            self.loggedInAt = loggedInAt
        }
    }

    private static let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    private static let name = "urn:microsoft:windows-azure:zumo"
    private static let second: Int64 = 1_795_577_824

    @Test(arguments: [
        Issued(
            "HS256", key, 1_795_577_824_147,
            """
            eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzaWQ6MSIsImlzcyI6InVybjptaWNyb3NvZnQ6d2luZG93cy1henV\
            yZTp6dW1vIiwiYXVkIjoidXJuOm1pY3Jvc29mdDp3aW5kb3dzLWF6dXJlOnp1bW8iLCJ2ZXIiOiIzIiwibmFtZSI6Ilpvw6siLCJ\
            yb2xlIjoiYWRtaW4iLCJpYXQiOjE3OTU1Nzc4MjQsIm5iZiI6MTc5NTU3NzgyNCwiYXV0aF90aW1lIjoxNzk1NTc3ODI0LjE0Nyw\
            iZXhwIjoyNzk1NTc3ODI0fQ.7a4-dIJDqMTHgqsAekD5y1eDDQxInNV8hXaZb30f2lU
            """),
        Issued(
            "HS384", String(repeating: "ab", count: 48), 1_795_577_824_170,
            """
            eyJhbGciOiJIUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzaWQ6MSIsImlzcyI6InVybjptaWNyb3NvZnQ6d2luZG93cy1henV\
            yZTp6dW1vIiwiYXVkIjoidXJuOm1pY3Jvc29mdDp3aW5kb3dzLWF6dXJlOnp1bW8iLCJ2ZXIiOiIzIiwibmFtZSI6Ilpvw6siLCJ\
            yb2xlIjoiYWRtaW4iLCJpYXQiOjE3OTU1Nzc4MjQsIm5iZiI6MTc5NTU3NzgyNCwiYXV0aF90aW1lIjoxNzk1NTc3ODI0LjE3LCJ\
            leHAiOjI3OTU1Nzc4MjR9.qTlcdbGSNW7zbjzcPTyeTR3GdEM3qMZtHj93HkUdy92A2nHy6c1elbL9oGybaO5R
            """),
        Issued(
            "HS512", String(repeating: "cd", count: 64), 1_795_577_824_193,
            """
            eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzaWQ6MSIsImlzcyI6InVybjptaWNyb3NvZnQ6d2luZG93cy1henV\
            yZTp6dW1vIiwiYXVkIjoidXJuOm1pY3Jvc29mdDp3aW5kb3dzLWF6dXJlOnp1bW8iLCJ2ZXIiOiIzIiwibmFtZSI6Ilpvw6siLCJ\
            yb2xlIjoiYWRtaW4iLCJpYXQiOjE3OTU1Nzc4MjQsIm5iZiI6MTc5NTU3NzgyNCwiYXV0aF90aW1lIjoxNzk1NTc3ODI0LjE5Myw\
            iZXhwIjoyNzk1NTc3ODI0fQ.gsJgsUp_MSetnla3Rni6d-ZesWvWJq81sA_tpbbFQvxEUaz0hJ6IvbbSRj-I1cj7Lnl9X6_q0M2f\
            LY2bMVop7w
            """),
        Issued(
            "HS384 with a key as text", "a signing key of the server, in words", 1_795_577_824_217,
            """
            eyJhbGciOiJIUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzaWQ6MSIsImlzcyI6InVybjptaWNyb3NvZnQ6d2luZG93cy1henV\
            yZTp6dW1vIiwiYXVkIjoidXJuOm1pY3Jvc29mdDp3aW5kb3dzLWF6dXJlOnp1bW8iLCJ2ZXIiOiIzIiwibmFtZSI6Ilpvw6siLCJ\
            yb2xlIjoiYWRtaW4iLCJpYXQiOjE3OTU1Nzc4MjQsIm5iZiI6MTc5NTU3NzgyNCwiYXV0aF90aW1lIjoxNzk1NTc3ODI0LjIxNyw\
            iZXhwIjoyNzk1NTc3ODI0fQ.DsFkTHOjhY6YhRrHZIeh4CqbzBbFaEKJIOFxO7E16TntrWQqZNtEp1WdmkfABjbL
            """),
        Issued(
            "HS384 with a key in base64", "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA==", 1_795_577_824_241,
            """
            eyJhbGciOiJIUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzaWQ6MSIsImlzcyI6InVybjptaWNyb3NvZnQ6d2luZG93cy1henV\
            yZTp6dW1vIiwiYXVkIjoidXJuOm1pY3Jvc29mdDp3aW5kb3dzLWF6dXJlOnp1bW8iLCJ2ZXIiOiIzIiwibmFtZSI6Ilpvw6siLCJ\
            yb2xlIjoiYWRtaW4iLCJpYXQiOjE3OTU1Nzc4MjQsIm5iZiI6MTc5NTU3NzgyNCwiYXV0aF90aW1lIjoxNzk1NTc3ODI0LjI0MSw\
            iZXhwIjoyNzk1NTc3ODI0fQ.q_EWcrkzoBWjwjl3ius4kZxGt1LSrK3BYAtIUCw8ao4nXI1fhGvB9y0af8MtEDS5
            """),
    ])
    func `a token is taken, and made again it is the same`(issued: Issued) throws {
        let key = try SigningKey(issued.key)
        let verifier = TokenVerifier(signingKey: key, issuers: [Self.name], audiences: [Self.name])
        let user = try verifier.verify(issued.token, now: Self.second)
        #expect(user.id == "sid:1" && user.isAdmin)
        let token = try TokenMinter(key: key, issuer: Self.name, audience: Self.name).mint(
            user: "sid:1", claims: ["role": "admin", "name": "Zoë"], lifetime: .seconds(1_000_000_000),
            now: Self.second, loggedInAt: issued.loggedInAt)
        #expect(token == issued.token)
    }

    @Test func `a password's hash knows its password, and no other`() throws {
        for text in [
            "scrypt$32768$8$3$Shj3LInOP7p-s4sdpy3jNw$cXsMvon5zPxwPSCv2ZwX1lJJp9oNqArhbG3xHQisMgs",
            "scrypt$32768$8$3$IJ0HkgCKhAqmccwCDNFRJA$GQzAzztQTakzDlO5lpZW3VkOQBt4YMMNzaXhQ-VgwQU",
        ] {
            let hash = try #require(PasswordHash(text: text))
            #expect(hash.text == text)
            #expect(hash.matches("correct horse"))
            #expect(!hash.matches("correct horsf") && !hash.matches(""))
        }
    }

    @Test func `a hash of nothing, of no parameters or of too much memory knows no password`() throws {
        #expect(PasswordHash(text: "scrypt$2$1$1$AA$") == nil)
        for text in ["scrypt$1$8$1$AA$AA", "scrypt$1048576$32$16$AA$AA"] {
            #expect(try !#require(PasswordHash(text: text)).matches("correct horse"))
        }
    }

    @Test func `a sealed text opens, and sealed again it is the same`() throws {
        let seal = TextSeal(key: try SigningKey(Self.key), purpose: "login flow")
        let sealed = "eyJ0byI6Ii90YWJsZXMiLCJhdCI6MX0.Bkw8MgM9k9cJ9QvUShdpxR7nJGRSIWJ4LkDzgr1D3ZQ"
        #expect(seal.open(sealed) == #"{"to":"/tables","at":1}"#)
        #expect(seal.seal(#"{"to":"/tables","at":1}"#) == sealed)
        #expect(TextSeal(key: try SigningKey(Self.key), purpose: "exchange code").open(sealed) == nil)
        for other in ["", ".", sealed + "A", String(sealed.dropLast()), String(sealed.dropFirst()), "e30." + sealed] {
            #expect(seal.open(other) == nil, "\(other)")
        }
    }

    @Test func `a user's mark in the log is the same`() throws {
        let key = try SigningKey(Self.key)
        #expect(TextSeal(key: key, purpose: "users in the log").mark(of: "sid:1") == "38162f1572db89ce")
        let names = TextSeal(key: key, purpose: "names in the log")
        #expect(["ann", "eve"].map(names.mark) == ["1e799866b7b4dbad", "5a2cacc151f69ad8"])
    }

    @Test func `a master key stands for itself by the same digits`() throws {
        let authenticator = Authenticator(verifier: TokenVerifier(), masterKey: try SharedSecret("the-master-key"))
        #expect(
            authenticator.masterKeyMark { $0 } == "1ca0b83f381e27c0496528ef752d30c7eb2f7508575247ed3e3433d5fefe5990")
    }

    /// RFC 7636 appendix B.
    @Test func `a challenge of PKCE is the one of its standard`() {
        #expect(
            CodeChallenge.text(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test(arguments: [
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM=", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw cM=",
    ])
    func `a challenge is read in the standard's form and in that of the libraries`(text: String) {
        #expect(CodeChallenge.canonical(text) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test(arguments: [
        "", "=", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM==", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cMA",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw.cM",
        "13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3",
    ])
    func `what is no digest is no challenge`(text: String) {
        #expect(CodeChallenge.canonical(text) == nil)
    }
}
