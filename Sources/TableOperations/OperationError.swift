public import Tables

/// Why an operation on rows failed. Conflicts and missing rows are outcomes, not errors.
public enum OperationError: Error, Sendable, Equatable {
    case table(TableError)
    /// A column that needs a value has none; the message is the operator's, for the client.
    case required(message: String)
    /// A hook refused the write.
    case refused(Refusal)
    /// A script answers in the operation's place.
    case answered(ScriptedAnswer)
    /// A hook or a script failed. The detail is for the log, never for a client.
    case hook(detail: String)
    /// The write was only to find out whether there is a row that it would be about (`WriteCall.asksOnly`), and there is.
    case onlyAsked
}
