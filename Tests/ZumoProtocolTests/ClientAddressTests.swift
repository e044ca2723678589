import HTTPModel
import Testing
import ZumoProtocol

@Suite struct `The address of a client behind proxies` {
    private static func address(_ fields: [(StaticString, String)], peer: String = "127.0.0.1") throws -> String {
        var request = HTTPRequest(method: .get, target: Array("/".utf8), peer: peer)
        for (name, value) in fields { request.fields.append(name, value) }
        return ClientAddress.of(request, trusting: try #require(TrustedProxies(["127.0.0.0/8", "10.0.0.0/8"])))
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:4711", "192.0.2.1"), ("192.0.2.1, 10.0.0.1:80", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:443", "2001:db8::1"),
            ("198.51.100.9, 192.0.2.1:1", "192.0.2.1"), ("", "127.0.0.1"), ("unknown", "127.0.0.1"),
            ("192.0.2.1:http", "127.0.0.1"), ("192.0.2.1:", "127.0.0.1"), ("[192.0.2.1]:80", "127.0.0.1"),
            ("2001:db8::zz:80", "127.0.0.1"), ("x, 10.0.0.1", "10.0.0.1"),
        ] as [(String, String)])
    func `is the last that is no proxy's in X-Forwarded-For, with a port or without`(
        _ list: String, _ expected: String
    ) throws {
        #expect(try Self.address([("X-Forwarded-For", list)]) == expected)
    }

    @Test(
        arguments: [
            ("for=192.0.2.1", "192.0.2.1"), (#"For="192.0.2.1:4711";proto=https"#, "192.0.2.1"),
            (#"proto=https; for = "[2001:db8::1]:443", for=10.0.0.1"#, "2001:db8::1"),
            ("for=198.51.100.9, for=192.0.2.1", "192.0.2.1"), ("for=192.0.2.1, for=_hidden", "127.0.0.1"),
            ("for=unknown", "127.0.0.1"), ("proto=https", "127.0.0.1"),
            (#"for=192.0.2.1, for="_x:80", for=10.0.0.1"#, "10.0.0.1"), ("nonsense", "127.0.0.1"),
            (#"proto=https;host="a;for=198.51.100.9,for=198.51.100.9";for=192.0.2.1"#, "192.0.2.1"),
            (#"host="a\";for=198.51.100.9";for=192.0.2.1"#, "192.0.2.1"),
        ] as [(String, String)])
    func `is that of Forwarded, and the proxy's where it hides its client`(_ list: String, _ expected: String) throws {
        #expect(try Self.address([("Forwarded", list)]) == expected)
        // Most proxies set the older field and pass the other on as the client sent it.
        #expect(try Self.address([("Forwarded", list), ("X-Forwarded-For", "203.0.113.7")]) == "203.0.113.7")
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8:0:0::/64"),
            ("2001:db8:1:ff::9", "2001:db8:1:ff::/64"), ("::1", "0:0:0:0::/64"),
        ] as [(String, String)])
    func `is told by what limits count, as a network that can be searched for`(
        _ peer: String, _ expected: String
    ) throws {
        let request = HTTPRequest(method: .get, target: Array("/".utf8), peer: peer)
        #expect(ClientAddress.limited(request, trusting: try #require(TrustedProxies(["10.0.0.0/8"]))) == expected)
    }

    @Test func `is the peer's own where no proxy is trusted`() throws {
        let fields: [(StaticString, String)] = [("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.2")]
        #expect(try Self.address(fields, peer: "203.0.113.7") == "203.0.113.7")
    }
}
