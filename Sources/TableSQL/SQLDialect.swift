public import Tables

/// Where the SQL of the two databases differs.
public protocol SQLDialect: Sendable {
    /// The placeholder of the binding with that number, counted from 1.
    func placeholder(_ number: Int, for value: Value) -> String
}

/// SQL as SQLite reads it, with the functions and collations that SQLiteStorage registers on each connection.
public struct SQLiteDialect: SQLDialect {
    public init() {}

    public func placeholder(_ number: Int, for value: Value) -> String {
        "?\(number)"
    }
}
