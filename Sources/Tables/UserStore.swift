public import OData

/// The users of the server's own login, kept beside the tables.
///
/// Names are compared letter by letter. A password is only ever seen here as the text of its hash.
public protocol UserStore: Sendable {
    /// What a login needs to know of a user; nil where there is no such user.
    func account(ofUser name: String) async throws(TableError) -> UserAccount?

    /// Tokens of a user of that name who was removed stay ended.
    /// - Returns: false where there is a user of that name, who stays unchanged.
    func addUser(_ name: String, passwordHash: String, mark: UserMark) async throws(TableError) -> Bool

    /// The mark of the last user of that name who was removed, empty for none; nil where none was.
    func formerMark(ofUser name: String) async throws(TableError) -> String?

    /// Also ends the tokens that the user has.
    /// - Returns: false where there is no user of that name.
    func setPasswordHash(_ hash: String, ofUser name: String) async throws(TableError) -> Bool

    /// - Returns: false where there is no user of that name.
    func removeUser(_ name: String) async throws(TableError) -> Bool

    /// Makes a user one who looks after the server, or no longer, which also ends the tokens that the user has.
    /// - Returns: false where there is no user of that name.
    func setAdmin(_ isAdmin: Bool, ofUser name: String) async throws(TableError) -> Bool

    /// Ends the tokens that a user has.
    /// - Returns: false where there is no user of that name.
    func endTokens(ofUser name: String) async throws(TableError) -> Bool

    /// Remembers that a login was ended, or all of a user's up to then, by a name that nothing else has.
    /// - Parameter end: until when it is remembered.
    func endLogin(_ name: String, at now: Instant, until end: Instant) async throws(TableError)

    /// Those of the names that were ended, and when they were last.
    func ends(ofLogins names: [String]) async throws(TableError) -> [EndedLogin]

    /// Takes a code that is good once, whichever server is asked.
    /// - Parameters:
    ///   - end: until when it is good; after that it is forgotten.
    ///   - trusted: the present, by which codes are forgotten; nil where no clock may be believed.
    /// - Returns: false where it was taken before.
    func takeCode(_ code: String, until end: Instant, trusted: Instant?) async throws(TableError) -> Bool

    /// All users, by name.
    func users() async throws(TableError) -> [StoredUser]
}

extension UserStore {
    /// Adds a user who is somebody else than all who had the name before.
    public func addUser(_ name: String, passwordHash: String) async throws(TableError) -> Bool {
        try await addUser(name, passwordHash: passwordHash, mark: .ifNeeded(UserMark.random()))
    }
}

/// What a login needs to know of a user.
public struct UserAccount: Sendable, Equatable {
    /// The hash of the password.
    public let passwordHash: String
    /// Tokens of a login up to then are ended; 1970 where none are.
    public let tokensEndedAt: Instant
    /// Whether the user looks after the server.
    public let isAdmin: Bool
    /// What tells the user apart from those who had the name before; empty for none.
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
    /// Whether the user looks after the server.
    public let isAdmin: Bool
    /// What tells the user apart from those who had the name before; empty for none.
    public let mark: String

    /// Makes a user.
    public init(name: String, createdAt: Instant, isAdmin: Bool, mark: String = "") {
        self.isAdmin = isAdmin
        self.mark = mark
        self.name = name
        self.createdAt = createdAt
    }
}
