internal import HTTPModel

/// What a client accepts as content codings of the response (RFC 9110 section 12.5.3).
enum AcceptedCodings {
    /// Whether the client accepts gzip and doesn't prefer an uncoded response.
    static func haveGzip(_ fields: HTTPFields) -> Bool {
        guard fields.contains("Accept-Encoding") else { return false }
        var gzip: Int?
        var identity: Int?
        var others: Int?
        for value in fields.values("Accept-Encoding") {
            for element in value.split(separator: ",") {
                let parts = element.split(separator: ";", maxSplits: 1)
                let weight = parts.count > 1 ? thousandths(trimmed(parts[1])) : 1_000
                switch parts.first.map(trimmed)?.lowercased() {
                case "gzip", "x-gzip": gzip = max(gzip ?? 0, weight)
                case "identity": identity = weight
                case "*": others = weight
                default: continue
                }
            }
        }
        let weight = gzip ?? others ?? 0
        return weight > 0 && weight >= identity ?? 0
    }

    /// Returns the weight in `q=0.5`, in thousandths; 0 if it isn't a valid weight.
    private static func thousandths(_ text: Substring) -> Int {
        guard text.lowercased().hasPrefix("q=") else { return 0 }
        let digits = text.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
        guard digits.count <= 2, let whole = digits.first, whole == "0" || whole == "1" else { return 0 }
        let fraction = digits.count == 2 ? digits[1] : ""
        guard fraction.utf8.count <= 3, fraction.utf8.allSatisfy({ (48...57).contains($0) }) else { return 0 }
        let padded = fraction + String(repeating: "0", count: 3 - fraction.utf8.count)
        return min((whole == "1" ? 1_000 : 0) + (Int(padded) ?? 0), 1_000)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return text
    }
}
