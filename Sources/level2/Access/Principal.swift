import ByteText

/// The caller, as far as the credentials prove it.
public enum Principal: Sendable, Hashable {
    /// A caller without credentials.
    case anonymous
    /// A caller with the application key.
    case application
    /// The user of a valid token.
    case user(User)
    /// A caller with the master key or a token with the admin role; with the user if there is a token.
    case admin(User?)

    /// The token's user, admin or not; nil without a token.
    public var user: User? {
        switch self {
        case .anonymous, .application: nil
        case .user(let user): user
        case .admin(let user): user
        }
    }

    /// The user of a valid token.
    public struct User: Sendable, Hashable {
        /// The token's `sub` (`uid` in v1), for example `sid:0123…` or `Facebook:77`; never empty.
        public let id: String
        /// The token's text claims, including the registered ones.
        public let claims: [String: String]
        /// Whether the token has the admin role: `role`, `roles` or .NET's name for them is `admin` or a list with it.
        public let isAdmin: Bool
        /// When the user logged in to get this token (`auth_time`, otherwise `iat` or `nbf`), in milliseconds since
        /// 1970; nil if the token doesn't say.
        public let loggedInAt: Int64?

        /// Creates a user.
        public init(id: String, claims: [String: String] = [:], isAdmin: Bool = false, loggedInAt: Int64? = nil) {
            self.id = id
            self.claims = claims
            self.isAdmin = isAdmin
            self.loggedInAt = loggedInAt
        }

        /// Compares everything, the id byte by byte, as stores do.
        public static func == (left: User, right: User) -> Bool {
            left.id.isExactly(right.id) && left.isAdmin == right.isAdmin && left.loggedInAt == right.loggedInAt
                && left.claims.count == right.claims.count
                && left.claims.allSatisfy { right.claims[$0.key].isExactly($0.value) }
        }

        /// Hashes only the id, which is almost always unique.
        public func hash(into hasher: inout Hasher) {
            id.hashExactly(into: &hasher)
        }
    }
}
