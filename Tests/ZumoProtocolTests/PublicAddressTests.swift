import HTTPModel
import Testing
import ZumoProtocol

@Suite struct `The address that clients reach` {
    private static func base(
        _ fields: [(StaticString, String)], peer: String = "127.0.0.1", publicURL: String? = nil
    ) -> String {
        var request = HTTPRequest(method: .get, target: Array("/".utf8), peer: peer)
        for (name, value) in fields { request.fields.append(name, value) }
        return PublicAddress(request, publicURL: publicURL, trusting: .loopback).base
    }

    @Test(
        arguments: [
            ([("Host", "a.example:81")], "http://a.example:81"),
            ([("Host", "[::1]:8080")], "http://[::1]:8080"),
            ([], "http://localhost"),
            ([("Host", "a.example/evil")], "http://localhost"),
            ([("Host", "a.example, b")], "http://localhost"),
            ([("Host", "a"), ("X-Forwarded-Proto", "https")], "https://a"),
            ([("Host", "a"), ("X-Forwarded-Proto", "HTTPS, http")], "https://a"),
            ([("Host", "a"), ("X-Forwarded-Proto", "javascript")], "http://a"),
            ([("Host", "a"), ("X-Forwarded-Host", "b.example:8443")], "http://b.example:8443"),
            ([("Host", "a"), ("X-Forwarded-Host", "b, c")], "http://b"),
            ([("Host", "a"), ("X-Forwarded-Host", "b>; rel=next")], "http://a"),
            ([("Host", "a"), ("Forwarded", "for=192.0.2.1; Proto=https ;Host=\"b:8443\"")], "https://b:8443"),
            ([("Host", "a"), ("Forwarded", "host=b;proto=https, host=c;proto=http")], "https://b"),
            ([("Host", "a"), ("Forwarded", "proto=https"), ("X-Forwarded-Host", "b")], "https://b"),
            ([("Host", "a"), ("Forwarded", "host=b"), ("X-Forwarded-Host", "c")], "http://b"),
            ([("Host", "a"), ("Forwarded", "nonsense")], "http://a"),
        ] as [([(StaticString, String)], String)])
    func `a proxy on this machine is believed before the Host field`(
        _ fields: [(StaticString, String)], _ base: String
    ) {
        #expect(Self.base(fields) == base)
    }

    @Test(arguments: ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
    func `loopback addresses are this machine`(_ peer: String) {
        #expect(Self.base([("Host", "a"), ("X-Forwarded-Host", "b")], peer: peer) == "http://b")
    }

    @Test(arguments: ["192.0.2.1", "1270.0.0.1", "::ffff:192.0.2.1", "2001:db8::1", ""])
    func `anybody else is not believed`(_ peer: String) {
        let fields: [(StaticString, String)] = [
            ("Host", "a"), ("X-Forwarded-Host", "b"), ("X-Forwarded-Proto", "https"), ("Forwarded", "host=c"),
        ]
        #expect(Self.base(fields, peer: peer) == "http://a")
    }

    @Test func `a configured address is the only one`() {
        let fields: [(StaticString, String)] = [("Host", "a"), ("X-Forwarded-Host", "b")]
        #expect(Self.base(fields, publicURL: "https://c.example/base") == "https://c.example/base")
    }
}
