extension QueryError.Reason {
    /// Describes the error in a sentence.
    /// - Parameter excerpt: shortens text from the query's author.
    public func words(_ excerpt: (String) -> String = { $0 }) -> String {
        switch self {
        case .syntax(let sentence): sentence
        case .unknownFunction(let name): "There is no function '\(excerpt(name))'."
        case .argumentCount(let function, let expected, let found):
            "\(function.rawValue) takes \(Self.words(expected)), not \(found)."
        case .unknownColumn(let name): "There is no column '\(excerpt(name))'."
        case .typeClash(let sentence): sentence
        case .notACount(let text): "'\(excerpt(text))' is not a whole number of zero or more."
        case .overLimit(let counted, let limit, let found):
            "\(found) \(Self.words(counted)) are over the limit of \(limit)."
        case .unknownOption: "There is no such option."
        case .repeated: "The option is given more than once."
        }
    }

    private static func words(_ counted: QueryError.Counted) -> String {
        switch counted {
        case .levels: "levels of nesting"
        case .levelsOfSQL: "levels of nesting in the database's words"
        case .parentheses: "parentheses that open together"
        case .nodes: "columns, operators and calls"
        case .orderTerms: "terms"
        case .names: "names"
        case .listValues: "values of one list"
        case .characters: "characters"
        }
    }

    private static func words(_ count: ClosedRange<Int>) -> String {
        if count.lowerBound != count.upperBound { return "\(count.lowerBound) or \(count.upperBound) arguments" }
        if count.upperBound == 0 { return "no arguments" }
        return count.lowerBound == 1 ? "1 argument" : "\(count.lowerBound) arguments"
    }
}
