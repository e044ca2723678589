/// Limits on a query option. Hostile text is refused before it uses stack or memory.
public enum QueryLimits {
    /// Nested parentheses, function calls, signs and `not`s. A chain of one operator is one level, however it is
    /// grouped from the left: client SDKs write a list of ids as `(((a or b) or c) or d)`.
    public static let nesting = 100
    /// Opening parentheses at the start of a condition.
    public static let leadingParentheses = 1_000
    /// Columns, operators and calls of one option in total. Each comes with at most two literals.
    public static let nodes = 1_000
    /// Terms of `$orderby`, not counting repeated columns.
    public static let orderTerms = 100
    /// Names in `$select`: more than the columns that a table can have.
    public static let selectedNames = 1_024
    /// Values of one `in` list, which don't count as nodes.
    public static let listLength = 1_000
}
