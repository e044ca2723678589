public import Tables

/// A problem with the delivery of notices, for operators.
public enum WebhookEvent: Sendable, Equatable {
    /// An attempt failed and will be repeated.
    case postponed(table: Identifier, reason: String)
    /// A notice was given up: the receiver refused it, or all attempts failed.
    case givenUp(table: Identifier, reason: String)
    /// A notice was dropped because too many are waiting. Further ones that are dropped until there is room again are
    /// not reported individually.
    case full(table: Identifier)
    /// The server stopped before it could send some notices.
    case unsent(table: Identifier, count: Int)
}
