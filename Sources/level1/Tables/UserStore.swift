public import Scalars

/// The users of the server's own login, stored beside the tables.
///
/// Names are compared exactly. Passwords only appear as the text of their hashes.
public protocol UserStore: Sendable {
    /// Returns what a login needs to know about a user; nil if there is no such user.
    func account(ofUser name: String) async throws(TableError) -> UserAccount?

    /// Adds a user. Tokens of a removed user of that name stay invalid.
    /// - Returns: false if there is already a user of that name, who stays unchanged.
    func addUser(_ name: String, passwordHash: String, mark: UserSuffix) async throws(TableError) -> Bool

    /// Returns the mark of the last removed user of that name, empty for no mark; nil if none was removed.
    func formerMark(ofUser name: String) async throws(TableError) -> String?

    /// Sets a user's password hash, which also ends the user's tokens.
    /// - Returns: false if there is no user of that name.
    func setPasswordHash(_ hash: String, ofUser name: String) async throws(TableError) -> Bool

    /// - Returns: false if there is no user of that name.
    func removeUser(_ name: String) async throws(TableError) -> Bool

    /// Grants or revokes a user's administration of the server; revoking also ends the user's tokens.
    /// - Returns: false if there is no user of that name.
    func setAdmin(_ isAdmin: Bool, ofUser name: String) async throws(TableError) -> Bool

    /// Ends a user's tokens.
    /// - Returns: false if there is no user of that name.
    func endTokens(ofUser name: String) async throws(TableError) -> Bool

    /// Records, under a unique name, that a login was ended, or all of a user's logins up to then.
    /// - Parameter end: until when the record is kept.
    func endLogin(_ name: String, at now: Instant, until end: Instant) async throws(TableError)

    /// Returns those of the named logins that were ended, and when each was last ended.
    func ends(ofLogins names: [String]) async throws(TableError) -> [EndedLogin]

    /// Redeems a code that is valid once, across all servers.
    /// - Parameters:
    ///   - end: when it expires; after that it is forgotten.
    ///   - trusted: the current time by which codes are forgotten; nil if no clock can be trusted.
    /// - Returns: false if it was redeemed before.
    func takeCode(_ code: String, until end: Instant, trusted: Instant?) async throws(TableError) -> Bool

    /// Returns all users, by name.
    func users() async throws(TableError) -> [StoredUser]

    /// Returns all users with what a transfer to another database needs, and who had their names before.
    func userRecords() async throws(TableError) -> UserRecords

    /// Adds users as another database had them, all or none. A name that is there already keeps its user.
    func addUsers(_ records: UserRecords) async throws(TableError)
}

extension UserStore {
    /// Adds a user who is distinct from everyone who had the name before.
    public func addUser(_ name: String, passwordHash: String) async throws(TableError) -> Bool {
        try await addUser(name, passwordHash: passwordHash, mark: .ifNeeded(UserSuffix.random()))
    }
}

/// What a login needs to know about a user.
public struct UserAccount: Sendable, Equatable {
    /// The hash of the password.
    public let passwordHash: String
    /// Tokens of logins up to this time are ended; 1970 if none are.
    public let tokensEndedAt: Instant
    /// Whether the user administers the server.
    public let isAdmin: Bool
    /// Distinguishes the user from those who had the name before; empty for none.
    public let mark: String

    /// Creates an account.
    public init(passwordHash: String, tokensEndedAt: Instant, isAdmin: Bool, mark: String = "") {
        self.isAdmin = isAdmin
        self.mark = mark
        self.passwordHash = passwordHash
        self.tokensEndedAt = tokensEndedAt
    }
}

/// An ended login, or all of a user's up to a time.
public struct EndedLogin: Sendable, Equatable {
    /// The name under which it is stored.
    public let name: String
    /// When it was ended.
    public let at: Instant

    /// Creates an ended login.
    public init(name: String, at: Instant) {
        self.name = name
        self.at = at
    }
}

/// A user, as shown in lists of users.
public struct StoredUser: Sendable, Equatable {
    /// The name to log in with.
    public let name: String
    /// When the user was added.
    public let createdAt: Instant
    /// Whether the user administers the server.
    public let isAdmin: Bool
    /// Distinguishes the user from those who had the name before; empty for none.
    public let mark: String

    /// Creates a user.
    public init(name: String, createdAt: Instant, isAdmin: Bool, mark: String = "") {
        self.isAdmin = isAdmin
        self.mark = mark
        self.name = name
        self.createdAt = createdAt
    }
}
