extension QueryOptions {
    /// Reads the options of a list request from the decoded members of its query.
    ///
    /// v1 and v2: names are case-sensitive, but for `__includeDeleted`, and an option without a value, or with nothing
    /// but blanks, is as if absent. Other members are ignored; v1 refuses those that begin with `$` or `__`.
    /// v3: names may stand in any case and without the `$`, and an option needs a value.
    public static func parse(
        _ members: [(name: String, value: String)], dialect: QueryDialect = .v2
    ) throws(QueryError) -> QueryOptions {
        var options = QueryOptions()
        var seen: Set<OptionName> = []
        for (name, value) in members {
            guard let option = try OptionName(name, in: dialect) else { continue }
            if value.utf8.allSatisfy(Lexer.isBlank) {
                guard dialect == .v3, option.isSystemOption else { continue }
                throw QueryError(option.rawValue, at: nil, .syntax("The option has no value."))
            }
            guard seen.insert(option).inserted else { throw QueryError(option.rawValue, at: nil, .repeated) }
            try options.take(value, of: option, in: dialect)
        }
        return options
    }

    private mutating func take(
        _ value: String, of option: OptionName, in dialect: QueryDialect
    ) throws(QueryError) {
        let name = option.rawValue
        switch option {
        case .filter:
            filter = try ExpressionParser.filter(value, option: name, dialect: dialect)
        case .orderBy:
            order = try ExpressionParser.order(value, option: name, dialect: dialect)
        case .select:
            select = try SelectParser.names(value, option: name, dialect: dialect)
        case .top:
            top = try Self.count(value, option: name)
        case .skip:
            skip = try Self.count(value, option: name)
        case .skipToken:
            skipToken = value
        case .inlineCount:
            guard dialect != .v1 || ["allpages", "none"].contains(value) else {
                throw QueryError(name, at: nil, .syntax("Expected `allpages` or `none`."))
            }
            wantsCount = value == "allpages"
        case .count:
            guard let flag = Bool(value.lowercased()) else {
                throw QueryError(name, at: nil, .syntax("Expected `true` or `false`."))
            }
            wantsCount = flag
        case .includeDeleted:
            includeDeleted = value.lowercased() == "true"
        case .expand:
            throw QueryError(name, at: nil, .syntax("The option is not supported: tables have no relations."))
        }
    }

    /// Reads a whole number of zero or more.
    private static func count(_ text: String, option: String) throws(QueryError) -> Int {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(text) else {
            throw QueryError(option, at: nil, .notACount(text))
        }
        return value
    }
}

private enum OptionName: String, CaseIterable {
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

    var isSystemOption: Bool { self != .includeDeleted }

    /// - Returns: nil for a member that is no option.
    init?(_ name: String, in dialect: QueryDialect) throws(QueryError) {
        switch dialect {
        case .v1:
            let isMarked = name.hasPrefix("$") || name.hasPrefix("__")
            guard isMarked, name.lowercased() != "__systemproperties" else { return nil }
            guard let option = Self.v2(name), option != .skipToken else {
                throw QueryError(Lexer.shortened(name), at: nil, .syntax("There is no such option."))
            }
            self = option
        case .v2:
            guard let option = Self.v2(name) else { return nil }
            self = option
        case .v3:
            guard let option = Self.v3(name) else { return nil }
            self = option
        }
    }

    private static func v2(_ name: String) -> OptionName? {
        switch name.utf8.first {
        case UInt8(ascii: "$"):
            guard let option = OptionName(rawValue: name), option != .count, option != .expand else { return nil }
            return option
        case UInt8(ascii: "_") where name.lowercased() == "__includedeleted": return .includeDeleted
        default: return nil
        }
    }

    private static func v3(_ name: String) -> OptionName? {
        let name = name.lowercased()
        if name == "__includedeleted" { return .includeDeleted }
        guard let option = OptionName(rawValue: name.hasPrefix("$") ? name : "$" + name), option != .inlineCount else {
            return nil
        }
        return option
    }
}
