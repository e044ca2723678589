import Foundation

/// Random numbers that come the same for the same seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes a generator.
    public init(seed: UInt64) {
        state = seed
    }

    /// The seed of a test, which is printed so that the test can be made again, as far as a machine's timing is.
    /// - Returns: `ZUMOD_TEST_SEED`, or any number without it.
    public static func printedSeed(of test: String) -> UInt64 {
        let seed = UInt64(ProcessInfo.processInfo.environment["ZUMOD_TEST_SEED"] ?? "") ?? .random(in: 0...999_999)
        print("\(test) by ZUMOD_TEST_SEED=\(seed)")
        return seed
    }

    /// A generator of a test whose seed is printed.
    public static func printed(_ test: String) -> SeededGenerator {
        SeededGenerator(seed: printedSeed(of: test))
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// True in so many of a hundred cases.
    public mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    /// One of the choices, which are not empty.
    public mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }
}
