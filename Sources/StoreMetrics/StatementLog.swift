/// Who is told of statements that took long, or of all.
public protocol StatementLog: Sendable {
    /// The nanoseconds from which on statements are told. Asked for after each, so it has to be cheap.
    var threshold: Int64 { get }

    /// Takes a statement that took so long, at once.
    /// - Parameters:
    ///   - sql: its text, without values.
    ///   - plan: asks the database how it goes about it; nil where it can't say. Costs a statement.
    func tell(_ sql: String, took nanoseconds: Int64, plan: () -> String?)
}

/// Nobody.
public struct NoStatementLog: StatementLog {
    /// Nothing takes so long.
    public var threshold: Int64 { .max }

    /// Tells nobody.
    public init() {}

    /// Is never called.
    public func tell(_ sql: String, took nanoseconds: Int64, plan: () -> String?) {}
}
