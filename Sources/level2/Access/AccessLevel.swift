/// The credentials required for an operation. The raw values are the words of table files.
public enum AccessLevel: String, Sendable, CaseIterable {
    /// Anyone.
    case anonymous
    /// The application key, or anything stronger.
    case application
    /// A valid token, or anything stronger.
    case authenticated
    /// The master key, or a token with the admin role.
    case admin
    /// No one.
    case disabled

    /// Decides for a caller. Each level includes those that require more, as in v1: a user needs no application key.
    public func decision(for principal: Principal) -> AccessDecision {
        switch (self, principal) {
        case (.disabled, _): .disabled
        case (.anonymous, _), (_, .admin): .allowed
        case (.application, .application), (.application, .user), (.authenticated, .user): .allowed
        case (.application, .anonymous), (.authenticated, .anonymous), (.authenticated, .application): .unauthorized
        case (.admin, .anonymous), (.admin, .application), (.admin, .user): .unauthorized
        }
    }
}
