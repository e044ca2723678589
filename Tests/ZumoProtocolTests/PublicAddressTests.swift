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
            ([("Host", "a"), ("Forwarded", "host=[2001:db8::1]:8443;for=_x")], "http://[2001:db8::1]:8443"),
            ([("Host", "a"), ("Forwarded", #"host="b;proto=https";proto=javascript"#)], "http://a"),
            ([("Host", "a"), ("Forwarded", "nonsense")], "http://a"),
        ] as [([(StaticString, String)], String)])
    func `a proxy on this machine is believed before the Host field`(
        _ fields: [(StaticString, String)], _ base: String
    ) {
        #expect(Self.base(fields) == base)
    }

    /// Proxies that set the older fields pass `Forwarded` on as the client sent it.
    @Test(arguments: ["For", "Proto", "Port", "Prefix"])
    func `Forwarded counts for nothing beside any of the older fields`(_ name: String) {
        let value = ["For": "192.0.2.1", "Proto": "http", "Port": "80", "Prefix": "/"][name] ?? ""
        var request = HTTPRequest(method: .get, target: Array("/".utf8), peer: "127.0.0.1")
        request.fields.append("Host", "b")
        request.fields.append("Forwarded", "for=203.0.113.9;host=evil;proto=https")
        request.fields.append(name: Array("X-Forwarded-\(name)".utf8).span, value: Array(value.utf8).span)
        #expect(PublicAddress(request, publicURL: nil, trusting: .loopback).base == "http://b")
        #expect(ClientAddress.of(request, trusting: .loopback) == (name == "For" ? value : "127.0.0.1"))
    }

    @Test(
        arguments: [
            ([("Host", "a:81"), ("X-Forwarded-Port", "8443")], "http://a:8443"),
            ([("Host", "a"), ("X-Forwarded-Port", "443"), ("X-Forwarded-Proto", "https")], "https://a"),
            ([("Host", "a:8080"), ("X-Forwarded-Port", "80")], "http://a"),
            ([("Host", "a:8080"), ("X-Forwarded-Port", "443")], "http://a:443"),
            ([("Host", "a"), ("X-Forwarded-Host", "b"), ("X-Forwarded-Port", "8443, 80")], "http://b:8443"),
            ([("Host", "a"), ("X-Forwarded-Host", "b:9000"), ("X-Forwarded-Port", "8443")], "http://b:9000"),
            ([("Host", "a"), ("X-Forwarded-Host", "[::1]"), ("X-Forwarded-Port", "8443")], "http://[::1]:8443"),
            ([("Host", "a:81"), ("X-Forwarded-Port", "0")], "http://a:81"),
            ([("Host", "a:81"), ("X-Forwarded-Port", "65536")], "http://a:81"),
            ([("Host", "a:81"), ("X-Forwarded-Port", "+80")], "http://a:81"),
            ([("Host", "a:81"), ("X-Forwarded-Port", "8443;x")], "http://a:81"),
            ([("Host", "a:81"), ("X-Forwarded-Port", "")], "http://a:81"),
            ([("Host", "a"), ("X-Forwarded-Host", "b:"), ("X-Forwarded-Port", "90")], "http://a:90"),
        ] as [([(StaticString, String)], String)])
    func `a proxy's port stands in the place of the Host field's`(_ fields: [(StaticString, String)], _ base: String) {
        #expect(Self.base(fields) == base)
    }

    @Test(
        arguments: [
            ("/app", "/app"), ("/app/", "/app"), ("/a/b-c_d.e~f", "/a/b-c_d.e~f"), ("/", ""), ("", ""),
            ("/outer, /inner", "/outer/inner"), ("/outer,/", "/outer"), ("app", ""), ("//evil.example", ""),
            ("/a//b", ""), ("/a/../b", ""), ("/.", ""), ("/a;rel=next", ""), ("/a\"b", ""), ("/a b", ""), ("/a?b", ""),
            ("/a#b", ""), ("/%2e%2e", ""), ("/é", ""), ("https://evil", ""), ("/ok,//evil", ""),
            ("/" + String(repeating: "a", count: 300), ""),
        ])
    func `a proxy's prefix stands before every path`(_ prefix: String, _ path: String) {
        let fields: [(StaticString, String)] = [("Host", "a"), ("X-Forwarded-Prefix", prefix)]
        #expect(Self.base(fields) == "http://a\(path)")
    }

    @Test func `several fields are one list`() {
        let fields: [(StaticString, String)] = [
            ("Host", "a"), ("X-Forwarded-Prefix", "/outer"), ("X-Forwarded-Prefix", "/inner"),
            ("X-Forwarded-Host", "b"), ("X-Forwarded-Host", "c"),
        ]
        #expect(Self.base(fields) == "http://b/outer/inner")
    }

    /// What proxies write behind the client's own words.
    @Test(
        arguments: [
            ([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Host", "evil, b")], "http://b"),
            ([("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Host", "evil, b")], "http://b"),
            ([("X-Forwarded-For", "9.9.9.9, 192.0.2.1"), ("X-Forwarded-Proto", "http, https")], "https://a"),
            ([("X-Forwarded-For", "192.0.2.1, 127.0.0.9"), ("X-Forwarded-Host", "evil, b, inner")], "http://b"),
            ([("X-Forwarded-For", "192.0.2.1, 127.0.0.9"), ("X-Forwarded-Host", "b")], "http://b"),
            ([("X-Forwarded-For", "192.0.2.1, [::1]:80"), ("X-Forwarded-Host", "evil, b, inner")], "http://b"),
            ([("Forwarded", "host=evil, for=127.0.0.1;host=b, for=\"[::1]:80\";host=inner")], "http://b"),
            ([("Forwarded", "host=evil;proto=https, for=192.0.2.1;host=b")], "http://b"),
            ([("Forwarded", "for=1.1.1.1;host=evil, for=192.0.2.1;host=b, for=127.0.0.9;host=c")], "http://b"),
        ] as [([(StaticString, String)], String)])
    func `what the client wrote before the proxy counts for nothing`(
        _ fields: [(StaticString, String)], _ base: String
    ) {
        #expect(Self.base([("Host", "a")] + fields) == base)
    }

    @Test(arguments: ["b:8443:1", "[::1", "::1", "[b]", "b:", ":80", "b:x", "b/", "b@c", "b\r\nX: y", "[::1]x"])
    func `what is no host is as if nobody had said it`(_ host: String) {
        #expect(Self.base([("Host", "a:81"), ("X-Forwarded-Host", host)]) == "http://a:81")
        #expect(Self.base([("Host", "a:81"), ("Forwarded", "host=\"\(host)\"")]) == "http://a:81")
        #expect(Self.base([("Host", host)]) == "http://localhost")
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
