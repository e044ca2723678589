public import Access

/// Knows whose tokens have been ended before their time.
public protocol Sessions: Sendable {
    /// What has become of the login that a user's token goes back to. Asked at each request with a good token.
    func state(of user: Principal.User) async -> SessionState
}

/// What has become of a login.
public enum SessionState: Sendable, Equatable {
    /// It holds.
    case good
    /// The user is gone, or was told to log in again.
    case ended
    /// Nobody can tell now; why is for the log only.
    case unknown(String)
}
