/// PostgreSQL's `numeric` in its binary form: a count, a weight, a sign, a scale and digits of base 10,000.
enum NumericCell {
    /// The nearest double; nil for what is no finite number.
    static func double(_ bytes: Span<UInt8>) -> Double? {
        guard bytes.count >= 8 else { return nil }
        func word(_ index: Int) -> Int {
            2 * index + 1 < bytes.count ? Int(bytes[2 * index]) << 8 | Int(bytes[2 * index + 1]) : 0
        }
        let (count, weight, sign) = (word(0), Int(Int16(truncatingIfNeeded: word(1))), word(2))
        guard sign == 0 || sign == 0x4000 else { return nil }
        var text = sign == 0 ? "0" : "-0"
        for index in 0..<count {
            let digits = String(word(4 + index))
            text += String(repeating: "0", count: max(4 - digits.count, 0)) + digits
        }
        return Double(text + "e\(4 * (weight - count + 1))")
    }
}
