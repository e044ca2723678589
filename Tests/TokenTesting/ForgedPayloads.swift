import Access

extension ForgedToken {
    private static func claims(_ name: String, _ fault: TokenFault, _ rest: String) -> ForgedToken {
        .payload(name, fault, #"{"sub":"sid:1","iss":"urn:issuer","aud":"urn:audience","# + rest + "}")
    }

    private static func audience(_ name: String, _ value: String) -> ForgedToken {
        .payload(name, .wrongAudience, #"{"sub":"sid:1","iss":"urn:issuer","aud":\#(value)}"#)
    }

    private static func issuer(_ name: String, _ value: String) -> ForgedToken {
        .payload(name, .wrongIssuer, #"{"sub":"sid:1","iss":\#(value),"aud":"urn:audience"}"#)
    }

    private static func subject(_ name: String, _ value: String) -> ForgedToken {
        .payload(name, .missingUser, #"{"sub":\#(value),"iss":"urn:issuer","aud":"urn:audience"}"#)
    }

    /// Rightly signed, and wrong all the same.
    static let payloads: [ForgedToken] = [
        .payload("an empty payload", .malformed, ""),
        .payload("a payload that is no JSON", .malformed, "sub=sid:1"),
        .payload("an array as payload", .malformed, "[]"),
        .payload("a text as payload", .malformed, #""sid:1""#),
        .payload("a token in a token", .malformed, "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"),
        .payload("text after the payload", .malformed, TokenForge.goodPayload + "x"),
        .payload("a payload of nothing", .wrongIssuer, "{}"),
        ForgedToken("a payload that is no UTF-8", .malformed) {
            try TokenForge.token(Array(TokenForge.goodHeader.utf8), [0x7B, 0x22, 0xC3, 0x28, 0x22, 0x3A, 0x31, 0x7D])
        },
        claims("two users", .duplicateMember, #""sub":"sid:2""#),
        claims("two expiries", .duplicateMember, #""exp":1,"exp":4000000000"#),
        claims("a claim twice deeper down", .duplicateMember, #""a":{"b":{"c":1,"c":1}}"#),
        claims("an expiry long ago", .expired, #""exp":1"#),
        claims("an expiry in the negative", .expired, #""exp":-1e300"#),
        claims("a start in the future", .notYetValid, #""nbf":5000000000"#),
        claims("a start beyond all time", .notYetValid, #""nbf":9223372036854775807"#),
        claims("a text as expiry", .malformed, #""exp":"4000000000""#),
        claims("null as expiry", .malformed, #""exp":null"#),
        claims("a boolean as expiry", .malformed, #""exp":true"#),
        claims("a list as expiry", .malformed, #""exp":[4000000000]"#),
        claims("an expiry beyond all numbers", .malformed, #""exp":1e400"#),
        claims("a text as start", .malformed, #""nbf":"0""#),
        claims("null as start", .malformed, #""nbf":null"#),
        .payload("no issuer", .wrongIssuer, #"{"sub":"sid:1","aud":"urn:audience"}"#),
        issuer("another issuer", #""urn:evil""#),
        issuer("the issuer in capitals", #""URN:ISSUER""#),
        issuer("the issuer with a slash", #""urn:issuer/""#),
        issuer("the issuer and more", #""urn:issuer urn:evil""#),
        issuer("an empty issuer", #""""#),
        issuer("a list of issuers", #"["urn:issuer"]"#),
        issuer("null as issuer", "null"),
        .payload("no audience", .wrongAudience, #"{"sub":"sid:1","iss":"urn:issuer"}"#),
        audience("another audience", #""urn:evil""#),
        audience("an empty audience", #""""#),
        audience("an audience for v1", #""Custom""#),
        audience("an empty list of audiences", "[]"),
        audience("a list of others", #"["urn:evil","urn:audience/"]"#),
        audience("a list in a list", #"[["urn:audience"]]"#),
        audience("an object as audience", #"{"urn:audience":true}"#),
        audience("null as audience", "null"),
        audience("a number as audience", "1"),
        .payload("no user", .missingUser, #"{"iss":"urn:issuer","aud":"urn:audience"}"#),
        .payload(
            "v1's claim for the user", .missingUser, #"{"uid":"Custom:1","iss":"urn:issuer","aud":"urn:audience"}"#),
        subject("an empty user", #""""#),
        subject("null as user", "null"),
        subject("a number as user", "1"),
        subject("a list of users", #"["sid:1"]"#),
    ]

    static let mobileServices: [ForgedToken] = [
        ("v1 without an expiry", TokenFault.missingExpiry, #""exp":4000000000,"#, ""),
        ("v1 long expired", .expired, #""exp":4000000000"#, #""exp":700"#),
        ("v1 with a text as expiry", .malformed, #""exp":4000000000"#, #""exp":"4000000000""#),
        ("v1 of another issuer", .wrongIssuer, "urn:microsoft:windows-azure:zumo", "urn:issuer"),
        ("v1 with v2's claim for the user", .missingUser, #""uid""#, #""sub""#),
        ("v1 with an empty user", .missingUser, #""Custom:1""#, #""""#),
        ("v1 with two users", .duplicateMember, #""ver":2"#, #""uid":"Custom:2""#),
    ].map { name, fault, part, replacement in
        ForgedToken(name, fault) {
            let payload = TokenForge.goodMobileServicesPayload.replacing(part, with: replacement)
            return try TokenForge.mobileServicesToken(#"{"alg":"HS256","kid":"0"}"#, payload)
        }
    }
}
