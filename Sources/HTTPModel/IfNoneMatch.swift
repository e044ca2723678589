/// The `If-None-Match` header field (RFC 9110 section 13.1.2).
public enum IfNoneMatch: Sendable, Equatable {
    case any
    /// The tags without their quotes and marks of weakness, which make no difference here.
    case tags([String])

    /// Reads the values of all `If-None-Match` fields of a request.
    /// - Returns: nil where there is none or they hold no tag.
    public init?(_ values: [String]) {
        var tags: [String] = []
        for value in values {
            if value.filter({ $0 != " " && $0 != "\t" }) == "*" {
                self = .any
                return
            }
            Self.append(tagsOf: value, to: &tags)
        }
        if tags.isEmpty { return nil }
        self = .tags(tags)
    }

    /// Whether the client has what has this tag.
    public func holds(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains(tag)
        }
    }

    /// Only what stands in quotes is a tag, and a comma may stand in one.
    private static func append(tagsOf value: String, to tags: inout [String]) {
        for (index, part) in value.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        where !index.isMultiple(of: 2) {
            tags.append(String(part))
        }
    }
}
