import Scalars

/// A text that Mobile Services took for a date, so that a column made for it holds dates.
struct ServicesDate {
    private let instant: Instant

    /// Reads `2014-10-10T08:30:00Z` or `2014-10-10T08:30:00.123Z`, or milliseconds since 1970 as `/Date(1412929800123)/`.
    /// - Returns: nil for every other text, also for dates in other forms.
    init?(_ text: String) {
        let length = text.utf8.count
        if text.hasPrefix("/Date("), text.hasSuffix(")/"), length > 8 {
            let digits = text.dropFirst(6).dropLast(2)
            guard let milliseconds = Int64(digits), String(milliseconds) == digits else { return nil }
            instant = Instant(milliseconds: milliseconds)
            // Beyond the years 1 to 9999 it would not be written as it was sent.
            guard Instant(instant.wireText) == instant else { return nil }
        } else {
            guard length == 20 || length == Instant.wireLength, let parsed = Instant(text) else { return nil }
            let wireText = parsed.wireText
            guard text == wireText || text == wireText.dropLast(5) + "Z" else { return nil }
            instant = parsed
        }
    }

    /// The form of all dates in answers.
    var wireText: String { instant.wireText }
}
