public import Access
public import Testing

/// A token that has to be refused, and why.
public struct ForgedToken: Sendable, CustomTestStringConvertible {
    /// What is wrong with it.
    public let name: String
    /// Why it is refused.
    public let fault: TokenFault
    /// Makes it.
    public let make: @Sendable () throws -> String

    init(_ name: String, _ fault: TokenFault, _ make: @escaping @Sendable () throws -> String) {
        self.name = name
        self.fault = fault
        self.make = make
    }

    /// Its name.
    public var testDescription: String { name }

    /// A token with another header or payload, signed with the server's key.
    static func header(_ name: String, _ fault: TokenFault, _ header: String) -> ForgedToken {
        ForgedToken(name, fault) { try TokenForge.token(header) }
    }

    static func payload(_ name: String, _ fault: TokenFault, _ payload: String) -> ForgedToken {
        ForgedToken(name, fault) { try TokenForge.token(TokenForge.goodHeader, payload) }
    }

    static func text(_ name: String, _ fault: TokenFault, _ text: String) -> ForgedToken {
        ForgedToken(name, fault) { text }
    }

    /// All of them.
    public static let all = shapes + headers + algorithms + signatures + payloads + mobileServices

    static let shapes: [ForgedToken] = [
        .text("empty", .malformed, ""),
        .text("a word", .malformed, "garbage"),
        .text("one dot", .malformed, "."),
        .text("two dots", .malformed, ".."),
        .text("three dots", .malformed, "..."),
        .text("the scheme alone", .malformed, "Bearer "),
        .text("the scheme without a blank", .malformed, "Bearer"),
        .text("another scheme", .malformed, "Basic dXNlcjpwYXNz"),
        .text("not ASCII", .malformed, "é.é.é"),
        .text("JSON instead", .malformed, TokenForge.goodPayload),
        ForgedToken("the scheme twice", .malformed) { "Bearer Bearer " + (try TokenForge.token()) },
        ForgedToken("the scheme and no blank", .malformed) { "Bearer" + (try TokenForge.token()) },
        ForgedToken("two parts", .malformed) {
            try TokenForge.token().split(separator: ".").prefix(2).joined(separator: ".")
        },
        ForgedToken("four parts", .malformed) { try TokenForge.token() + ".e30" },
        ForgedToken("five parts, as if encrypted", .malformed) { try TokenForge.token() + ".e30.e30" },
        ForgedToken("a blank behind", .malformed) { try TokenForge.token() + " " },
        ForgedToken("a newline behind", .malformed) { try TokenForge.token() + "\n" },
        ForgedToken("a NUL behind", .malformed) { try TokenForge.token() + "\0" },
        ForgedToken("padding behind", .malformed) { try TokenForge.token() + "=" },
        ForgedToken("loose bits in the signature", .malformed) {
            let token = try TokenForge.token()
            // 32 bytes leave two bits of the last digit unused; they are zero in what the server makes.
            let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            let last = try #require(token.last.flatMap { digits.firstIndex(of: $0) })
            return token.dropLast() + String(digits[last + 1])
        },
        ForgedToken("the other base64 alphabet", .malformed) {
            try TokenForge.token(by: .bytes(Array(repeating: 0xFF, count: 33))).replacing("_", with: "/")
        },
        ForgedToken("one byte too many", .tooLarge) {
            let token = try TokenForge.token()
            return token + String(repeating: "A", count: TokenVerifier.maximumTokenBytes + 1 - token.utf8.count)
        },
        .text("a megabyte", .tooLarge, String(repeating: ".", count: 1 << 20)),
    ]

