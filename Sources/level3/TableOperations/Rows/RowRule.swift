public import OData

/// Which rows of a table each caller may see and write, by the table's definition.
public struct RowRule: Sendable, Equatable {
    /// The placeholder for the id of the token's user; null without a token.
    public static let userParameter = "@userId"

    /// The condition for the rows that a caller sees; nil for all.
    public var visible: ConditionTemplate?
    /// An additional condition for the rows that a caller may write; nil for all visible ones.
    public var writable: ConditionTemplate?

    /// Creates a rule.
    public init(visible: ConditionTemplate? = nil, writable: ConditionTemplate? = nil) {
        self.visible = visible
        self.writable = writable
    }

    /// Returns the condition for the rows that a user sees; nil for all.
    /// - Parameter user: nil without a token.
    public func visible(for user: String?) -> Expression? { visible?.condition(Self.values(user)) }

    /// Returns the additional condition for the rows that a user may write; nil for all visible ones.
    /// - Parameter user: nil without a token.
    public func writable(for user: String?) -> Expression? { writable?.condition(Self.values(user)) }

    private static func values(_ user: String?) -> [String: Literal] {
        [userParameter: user.map(Literal.text) ?? .null]
    }
}
