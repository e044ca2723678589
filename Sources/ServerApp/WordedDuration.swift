/// A length of time as operators write it: a whole number with `s`, `m`, `h` or `d` behind it.
enum WordedDuration {
    /// - Returns: nil for anything else.
    static func read(_ text: String) -> Duration? {
        guard let unit = text.last, let number = Int64(text.dropLast()), (0...1_000_000_000).contains(number) else {
            return nil
        }
        switch unit {
        case "s": return .seconds(number)
        case "m": return .seconds(number * 60)
        case "h": return .seconds(number * 3_600)
        case "d": return .seconds(number * 86_400)
        default: return nil
        }
    }
}
