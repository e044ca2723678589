import Testing

@testable import ZumoProtocol

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

    @Test func `gives turns ahead of time to those who wait for them, one after the other, but not too far ahead`() {
        let limit = RateLimit(burst: 1, perMinute: 60)
        let start = ContinuousClock.now
        for wait in [0, 1, 2] {
            #expect(limit.reserve(for: "a", within: .seconds(2), at: start) == .seconds(wait))
        }
        #expect(limit.reserve(for: "a", within: .seconds(2), at: start) == nil)
        #expect(limit.reserve(for: "b", within: .seconds(2), at: start) == .zero)
        #expect(limit.reserve(for: "a", within: .seconds(2), at: start + .seconds(1)) == .seconds(2))
        #expect(limit.wait(for: "a", at: start + .seconds(3)) == 1)
        #expect(limit.wait(for: "a", at: start + .seconds(4)) == nil)
    }

    @Test func `counts callers apart whose names look alike`() {
        let limit = RateLimit(burst: 1, perMinute: 1)
        let start = ContinuousClock.now
        #expect(limit.wait(for: "jos\u{E9}", at: start) == nil)
        #expect(limit.wait(for: "jose\u{301}", at: start) == nil)
        #expect(limit.wait(for: "jos\u{E9}", at: start) != nil)
    }

    @Test func `gives nobody turns back for a flood of other callers`() {
        let limit = RateLimit(burst: 2, perMinute: 1, callers: 10)
        let start = ContinuousClock.now
        for _ in 0..<2 { #expect(limit.wait(for: "ann", at: start) == nil) }
        for number in 0..<10_050 { _ = limit.wait(for: "\(number)", at: start + .microseconds(30 * number)) }
        #expect(limit.wait(for: "ann", at: start + .seconds(1)) == 59)
        // A caller who found no room has no more turns than another.
        let turns = (0..<5).filter { _ in limit.wait(for: "bob", at: start + .seconds(1)) == nil }
        #expect(turns.count <= 2)
        #expect(limit.wait(for: "bob", at: start + .seconds(2)) != nil)
    }

    @Test func `has room again once buckets are full again, and forgets no turn that was taken`() {
        let limit = RateLimit(burst: 1, perMinute: 60, callers: 10)
        let start = ContinuousClock.now
        for number in 0..<100_000 { _ = limit.wait(for: "\(number)", at: start) }
        #expect(limit.wait(for: "x", at: start) != nil)
        for number in 0..<10 { #expect(limit.wait(for: "y\(number)", at: start + .seconds(2)) == nil) }
        for number in 0..<10 { #expect(limit.wait(for: "y\(number)", at: start + .seconds(2)) != nil) }
    }

    @Test func `takes back a turn that was not to count`() {
        let limit = RateLimit(burst: 1, perMinute: 1)
        let start = ContinuousClock.now
        for _ in 0..<3 {
            #expect(limit.wait(for: "a", at: start) == nil)
            limit.giveBack(to: "a", at: start)
        }
        #expect(limit.waitAhead(of: "a", at: start) == nil)
        #expect(limit.wait(for: "a", at: start) == nil)
        #expect(limit.waitAhead(of: "a", at: start) == 60)
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

    @Test func `devices that share a turn are told to come one behind the other`() {
        let limit = RateLimit(burst: 10, perMinute: 600)
        let start = ContinuousClock.now
        for _ in 0..<10 { #expect(limit.spreadWait(for: "a", at: start) == nil) }
        let told = (0..<900).compactMap { _ in limit.spreadWait(for: "a", at: start) }
        #expect(told.count == 900 && told.first == 1 && told.last == 90)
        // Each that comes when it was told to has its turn.
        for second in 1...90 {
            let came = told.count { $0 == second }
            for _ in 0..<came { #expect(limit.spreadWait(for: "a", at: start + .seconds(second)) == nil) }
        }
        #expect(limit.spreadWait(for: "b", at: start) == nil)
    }
}
