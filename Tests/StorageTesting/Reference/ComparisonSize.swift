import Foundation

/// How much a comparison tries, and from which seed: the same on every run unless the environment says otherwise, as in
/// `ZUMOD_TEST_SEED=7 ZUMOD_TEST_OPERATIONS=20000 swift test --filter "random operations"`.
public struct ComparisonSize: Sendable {
    /// What the random choices come from; `ZUMOD_TEST_SEED`.
    public let seed: UInt64
    /// Operations or queries.
    public let count: Int

    /// Creates a size that the environment can change.
    /// - Parameters:
    ///   - divisor: what both counts are divided by, for a kind of store that needs less.
    ///   - variable: the environment variable that sets the count.
    public init(_ count: Int, dividedBy divisor: Int = 1, variable: String) {
        let environment = ProcessInfo.processInfo.environment
        self.seed = environment["ZUMOD_TEST_SEED"].flatMap { UInt64($0) } ?? 20_261_121
        self.count = (environment[variable].flatMap { Int($0) } ?? count) / divisor
    }
}
