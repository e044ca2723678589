import ByteText

/// Ids for rows that come without one.
public enum RandomID {
    /// The source of the current task's random bits; nil for the system's. Tests of clients set it, so that two runs
    /// get the same ids.
    @TaskLocal public static var source: Source?

    /// A source of random bits. It is a struct because a task-local value that is a bare function crashes in optimised
    /// programs that are linked statically.
    public struct Source: Sendable {
        fileprivate let next: @Sendable () -> UInt64

        /// - Parameter next: returns 64 bits at each call.
        public init(_ next: @escaping @Sendable () -> UInt64) {
            self.next = next
        }
    }

    /// Returns a random UUID (RFC 9562 version 4) in lower case with hyphens, as the Node server did.
    public static func make() -> String {
        if let source { return text(source.next(), source.next()) }
        var generator = SystemRandomNumberGenerator()
        return text(generator.next(), generator.next())
    }

    /// Returns an id that is the same each time a write is sent, for a write that should be done once.
    public static func make(for receipt: WriteReceipt) -> String {
        let halves = [receipt.key.prefix(8), receipt.key.dropFirst(8).prefix(8)].map { bytes in
            bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return text(halves[0], halves[1])
    }

    /// Returns the id for 128 bits chosen by the caller.
    public static func make(_ first: UInt64, _ second: UInt64) -> String {
        text(first, second)
    }

    private static func text(_ first: UInt64, _ second: UInt64) -> String {
        let high = first & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return unsafe String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for (bits, hyphens) in [(high, 0b0001_0001_0000_0000), (low, 0b0000_0000_0001_0001)] {
                for index in 0..<16 {
                    if hyphens >> index & 1 == 1 {
                        unsafe buffer[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    let digit = UInt8(bits >> UInt64(60 - 4 * index) & 15)
                    unsafe buffer[position] = HexDigit.lowerCase(digit)
                    position += 1
                }
            }
            return position
        }
    }
}
