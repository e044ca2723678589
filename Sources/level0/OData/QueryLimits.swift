/// What one query option may hold. A hostile text is refused before it costs stack or memory.
public enum QueryLimits {
    /// Parentheses, function calls, signs and `not`s inside one another. A chain of one operator is one level, however
    /// it is grouped from the left: client SDKs write a list of ids as `(((a or b) or c) or d)`.
    public static let nesting = 100
    /// Parentheses that open at the start of a condition.
    public static let leadingParentheses = 1_000
    /// Columns, operators and calls of one option together. Literals come along with these, at most two each.
    public static let nodes = 1_000
    /// Terms of `$orderby`, a column that is named again apart.
    public static let orderTerms = 100
    /// Names in `$select`: more than the columns that a table can have.
    public static let selectedNames = 1_024
    /// Values of one `in` list, which are no nodes.
    public static let listLength = 1_000
}
