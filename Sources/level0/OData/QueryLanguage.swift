/// The language of query options, by the family of the client.
public enum QueryLanguage: String, Sendable, CaseIterable {
    /// Azure Mobile Services: v2's language, in which the system columns have names with `__`, and their plain ones are
    /// the apps'.
    case services = "v1"
    /// Azure Mobile Apps: the language of OData 2 and 3, with literals such as `datetime'…'`.
    case apps = "v2"
    /// Datasync: a part of OData 4, with bare dates, `cast` and `in`.
    case datasync = "v3"
}

extension QueryLanguage {
    /// Whether it is the language of OData 4.
    var isOData4: Bool {
        switch self {
        case .services, .apps: false
        case .datasync: true
        }
    }

    /// The column that a name is for: v1 clients write `__updatedAt` for `updatedAt`, which is a column of their own
    /// (v1-31).
    func columnName(_ name: String) -> String {
        guard self == .services else { return name }
        guard name.hasPrefix("__") else { return OwnColumnName.column(inServices: name) ?? name }
        return Self.systemColumns[name.lowercased()] ?? name
    }

    private static let systemColumns = [
        "__createdat": "createdAt", "__updatedat": "updatedAt", "__version": "version", "__deleted": "deleted",
    ]

    /// The operator of that name.
    func binaryOperator(_ name: String) -> BinaryOperator? {
        guard let binary = BinaryOperator(rawValue: name), isOData4 || binary != .divideBy else { return nil }
        return binary
    }

    /// The function of that name, which v3 clients may write in any case.
    func function(_ name: String) -> Function? {
        guard let function = Function(rawValue: isOData4 ? name.lowercased() : name) else { return nil }
        let isKnown =
            switch function {
            case .substringOf, .replace: !isOData4
            case .contains, .matchesPattern, .fractionalSeconds, .date, .time, .now: isOData4
            default: true
            }
        return isKnown ? function : nil
    }

    /// Why something that looks like a call, and that OData 4 has, can't be served; nil for what it doesn't have.
    func refusal(ofCall name: String) -> String? {
        guard isOData4 else { return nil }
        return switch name.lowercased() {
        case "any", "all": "`\(name)` is not supported: a row holds no lists."
        case "isof": "`isof` is not supported: all rows of a table have one type."
        case "geo.distance", "geo.length", "geo.intersects": "`\(name)` is not supported: a row holds no places."
        default: nil
        }
    }

    /// How tightly the operator binds its operands; all are left-associative.
    func strength(of binary: BinaryOperator) -> Int {
        switch binary {
        case .or: 1
        case .and: 2
        case .equal, .notEqual: 3
        case .greater, .greaterOrEqual, .less, .lessOrEqual: isOData4 ? Self.strengthOfIn : 3
        case .add, .subtract: 5
        case .multiply, .divide, .divideBy, .modulo: 6
        }
    }

    /// `in` binds as the other relations of OData 4 do.
    static let strengthOfIn = 4
}
