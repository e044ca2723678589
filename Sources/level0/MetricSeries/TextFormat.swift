/// Writes the text format 0.0.4.
struct TextFormat {
    private(set) var bytes: [UInt8] = []

    /// Writes the two lines that begin a family.
    mutating func family(_ name: String, _ kind: SeriesKind, help: String?) {
        if let help { line("# HELP \(name) \(Self.escaped(help, quotes: false))") }
        line("# TYPE \(name) \(kind.rawValue)")
    }

    /// - Parameters:
    ///   - labels: the result of `labels`.
    ///   - value: the result of `number`, or a whole number.
    mutating func sample(_ name: String, _ labels: String, _ value: String) {
        line(labels.isEmpty ? "\(name) \(value)" : "\(name){\(labels)} \(value)")
    }

    /// Writes the lines of a series.
    mutating func series(_ name: String, _ labels: String, _ value: MetricReading.Value) {
        switch value {
        case .counter(let count): sample(name, labels, String(count))
        case .gauge(let number): sample(name, labels, Self.number(number))
        case .durations(let counts, let seconds):
            for (bound, count) in counts {
                let bucket = "le=\"\(Self.number(bound))\""
                sample("\(name)_bucket", labels.isEmpty ? bucket : "\(labels),\(bucket)", String(count))
            }
            sample("\(name)_sum", labels, Self.number(seconds))
            // The same number as in the last bucket, even if others measure at the same time.
            sample("\(name)_count", labels, String(counts.last?.count ?? 0))
        }
    }

    private mutating func line(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns labels by name, as they appear between the braces.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { (name($0.0).replacing(":", with: "_"), $0.1) }.sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\"\(escaped($0.1, quotes: true))\"" }.joined(separator: ",")
    }

    /// Returns a name with `_` in place of invalid characters: letters, digits, `_` and `:` are valid, except a digit
    /// at the beginning.
    static func name(_ text: String) -> String {
        let bytes = text.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: ":"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                byte
            default: UInt8(ascii: "_")
            }
        }
        let startsWithDigit = bytes.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
        return (startsWithDigit ? "_" : "") + String(decoding: bytes, as: UTF8.self)
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if value.rounded() == value, abs(value) < 1e15 { return String(Int64(value)) }
        return "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\"")
        }
        if isPlain { return text }
        let lines = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? lines.replacing("\"", with: "\\\"") : lines
    }
}
