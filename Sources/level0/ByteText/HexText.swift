extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits.
    public var hexText: String { Array(self).digits }
}

extension [UInt8] {
    // Only for arrays, because a generic sequence makes a call for each element.
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
    /// The number as lower-case hexadecimal digits, padded with zeros to the type's width.
    public var hexText: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}

extension [UInt8] {
    /// Decodes hexadecimal digits in either case.
    /// - Returns: nil if the text doesn't consist of pairs of digits.
    public init?(hexText: String) {
        self.init(hexDigits: Array<UInt8>(hexText.utf8))
    }

    /// Decodes hexadecimal digits in ASCII.
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
