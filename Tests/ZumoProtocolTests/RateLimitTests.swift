import Testing
import ZumoProtocol

@Suite struct `A rate limit` {
    @Test func `lets a burst go ahead and then one after the other`() {
        let limit = RateLimit(burst: 3, perMinute: 6)
        let start = ContinuousClock.now
        for _ in 0..<3 { #expect(limit.wait(for: "a", at: start) == nil) }
        #expect(limit.wait(for: "a", at: start) == 10)
        #expect(limit.wait(for: "b", at: start) == nil)
        #expect(limit.wait(for: "a", at: start + .seconds(9)) == 1)
        #expect(limit.wait(for: "a", at: start + .seconds(10)) == nil)
        #expect(limit.wait(for: "a", at: start + .seconds(10)) == 10)
        for _ in 0..<3 { #expect(limit.wait(for: "a", at: start + .seconds(1_000)) == nil) }
        #expect(limit.wait(for: "a", at: start + .seconds(1_000)) != nil)
    }

    @Test func `remembers no more callers than it may`() {
        let limit = RateLimit(burst: 1, perMinute: 1, callers: 10)
        let start = ContinuousClock.now
        for number in 0..<1_000 {
            #expect(limit.wait(for: "\(number)", at: start + .milliseconds(number)) == nil)
        }
        #expect(limit.wait(for: "999", at: start + .seconds(1)) != nil)
        #expect(limit.wait(for: "0", at: start + .seconds(1)) == nil)
    }
}

@Suite struct `Trusted proxies` {
    @Test(arguments: [
        ("10.1.2.3", true), ("10.255.0.1", true), ("11.0.0.1", false), ("192.0.2.7", true), ("192.0.2.8", false),
        ("2001:db8::1", true), ("2001:db9::1", false), ("::ffff:10.0.0.1", true), ("", false), ("x", false),
    ])
    func `are those of the networks`(_ address: String, _ isTrusted: Bool) throws {
        let proxies = try #require(TrustedProxies(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]))
        #expect(proxies.contain(address) == isTrusted)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0/8", "::/129", "host", "", "10.0.0.1/-1"])
    func `can't be read from anything else`(_ text: String) {
        #expect(TrustedProxies([text]) == nil)
    }
}
