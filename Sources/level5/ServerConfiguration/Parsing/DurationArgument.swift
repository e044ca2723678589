/// A duration on a command line: a whole number followed by `s`, `m`, `h` or `d`.
package enum DurationArgument {
    /// - Returns: nil if the text is not a duration, or more than a thousand million of its unit.
    package static func parse(_ text: String) -> Duration? {
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
