public import Scalars

/// The users of the server's own login, kept beside the tables.
///
/// Names are compared exactly. A password is only ever seen here as the text of its hash.
public protocol UserStore: Sendable {
    /// What a login needs to know about a user; nil if there is no such user.
    func account(ofUser name: String) async throws(TableError) -> UserAccount?

    /// Tokens of a removed user of that name stay ended.
    /// - Returns: false if there is a user of that name, who stays unchanged.
    func addUser(_ name: String, passwordHash: String, mark: UserSuffix) async throws(TableError) -> Bool

    /// The mark of the last removed user of that name, empty for none; nil if none was removed.
    func formerMark(ofUser name: String) async throws(TableError) -> String?

    /// Also ends the tokens that the user has.
    /// - Returns: false if there is no user of that name.
    func setPasswordHash(_ hash: String, ofUser name: String) async throws(TableError) -> Bool

    /// - Returns: false if there is no user of that name.
    func removeUser(_ name: String) async throws(TableError) -> Bool

    /// Makes a user an admin of the server, or takes that away, which also ends the tokens that the user has.
    /// - Returns: false if there is no user of that name.
    func setAdmin(_ isAdmin: Bool, ofUser name: String) async throws(TableError) -> Bool

    /// Ends the tokens that a user has.
    /// - Returns: false if there is no user of that name.
    func endTokens(ofUser name: String) async throws(TableError) -> Bool

    /// Remembers that a login was ended, or all of a user's up to then, under a unique name.
    /// - Parameter end: until when it is remembered.
    func endLogin(_ name: String, at now: Instant, until end: Instant) async throws(TableError)

    /// Those of the names that were ended, and when they were last.
    func ends(ofLogins names: [String]) async throws(TableError) -> [EndedLogin]

    /// Takes a code that is valid once, whichever server is asked.
    /// - Parameters:
    ///   - end: until when it is valid; after that it is forgotten.
    ///   - trusted: the current time by which codes are forgotten; nil if no clock can be trusted.
    /// - Returns: false if it was taken before.
    func takeCode(_ code: String, until end: Instant, trusted: Instant?) async throws(TableError) -> Bool

    /// All users, by name.
    func users() async throws(TableError) -> [StoredUser]
}

extension UserStore {
    /// Adds a user who is somebody else than all who had the name before.
    public func addUser(_ name: String, passwordHash: String) async throws(TableError) -> Bool {
        try await addUser(name, passwordHash: passwordHash, mark: .ifNeeded(UserSuffix.random()))
    }
}

/// What a login needs to know of a user.
public struct UserAccount: Sendable, Equatable {
    /// The hash of the password.
    public let passwordHash: String
    /// Tokens of a login up to then are ended; 1970 if none are.
    public let tokensEndedAt: Instant
    /// Whether the user administers the server.
    public let isAdmin: Bool
    /// Distinguishes the user from those who had the name before; empty for none.
    public let mark: String

    /// Makes an account.
    public init(passwordHash: String, tokensEndedAt: Instant, isAdmin: Bool, mark: String = "") {
        self.isAdmin = isAdmin
        self.mark = mark
        self.passwordHash = passwordHash
        self.tokensEndedAt = tokensEndedAt
    }
}

/// A login that was ended, or all of a user's.
public struct EndedLogin: Sendable, Equatable {
    /// What it is called.
    public let name: String
    /// When it was ended.
    public let at: Instant

    /// Makes one.
    public init(name: String, at: Instant) {
        self.name = name
        self.at = at
    }
}

/// A user as shown in lists of users.
public struct StoredUser: Sendable, Equatable {
    /// The name to log in with.
    public let name: String
    /// When the user was added.
    public let createdAt: Instant
    /// Whether the user administers the server.
    public let isAdmin: Bool
    /// Distinguishes the user from those who had the name before; empty for none.
    public let mark: String

    /// Makes a user.
    public init(name: String, createdAt: Instant, isAdmin: Bool, mark: String = "") {
        self.isAdmin = isAdmin
        self.mark = mark
        self.name = name
        self.createdAt = createdAt
    }
}