    static let headers: [ForgedToken] = [
        .header("an empty header", .malformed, ""),
        .header("a header of blanks", .malformed, "  "),
        .header("a header that is no JSON", .malformed, "alg:HS256"),
        .header("an array as header", .malformed, #"["alg","HS256"]"#),
        .header("a text as header", .malformed, #""HS256""#),
        .header("null as header", .malformed, "null"),
        .header("text after the header", .malformed, #"{"alg":"HS256"} {}"#),
        .header("an unfinished header", .malformed, #"{"alg":"HS256""#),
        .header("a comment in the header", .malformed, #"{"alg":"HS256"/**/}"#),
        .header("an escaped NUL in the header", .malformed, #"{"alg":"HS256\u0000"}"#),
        .header(
            "a header nested too deep", .malformed,
            #"{"alg":"HS256","a":"# + String(repeating: "[", count: 70) + String(repeating: "]", count: 70) + "}"),
        ForgedToken("a header that is no UTF-8", .malformed) {
            try TokenForge.token(Array(#"{"alg":"HS256","a":""#.utf8) + [0xFF] + Array(#""}"#.utf8), [])
        },
        .header("the algorithm twice", .duplicateMember, #"{"alg":"none","alg":"HS256"}"#),
        .header("the algorithm twice, once escaped", .duplicateMember, #"{"\u0061lg":"none","alg":"HS256"}"#),
        .header("a member twice deeper down", .duplicateMember, #"{"alg":"HS256","a":[{"b":1,"b":2}]}"#),
        .header("a key in the header", .embeddedKey, #"{"alg":"HS256","jwk":{"kty":"oct","k":"AAAA"}}"#),
        .header("null as a key in the header", .embeddedKey, #"{"alg":"HS256","jwk":null}"#),
        .header("a key set's address", .embeddedKey, #"{"alg":"HS256","jku":"https://evil.example/keys"}"#),
        .header("a certificate's address", .embeddedKey, #"{"alg":"HS256","x5u":"https://evil.example/cert"}"#),
        .header("a certificate", .embeddedKey, #"{"alg":"HS256","x5c":["MIIB"]}"#),
        .header("a critical extension", .criticalExtension, #"{"alg":"HS256","crit":["exp"],"exp":4000000000}"#),
        .header("an unencoded payload", .criticalExtension, #"{"alg":"HS256","crit":["b64"],"b64":false}"#),
        .header("an empty list of extensions", .criticalExtension, #"{"alg":"HS256","crit":[]}"#),
        .header("extensions of a wrong type", .criticalExtension, #"{"alg":"HS256","crit":null}"#),
        .header("an object as key id", .malformed, #"{"alg":"HS256","kid":{}}"#),
        .header("a boolean as key id", .malformed, #"{"alg":"HS256","kid":true}"#),
        .header("null as key id", .malformed, #"{"alg":"HS256","kid":null}"#),
        ForgedToken("a key id that points at a file", .badSignature) {
            try TokenForge.token(#"{"alg":"HS256","kid":"../../../dev/null"}"#, by: .hmacWith([]))
        },
        ForgedToken("a key of the header's own", .embeddedKey) {
            let key = TokenForge.text(TokenForge.ed25519.point)
            return try TokenForge.token(
                #"{"alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":"\#(key)"}}"#, by: .ed25519)
        },
    ]

    static let algorithms: [ForgedToken] =
        ["none", "None", "NONE", "nOnE"].map { name in
            ForgedToken("unsigned: \(name)", .unsupportedAlgorithm) {
                try TokenForge.token(#"{"alg":"\#(name)"}"#, by: .bytes([]))
            }
        }
        + [
            "", "hs256", "HS256 ", "HS1", "HS224", "RS256 ", "rs256", "ps256", "RS1", "ES256K", "Ed448", "ed25519",
            "eddsa", "HMACSHA256", "dir", "A128KW", "RSA-OAEP",
        ].map { ForgedToken.header("algorithm '\($0)'", .unsupportedAlgorithm, #"{"alg":"\#($0)"}"#) }
        // The server has no key for them: its RSA key says that it is for RS256.
        + ["RS384", "RS512", "PS256", "PS384", "PS512", "ES384", "ES512"].map {
            ForgedToken.header("algorithm '\($0)'", .unknownKey, #"{"alg":"\#($0)"}"#)
        }
        + [
            .header("none with a good signature", .unsupportedAlgorithm, #"{"alg":"none"}"#),
            .header("no algorithm", .malformed, #"{"typ":"JWT"}"#),
            .header("the algorithm in capitals", .malformed, #"{"ALG":"HS256"}"#),
            .header("null as algorithm", .malformed, #"{"alg":null}"#),
            .header("a number as algorithm", .malformed, #"{"alg":256}"#),
            .header("a list as algorithm", .malformed, #"{"alg":["HS256"]}"#),
            ForgedToken("HMAC with the RSA key as PEM", .badSignature) {
                try TokenForge.token(by: .hmacWith(TokenForge.rsa.publicPEM))
            },
            ForgedToken("HMAC with the RSA key as DER", .badSignature) {
                try TokenForge.token(by: .hmacWith(TokenForge.rsa.publicDER))
            },
            ForgedToken("HMAC with the RSA modulus", .badSignature) {
                try TokenForge.token(#"{"alg":"HS256","kid":"r"}"#, by: .hmacWith(TokenForge.rsa.modulus))
            },
            ForgedToken("HMAC with the P-256 key", .badSignature) {
                try TokenForge.token(#"{"alg":"HS256","kid":"e"}"#, by: .hmacWith(TokenForge.p256.point))
            },
            ForgedToken("HMAC with the Ed25519 key", .badSignature) {
                try TokenForge.token(#"{"alg":"HS256","kid":"o"}"#, by: .hmacWith(TokenForge.ed25519.point))
            },
            ForgedToken("HMAC with the whole key set", .badSignature) {
                try TokenForge.token(by: .hmacWith(Array(TokenForge.keySet().utf8)))
            },
            ForgedToken("Ed25519's newer name, HMAC's signature", .badSignature) {
                try TokenForge.token(#"{"alg":"Ed25519"}"#)
            },
            ForgedToken("RSA's name, HMAC's signature", .badSignature) {
                try TokenForge.token(#"{"alg":"RS256","kid":"r"}"#)
            },
            ForgedToken("RSA's name, P-256's signature", .badSignature) {
                try TokenForge.token(#"{"alg":"RS256"}"#, by: .p256)
            },
            ForgedToken("P-256's name, Ed25519's signature", .badSignature) {
                try TokenForge.token(#"{"alg":"ES256"}"#, by: .ed25519)
            },
            ForgedToken("Ed25519's name, P-256's signature", .badSignature) {
                try TokenForge.token(#"{"alg":"EdDSA"}"#, by: .p256)
            },
            ForgedToken("RSA's name, P-256's key", .unknownKey) {
                try TokenForge.token(#"{"alg":"RS256","kid":"e"}"#, by: .rsa)
            },
            ForgedToken("an unknown key id", .unknownKey) {
                try TokenForge.token(#"{"alg":"ES256","kid":"x"}"#, by: .p256)
            },
            ForgedToken("a larger hash than was used", .badSignature) {
                try TokenForge.token(#"{"alg":"HS512"}"#, by: .secret(.sha256))
            },
            ForgedToken("a smaller hash than was used", .badSignature) {
                try TokenForge.token(#"{"alg":"HS256"}"#, by: .secret(.sha512))
            },
        ]

    static let signatures: [ForgedToken] = [
        ForgedToken("no signature", .badSignature) { try TokenForge.token(by: .bytes([])) },
        ForgedToken("a signature of zeros", .badSignature) {
            try TokenForge.token(by: .bytes(Array(repeating: 0, count: 32)))
        },
        ForgedToken("an empty key", .badSignature) { try TokenForge.token(by: .hmacWith([])) },
        ForgedToken("the Node server's default key", .badSignature) {
            try TokenForge.token(by: .hmacWith(Array("0000".utf8)))
        },
        ForgedToken("another key", .badSignature) { try TokenForge.token(by: .hmacWith(Array("another".utf8))) },
        ForgedToken("the master key itself", .badSignature) {
            try TokenForge.token(by: .hmacWith(Array(TokenForge.masterKey.utf8)))
        },
        ForgedToken("a signature cut short", .badSignature) {
            try TokenForge.token().split(separator: ".").enumerated()
                .map { $0.offset == 2 ? $0.element.prefix(40) : $0.element }.joined(separator: ".")
        },
        ForgedToken("a signature with more behind", .badSignature) { try TokenForge.token().dropLast() + "AAAAA" },
        ForgedToken("another user's payload", .badSignature) {
            var parts = try TokenForge.token().split(separator: ".").map(String.init)
            parts[1] = TokenForge.text(Array(TokenForge.goodPayload.replacing("sid:1", with: "sid:2").utf8))
            return parts.joined(separator: ".")
        },
        ForgedToken("a header changed afterwards", .badSignature) {
            var parts = try TokenForge.token().split(separator: ".").map(String.init)
            parts[0] = TokenForge.text(Array(#"{"alg":"HS256"}"#.utf8))
            return parts.joined(separator: ".")
        },
        ForgedToken("P-256 in DER", .badSignature) { try TokenForge.token(#"{"alg":"ES256"}"#, by: .p256InDER) },
        ForgedToken("P-256 of zeros", .badSignature) {
            try TokenForge.token(#"{"alg":"ES256"}"#, by: .bytes(Array(repeating: 0, count: 64)))
        },
        ForgedToken("no P-256 signature", .badSignature) { try TokenForge.token(#"{"alg":"ES256"}"#, by: .bytes([])) },
        ForgedToken("RSA of zeros", .badSignature) {
            try TokenForge.token(#"{"alg":"RS256"}"#, by: .bytes(Array(repeating: 0, count: 256)))
        },
        ForgedToken("no RSA signature", .badSignature) { try TokenForge.token(#"{"alg":"RS256"}"#, by: .bytes([])) },
        ForgedToken("Ed25519 of zeros", .badSignature) {
            try TokenForge.token(#"{"alg":"EdDSA"}"#, by: .bytes(Array(repeating: 0, count: 64)))
        },
        ForgedToken("no Ed25519 signature", .badSignature) {
            try TokenForge.token(#"{"alg":"EdDSA"}"#, by: .bytes([]))
        },
    ]
}
