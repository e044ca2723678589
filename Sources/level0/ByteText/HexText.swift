extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits.
    public var hexText: String { Array(self).digits }
}

extension [UInt8] {
    // Of arrays alone, as every step of a generic sequence is a call.
    fileprivate var digits: String {
        unsafe String(unsafeUninitializedCapacity: 2 * count) { digits in
            for index in indices {
                unsafe digits[2 * index] = HexDigit.lowerCase(self[index] >> 4)
                unsafe digits[2 * index + 1] = HexDigit.lowerCase(self[index] & 15)
            }
            return 2 * count
        }
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number as lower-case hexadecimal digits: as many as the type has, with zeros in front.
    public var hexText: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}

extension [UInt8] {
    /// The bytes that hexadecimal digits stand for, in either case.
    /// - Returns: nil if the text is not pairs of such digits.
    public init?(hexText: String) {
        self.init(hexDigits: Array<UInt8>(hexText.utf8))
    }

    /// The same for a text's bytes.
    public init?(hexDigits digits: [UInt8]) {
        guard digits.count.isMultiple(of: 2) else { return nil }
        self.init()
        reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = HexDigit.value(of: digits[index]), let low = HexDigit.value(of: digits[index + 1])
            else { return nil }
            append(high << 4 | low)
        }
    }
}
