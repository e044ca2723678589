import Testing

@testable import Access

@Suite("Known answers")
struct KnownAnswerTests {
    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// Joe's token of RFC 7515 names no audience: that it fails there, not sooner, shows that its signature holds.
    private func expectGoodSignature(_ token: String, _ verifier: TokenVerifier) {
        #expect(throws: TokenFault.wrongAudience) { try verifier.verify(token, now: 1_300_819_379) }
        #expect(throws: TokenFault.expired) { try verifier.verify(token, now: 1_300_819_440) }
        let other = token.replacing("eyJpc3Mi", with: "eyJpc3Mj")
        #expect(throws: TokenFault.badSignature) { try verifier.verify(other, now: 0) }
    }

    @Test func `the HS256 token of RFC 7515 holds`() throws {
        let encodedKey = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
        let key = encodedKey.replacing("-", with: "+").replacing("_", with: "/") + "=="
        let verifier = TokenVerifier(signingKey: try SigningKey(key), issuers: ["joe"], audiences: ["none"])
        expectGoodSignature(
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.payload).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            verifier)
    }

    @Test func `the RS256 token of RFC 7515 holds`() throws {
        let keys = try PublicKeySet(
            jwks: """
                {"keys":[{"kty":"RSA","e":"AQAB",\
                "n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4Ql\
                L-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e\
                -KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_\
                h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"}]}
                """)
        expectGoodSignature(
            "eyJhbGciOiJSUzI1NiJ9.\(Self.payload)."
                + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9"
                + "uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB"
                + "_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rq"
                + "Vt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
            TokenVerifier(publicKeys: [TrustedKeySet(keys)], issuers: ["joe"], audiences: ["none"]))
    }

    @Test func `the ES256 token of RFC 7515 holds`() throws {
        let keys = try PublicKeySet(
            jwks: """
                {"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
                "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
                """)
        expectGoodSignature(
            "eyJhbGciOiJFUzI1NiJ9.\(Self.payload)."
                + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
            TokenVerifier(publicKeys: [TrustedKeySet(keys)], issuers: ["joe"], audiences: ["none"]))
    }

    @Test func `the signature of RFC 8037 holds`() throws {
        let keys = try PublicKeySet(
            jwks: #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#)
        let verifier = TokenVerifier(publicKeys: [TrustedKeySet(keys)])
        let signature = "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        let token = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.\(signature)"
        // The payload is a sentence, which is found out after the signature only.
        #expect(throws: TokenFault.malformed) { try verifier.verify(token, now: 0) }
        let other = token.replacing("RXhh", with: "RXhi")
        #expect(throws: TokenFault.badSignature) { try verifier.verify(other, now: 0) }
    }
}
