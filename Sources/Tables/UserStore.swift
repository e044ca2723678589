public import OData

/// The users of the server's own login, kept beside the tables.
///
/// Names are compared letter by letter. A password is only ever seen here as the text of its hash.
public protocol UserStore: Sendable {
    /// The hash of a user's password; nil where there is no such user.
    func passwordHash(ofUser name: String) async throws(TableError) -> String?

    /// - Returns: false where there is a user of that name, who stays as he is.
    func addUser(_ name: String, passwordHash: String) async throws(TableError) -> Bool

    /// - Returns: false where there is no user of that name.
    func setPasswordHash(_ hash: String, ofUser name: String) async throws(TableError) -> Bool

    /// - Returns: false where there is no user of that name.
    func removeUser(_ name: String) async throws(TableError) -> Bool

    /// All users, by name.
    func users() async throws(TableError) -> [StoredUser]
}

/// A user as lists of users show him.
public struct StoredUser: Sendable, Equatable {
    /// The name that he logs in with.
    public let name: String
    /// When he was added.
    public let createdAt: Instant

    /// Makes a user.
    public init(name: String, createdAt: Instant) {
        self.name = name
        self.createdAt = createdAt
    }
}
