import ByteText
public import Scalars

/// The users of a database's own login, and who had their names before, as a transfer to another database has them.
public struct UserRecords: Sendable, Equatable {
    /// The users, by name.
    public var users: [UserRecord]
    /// Those who were removed, by name.
    public var former: [FormerUser]

    /// Whether there is nobody.
    public var isEmpty: Bool { users.isEmpty && former.isEmpty }

    /// Creates records.
    public init(users: [UserRecord] = [], former: [FormerUser] = []) {
        self.users = users
        self.former = former
    }

    /// Returns those that a database lacks.
    /// - Parameters:
    ///   - known: the records of the database.
    ///   - skipsExisting: whether those that contradict the database's are left out.
    /// - Throws: the first contradiction, if they aren't left out: nobody may get the id, and so the rows, of another.
    public func additions(
        to known: UserRecords, skipsExisting: Bool
    ) throws(UserConflict) -> UserRecords {
        let users = Dictionary(known.users.map { (ExactText($0.name), $0.account) }) { first, _ in first }
        let former = Dictionary(known.former.map { (ExactText($0.name), $0.mark) }) { first, _ in first }
        var added = UserRecords()
        for user in self.users {
            let name = ExactText(user.name)
            if let known = users[name] {
                if !known.isSame(as: user.account), !skipsExisting { throw .otherUser(user.name) }
            } else if former[name]?.isExactly(user.account.mark) == true {
                if !skipsExisting { throw .removedHere(user.name) }
            } else {
                added.users.append(user)
            }
        }
        for user in self.former {
            let name = ExactText(user.name)
            if let mark = former[name] {
                if !mark.isExactly(user.mark), !skipsExisting { throw .otherFormerUser(user.name) }
            } else if users[name]?.mark.isExactly(user.mark) == true {
                if !skipsExisting { throw .removedThere(user.name) }
            } else {
                added.former.append(user)
            }
        }
        return added
    }
}

/// A user with everything that the database knows.
public struct UserRecord: Sendable, Equatable {
    /// The name to log in with.
    public let name: String
    /// When the user was added.
    public let createdAt: Instant
    /// What a login needs to know.
    public let account: UserAccount

    /// Creates a record.
    public init(name: String, createdAt: Instant, account: UserAccount) {
        self.name = name
        self.createdAt = createdAt
        self.account = account
    }
}

/// A removed user, the last one of a name.
public struct FormerUser: Sendable, Equatable {
    /// The name.
    public let name: String
    /// What distinguished the user from those who had the name before; empty for none.
    public let mark: String

    /// Creates a removed user.
    public init(name: String, mark: String) {
        self.name = name
        self.mark = mark
    }
}

/// Why a user's record doesn't fit a database.
public enum UserConflict: Error, Equatable {
    /// The database has a user of the name, who is somebody else or has another password.
    case otherUser(String)
    /// The user was removed from the database.
    case removedHere(String)
    /// The user was removed from the other database, and is in this one.
    case removedThere(String)
    /// The database has a record of somebody else who had the name before.
    case otherFormerUser(String)
}

extension UserAccount {
    /// Whether it is the same person with the same password.
    fileprivate func isSame(as other: UserAccount) -> Bool {
        mark.isExactly(other.mark) && passwordHash.isExactly(other.passwordHash)
    }
}
