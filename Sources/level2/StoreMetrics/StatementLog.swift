/// Is told about slow statements, or about all.
public protocol StatementLog: Sendable {
    /// The duration in nanoseconds from which statements are reported. Read after each one, so it must be cheap.
    var threshold: Int64 { get }

    /// Records a statement with its duration, without blocking.
    /// - Parameters:
    ///   - sql: the text, without values.
    ///   - plan: asks the database for the plan, which costs a statement; nil if it has none.
    func tell(_ sql: String, took nanoseconds: Int64, plan: () -> String?)
}
