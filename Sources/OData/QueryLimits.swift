/// What one query option may hold. A hostile text is refused before it costs stack or memory.
public enum QueryLimits {
    /// Parentheses, function calls and signs or `not`s inside one another.
    public static let nesting = 100
    /// Literals, columns, operators and calls of one option together.
    public static let nodes = 1_000
}
