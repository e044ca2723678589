public import OData

/// Which rows of a table each caller may see and write, as the table's definition says it.
public struct RowRule: Sendable, Equatable {
    /// What stands for the id of the token's user; null without a token.
    public static let userParameter = "@userId"

    /// What is true of the rows that a caller sees; nil where that is all of them.
    public var visible: ConditionTemplate?
    /// What is also true of those that the caller may write; nil where that is all that are seen.
    public var writable: ConditionTemplate?

    /// Makes a rule.
    public init(visible: ConditionTemplate? = nil, writable: ConditionTemplate? = nil) {
        self.visible = visible
        self.writable = writable
    }

    /// What is true of the rows that a user sees; nil where that is all.
    /// - Parameter user: nil without a token.
    public func visible(for user: String?) -> Expression? { visible?.condition(Self.values(user)) }

    /// What is also true of those that a user may write; nil where that is all that are seen.
    /// - Parameter user: nil without a token.
    public func writable(for user: String?) -> Expression? { writable?.condition(Self.values(user)) }

    private static func values(_ user: String?) -> [String: Literal] {
        [userParameter: user.map(Literal.text) ?? .null]
    }
}
