/// How often an address is told that a key is wrong. The right one always counts: whoever else shares the address, as all do
/// behind a proxy that nobody trusts, must not keep the operator out, and keys are too long to be found by trying.
public struct KeyAttempts: Sendable {
    private let failures = RateLimit(burst: 100, perMinute: 30)

    /// None yet.
    public init() {}

    /// Counts a wrong key.
    /// - Returns: nil where it is told so; else how long the address has to wait, in seconds.
    func fail(from address: String) -> Int? {
        failures.wait(for: address)
    }
}
