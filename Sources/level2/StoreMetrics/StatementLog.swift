/// Told about statements that took long, or about all.
public protocol StatementLog: Sendable {
    /// From how many nanoseconds on statements are reported. Asked after each one, so it has to be cheap.
    var threshold: Int64 { get }

    /// Takes a statement with its duration, at once.
    /// - Parameters:
    ///   - sql: its text, without values.
    ///   - plan: asks the database for its plan; nil if it can't say. Costs a statement.
    func tell(_ sql: String, took nanoseconds: Int64, plan: () -> String?)
}
