import ByteText

/// The caller, as far as the credentials prove it.
public enum Principal: Sendable, Hashable {
    /// Somebody.
    case anonymous
    /// Somebody with the application.
    case application
    /// The user of a valid token.
    case user(User)
    /// The holder of the master key, or of a token with the admin role; the user if there is a token.
    case admin(User?)

    /// The user that the token names, an admin or not; nil without a token.
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
        /// The token's claims that are text, the registered ones included.
        public let claims: [String: String]
        /// Whether the token has the admin role: `role`, `roles` or .NET's name for them is `admin` or a list with it.
        public let isAdmin: Bool
        /// When the user logged in to get this token (`auth_time`, otherwise `iat` or `nbf`), in milliseconds since
        /// 1970; nil if the token doesn't say.
        public let loggedInAt: Int64?

        /// Makes a user.
        public init(id: String, claims: [String: String] = [:], isAdmin: Bool = false, loggedInAt: Int64? = nil) {
            self.id = id
            self.claims = claims
            self.isAdmin = isAdmin
            self.loggedInAt = loggedInAt
        }

        /// Equal in everything, the id byte by byte: a store compares it so.
        public static func == (left: User, right: User) -> Bool {
            left.id.isExactly(right.id) && left.isAdmin == right.isAdmin && left.loggedInAt == right.loggedInAt
                && left.claims.count == right.claims.count
                && left.claims.allSatisfy { right.claims[$0.key].isExactly($0.value) }
        }

        /// Hashes the id, which hardly two users share.
        public func hash(into hasher: inout Hasher) {
            id.hashExactly(into: &hasher)
        }
    }
}
