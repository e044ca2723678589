/// An option of a list request; the raw values are the names as spelled by client libraries.
public enum QueryOption: String, Sendable, CaseIterable {
    case filter = "$filter"
    case orderBy = "$orderby"
    case select = "$select"
    case top = "$top"
    case skip = "$skip"
    case skipToken = "$skiptoken"
    case inlineCount = "$inlinecount"
    case count = "$count"
    case expand = "$expand"
    case includeDeleted = "__includeDeleted"

    /// Returns the options that clients of a language can use.
    public static func all(in language: QueryLanguage) -> [QueryOption] {
        // `$expand` is only parsed in order to be refused explicitly.
        allCases.filter { $0 != .expand && (try? QueryOption($0.rawValue, in: language)) == $0 }
    }

    var isSystemOption: Bool { self != .includeDeleted }

    /// - Returns: nil for a parameter that is not an option.
    init?(_ name: String, in language: QueryLanguage) throws(QueryError) {
        switch language {
        case .services:
            let isMarked = name.hasPrefix("$") || name.hasPrefix("__")
            guard isMarked, name.lowercased() != "__systemproperties" else { return nil }
            guard let option = Self.named(name), option != .skipToken else {
                throw QueryError(Lexer.shortened(name), at: nil, .unknownOption)
            }
            self = option
        case .apps:
            guard let option = Self.named(name) else { return nil }
            self = option
        case .datasync:
            guard let option = Self.inOData4(name) else { return nil }
            self = option
        }
    }

    /// Returns whether it is the name in any case; usually it is the client libraries' spelling.
    private static func isIncludeDeleted(_ name: String) -> Bool {
        name == includeDeleted.rawValue || name.lowercased() == "__includedeleted"
    }

    private static func named(_ name: String) -> QueryOption? {
        switch name.utf8.first {
        case UInt8(ascii: "$"):
            guard let option = QueryOption(rawValue: name), option != .count, option != .expand else { return nil }
            return option
        case UInt8(ascii: "_") where isIncludeDeleted(name): return .includeDeleted
        default: return nil
        }
    }

    private static func inOData4(_ name: String) -> QueryOption? {
        if isIncludeDeleted(name) { return .includeDeleted }
        let name = name.lowercased()
        guard let option = QueryOption(rawValue: name.hasPrefix("$") ? name : "$" + name), option != .inlineCount else {
            return nil
        }
        return option
    }
}
