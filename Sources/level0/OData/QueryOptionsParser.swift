extension QueryOptions {
    /// Parses the options of a list request from the decoded query parameters.
    ///
    /// v1 and v2: names are case-sensitive, except `__includeDeleted`, and an option without a value, or with only
    /// blanks, counts as absent. Other parameters are ignored; v1 refuses those that begin with `$` or `__`. v3: names
    /// may be in any case and without the `$`, and an option needs a value.
    public static func parse(
        _ members: [(name: String, value: String)], language: QueryLanguage = .apps
    ) throws(QueryError) -> QueryOptions {
        var options = QueryOptions()
        var seen: [QueryOption] = []
        for (name, value) in members {
            guard let option = try QueryOption(name, in: language) else { continue }
            if value.utf8.allSatisfy(Lexer.isBlank) {
                guard language.isOData4, option.isSystemOption else { continue }
                throw QueryError(option.rawValue, at: nil, .syntax("The option has no value."))
            }
            guard !seen.contains(option) else { throw QueryError(option.rawValue, at: nil, .repeated) }
            seen.append(option)
            try options.take(value, of: option, in: language)
        }
        return options
    }

    private mutating func take(
        _ value: String, of option: QueryOption, in language: QueryLanguage
    ) throws(QueryError) {
        let name = option.rawValue
        switch option {
        case .filter:
            filter = try ExpressionParser.filter(value, option: name, language: language)
        case .orderBy:
            order = try ExpressionParser.order(value, option: name, language: language)
        case .select:
            select = try SelectParser.names(value, option: name, language: language)
        case .top:
            top = try Self.count(value, option: name)
        case .skip:
            skip = try Self.count(value, option: name)
        case .skipToken:
            skipToken = value
        case .inlineCount:
            guard language != .services || ["allpages", "none"].contains(value) else {
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

    /// Parses a whole number of zero or more.
    private static func count(_ text: String, option: String) throws(QueryError) -> Int {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(text) else {
            throw QueryError(option, at: nil, .notACount(text))
        }
        return value
    }
}
