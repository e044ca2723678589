public import Access

/// Knows whose tokens were ended before they expired.
public protocol Sessions: Sendable {
    /// What has become of the login that a user's token goes back to. Asked at each request with a good token.
    func state(of user: Principal.User) async -> SessionState
}

/// What has become of a login.
public enum SessionState: Sendable, Equatable {
    /// It holds.
    case good
    /// The user is gone, or has to log in again.
    case ended
    /// It can't be found out now; the reason is only for the log.
    case unknown(String)
}
