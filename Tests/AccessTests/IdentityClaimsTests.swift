import Access
import Testing
import TokenTesting

@Suite("What tokens tell of a person")
struct IdentityClaimsTests {
    private static func token(_ claims: String) throws -> String {
        try TokenForge.token(TokenForge.goodHeader, "{\(claims)}")
    }

    @Test func `the server's own token keeps the person, and roles as none of its own`() throws {
        let kept = IdentityClaims.kept(
            of: try Self.token(
                #""sub":"1","iss":"i","aud":"a","exp":1,"nonce":"n","email":"a@b","email_verified":true,"name":"Ann","#
                    + #""picture":"https://p","idp":"x","role":"admin","roles":["r1",2,"r2"],"groups":["g"],"locale":null"#
            ))
        #expect(
            kept == [
                "email": "a@b", "email_verified": "true", "name": "Ann", "picture": "https://p",
                "idp_roles": #"["admin","r1","r2"]"#,
            ])
    }

    @Test func `what is too long for header fields is left out, the least asked for first`() throws {
        let long = String(repeating: "x", count: 900)
        let kept = IdentityClaims.kept(
            of: try Self.token(
                #""email":"a@b","name":"\#(long)","picture":"\#(long)\#(long)","oid":"\#(long)","given_name":"\#(long)","#
                    + #""family_name":"Example""#))
        #expect(Set(kept.keys) == ["email", "name", "oid", "family_name"])
    }

    @Test func `a list's values are claims each, and .NET's names stand beside the short ones`() throws {
        let soap = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
        let all = IdentityClaims.all(
            of: try Self.token(
                #""email":"a@b","exp":1,"email_verified":true,"idp_roles":"[\"r1\",\"r2\"]","a":[],"o":{"x":[1]},"n":null"#
            ))
        let role = "http://schemas.microsoft.com/ws/2008/06/identity/claims/role"
        #expect(
            all.map { "\($0.type)=\($0.value)" } == [
                "email=a@b", "\(soap)emailaddress=a@b", "email_verified=true", "exp=1", "roles=r1", "\(role)=r1",
                "roles=r2", "\(role)=r2", #"o={"x":[1]}"#,
            ])
        #expect(IdentityClaims.all(of: "no token").isEmpty && IdentityClaims.kept(of: "no token").isEmpty)
    }

    @Test func `what is hidden is read by the same key and purpose alone`() throws {
        let (key, other) = (try SigningKey("a key"), try SigningKey("another key"))
        let hidden = SecretSeal(key: key, purpose: "p").hide("a@b")
        #expect(SecretSeal(key: key, purpose: "p").show(hidden) == "a@b")
        #expect(SecretSeal(key: key, purpose: "q").show(hidden) == nil)
        #expect(SecretSeal(key: other, purpose: "p").show(hidden) == nil)
        #expect(SecretSeal(key: key, purpose: "p").show(hidden + "A") == nil)
        // What an older key hid or sealed can be read, and nothing is by it any more.
        #expect(SecretSeal(key: other, older: [key], purpose: "p").show(hidden) == "a@b")
        let newer = SecretSeal(key: other, older: [key], purpose: "p").hide("c")
        #expect(SecretSeal(key: key, purpose: "p").show(newer) == nil)
        let sealed = TextSeal(key: key, purpose: "p").seal("a")
        #expect(TextSeal(key: other, older: [key], purpose: "p").open(sealed) == "a")
        #expect(TextSeal(key: other, older: [key], purpose: "q").open(sealed) == nil)
        #expect(TextSeal(key: other, purpose: "p").open(sealed) == nil)
    }
}
