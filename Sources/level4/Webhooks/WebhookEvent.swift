public import Tables

/// What an operator may want to know about notices that were not delivered.
public enum WebhookEvent: Sendable, Equatable {
    /// An attempt failed and will be repeated.
    case postponed(table: Identifier, reason: String)
    /// A notice was given up: the receiver refused it, or the attempts are used up.
    case givenUp(table: Identifier, reason: String)
    /// A notice was not accepted because too many are waiting. Those that follow until there is room again are not
    /// reported individually.
    case full(table: Identifier)
    /// The server stopped with notices unsent.
    case unsent(table: Identifier, count: Int)
}
