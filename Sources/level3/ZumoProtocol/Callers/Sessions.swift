public import Access

/// Tells whose tokens were ended before they expired.
public protocol Sessions: Sendable {
    /// Returns the state of the login that a user's token stems from. Called for each request with a valid token.
    func state(of user: Principal.User) async -> SessionState
}

/// The state of a login.
public enum SessionState: Sendable, Equatable {
    /// The login is valid.
    case good
    /// The user was removed, or has to log in again.
    case ended
    /// The state can't be determined now; the reason is only for the log.
    case unknown(String)
}
