import Synchronization

/// Bits that look random and are the same after each start from one seed (SplitMix64, by Steele, Lea and Flood).
final class SeededBits: Sendable {
    private let state: Atomic<UInt64>

    /// Starts a sequence.
    init(seed: UInt64) {
        state = Atomic(seed)
    }

    /// Starts another sequence.
    func restart(at seed: UInt64) {
        state.store(seed, ordering: .relaxed)
    }

    /// Returns the next bits of the sequence.
    func next() -> UInt64 {
        var bits = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns a number from 0 up to but not including 1.
    func fraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}
