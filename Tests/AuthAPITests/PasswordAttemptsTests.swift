import Testing
import ZumoProtocol

@testable import AuthAPI

/// No time goes by in which an attempt would be forgiven, however busy the machine.
private struct StoppedClock: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let now = ContinuousClock.now
        try await RateLimit.$clock.withValue(RateLimit.Clock { now }) { try await function() }
    }
}

@Suite(StoppedClock()) struct `Attempts at passwords` {
    /// - Returns: whether it may be made.
    private static func fail(_ attempts: PasswordAttempts, _ user: String, from address: String) -> Bool {
        (try? attempts.begin(user, from: address)) != nil
    }

    @Test func `are not forgotten for a flood of other names`() {
        let attempts = PasswordAttempts()
        for _ in 0..<10 { #expect(Self.fail(attempts, "ann", from: "a")) }
        #expect(!Self.fail(attempts, "ann", from: "a"))
        for number in 0..<10_050 { #expect(Self.fail(attempts, "name \(number)", from: "\(number)")) }
        #expect(!Self.fail(attempts, "ann", from: "a"))
    }

    @Test func `of a user whose name looks alike are another's`() throws {
        let attempts = PasswordAttempts()
        attempts.succeed(try attempts.begin("jos\u{E9}", from: "home"))
        for _ in 0..<12 { #expect(Self.fail(attempts, "jos\u{E9}", from: "home")) }
        for _ in 0..<10 { #expect(Self.fail(attempts, "jose\u{301}", from: "home")) }
        #expect(!Self.fail(attempts, "jose\u{301}", from: "home"))
    }

    @Test func `of one address keep nobody else out`() {
        let attempts = PasswordAttempts()
        for _ in 0..<30 { _ = Self.fail(attempts, "ann", from: "a") }
        #expect(!Self.fail(attempts, "ann", from: "a"))
        #expect(Self.fail(attempts, "ann", from: "b"))
    }

    @Test func `of many addresses are bounded for the user, but not where the user has logged in from`() throws {
        let attempts = PasswordAttempts()
        attempts.succeed(try attempts.begin("ann", from: "home"))
        var count = 0
        while count < 200, Self.fail(attempts, "ann", from: "\(count)") { count += 1 }
        #expect(count == 100)
        for _ in 0..<20 { #expect(Self.fail(attempts, "ann", from: "home")) }
        #expect(Self.fail(attempts, "bob", from: "0"))
    }

    @Test func `that were right, or not looked at, don't count as failures`() throws {
        let attempts = PasswordAttempts()
        for number in 0..<20 {
            let attempt = try attempts.begin("user \(number)", from: "office")
            number.isMultiple(of: 2) ? attempts.succeed(attempt) : attempts.giveUp(attempt)
        }
        for _ in 0..<10 { attempts.giveUp(try attempts.begin("ann", from: "office")) }
        // Each is work, so that the address's bound holds all the same.
        #expect(!Self.fail(attempts, "ann", from: "office"))
    }
}
