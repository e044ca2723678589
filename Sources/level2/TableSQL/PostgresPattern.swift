import ByteText
import OData

extension TextPattern {
    /// The pattern in PostgreSQL's syntax, with every class written out, so that it doesn't depend on the locale.
    var postgresText: String {
        // Prevents PostgreSQL from reading the pattern's beginning as a director.
        "(?:\(Self.postgres(root)))"
    }

    private static func postgres(_ node: Node) -> String {
        switch node {
        case .oneOf(let ranges, let isNegated): "[\(isNegated ? "^" : "")\(ranges.map(range).joined())]"
        case .start: "^"
        case .end: "$"
        case .sequence(let parts): parts.isEmpty ? "(?:)" : parts.map(postgres).joined()
        case .choice(let branches): "(?:\(branches.map(postgres).joined(separator: "|")))"
        case .repeated(let part, let least, let most): "(?:\(postgres(part))){\(least),\(most.map(String.init) ?? "")}"
        }
    }

    private static func range(_ range: ClosedRange<UInt32>) -> String {
        range.count == 1
            ? codePoint(range.lowerBound) : "\(codePoint(range.lowerBound))-\(codePoint(range.upperBound))"
    }

    private static func codePoint(_ value: UInt32) -> String {
        "\\U" + value.hexText
    }
}
