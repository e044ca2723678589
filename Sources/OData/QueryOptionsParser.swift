extension QueryOptions {
    /// Reads the options of a v2 list request from the decoded members of its query.
    ///
    /// Names are case-sensitive, but for `__includeDeleted`. Members that are no options are ignored, and an option
    /// without a value, or with nothing but blanks, is as if absent.
    public static func parse(_ members: [(name: String, value: String)]) throws(QueryError) -> QueryOptions {
        var options = QueryOptions()
        var seen: Set<OptionName> = []
        for (name, value) in members {
            guard let option = OptionName(name), !value.utf8.allSatisfy(Lexer.isBlank) else { continue }
            guard seen.insert(option).inserted else { throw QueryError(option.rawValue, at: nil, .repeated) }
            switch option {
            case .filter:
                options.filter = try ExpressionParser.filter(value, option: option.rawValue)
            case .orderBy:
                options.order = try ExpressionParser.order(value, option: option.rawValue)
            case .select:
                options.select = try SelectParser.names(value, option: option.rawValue)
            case .top:
                options.top = try count(value, option: option.rawValue)
            case .skip:
                options.skip = try count(value, option: option.rawValue)
            case .inlineCount:
                options.wantsCount = value == "allpages"
            case .includeDeleted:
                options.includeDeleted = value.lowercased() == "true"
            }
        }
        return options
    }

    /// Reads a whole number of zero or more.
    private static func count(_ text: String, option: String) throws(QueryError) -> Int {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(text) else {
            throw QueryError(option, at: nil, .notACount(text))
        }
        return value
    }
}

private enum OptionName: String {
    case filter = "$filter"
    case orderBy = "$orderby"
    case select = "$select"
    case top = "$top"
    case skip = "$skip"
    case inlineCount = "$inlinecount"
    case includeDeleted = "__includeDeleted"

    init?(_ name: String) {
        switch name.utf8.first {
        case UInt8(ascii: "$"): self.init(rawValue: name)
        case UInt8(ascii: "_") where name.lowercased() == "__includedeleted": self = .includeDeleted
        default: return nil
        }
    }
}
