import HTTPModel
import Tables
import Testing

@testable import TableAPI

@Suite struct `The address that clients reach` {
    private static func base(
        _ fields: [(StaticString, String)], peer: String = "127.0.0.1", publicURL: String? = nil
    ) -> String {
        var request = HTTPRequest(method: .get, target: Array("/".utf8), peer: peer)
        for (name, value) in fields { request.fields.append(name, value) }
        var settings = TableSettings.open
        settings.publicURL = publicURL
        return PublicAddress(request, settings: settings).base
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

    @Test(arguments: [
        ("k1", "k1"), ("it's 日", "it%27s%20%E6%97%A5"), ("a#b?c/d%", "a%23b%3Fc%2Fd%25"), ("a-b._~", "a-b._~"),
        ("a\r\nb", "a%0D%0Ab"),
    ])
    func `a row's address holds its id percent-encoded`(_ id: String, _ encoded: String) throws {
        var settings = TableSettings.open
        settings.publicURL = "https://c.example"
        let address = PublicAddress(HTTPRequest(method: .post, target: Array("/".utf8)), settings: settings)
        let table = Table(name: try #require(Identifier("Todo")), columns: [], rules: TableRules())
        #expect(address.location(of: id, in: table) == "https://c.example/tables/Todo/\(encoded)")
    }
}
