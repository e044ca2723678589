public import OData
import TableSQL
public import Tables

extension SQLiteTableStore: UserStore {
    /// Read as rows are.
    public func account(ofUser name: String) async throws(TableError) -> UserAccount? {
        try await read { connection throws(TableError) in
            let statement = UserStatements.account(ofUser: name, dialect: SQLiteDialect())
            var account: UserAccount?
            try connection.query(statement.text, statement.bindings) {
                account = UserAccount(
                    passwordHash: $0.string(at: 0), tokensEndedAt: Instant(milliseconds: $0.integer(at: 1)),
                    isAdmin: $0.integer(at: 2) != 0, mark: $0.string(at: 3))
            }
            return account
        }
    }

    /// Written on the writer's thread.
    public func addUser(
        _ name: String, passwordHash: String, mark: UserMark
    ) async throws(TableError) -> Bool {
        try await writer.write { [clock] session throws(TableError) in
            let dialect = SQLiteDialect()
            let now = clock().milliseconds
            _ = try session.connection.texts(
                UserStatements.add(name, passwordHash: passwordHash, mark: mark, at: now, dialect: dialect))
            // The hash has a salt of its own, so that it tells whose it is.
            return try session.connection.texts(UserStatements.account(ofUser: name, dialect: dialect))
                == [passwordHash]
        }
    }

    /// Written on the writer's thread.
    public func setPasswordHash(_ hash: String, ofUser name: String) async throws(TableError) -> Bool {
        try await writer.write { [clock] session throws(TableError) in
            let now = clock().milliseconds
            let statement = UserStatements.setPasswordHash(hash, ofUser: name, at: now, dialect: SQLiteDialect())
            return try !session.connection.texts(statement).isEmpty
        }
    }

    /// Written on the writer's thread.
    public func setAdmin(_ isAdmin: Bool, ofUser name: String) async throws(TableError) -> Bool {
        try await writer.write { [clock] session throws(TableError) in
            let statement = UserStatements.setAdmin(
                isAdmin, ofUser: name, at: clock().milliseconds, dialect: SQLiteDialect())
            return try !session.connection.texts(statement).isEmpty
        }
    }

    /// Written on the writer's thread.
    public func endTokens(ofUser name: String) async throws(TableError) -> Bool {
        try await writer.write { [clock] session throws(TableError) in
            let now = clock().milliseconds
            let statement = UserStatements.endTokens(ofUser: name, at: now, dialect: SQLiteDialect())
            return try !session.connection.texts(statement).isEmpty
        }
    }

    /// Written on the writer's thread.
    public func endLogin(_ name: String, at now: Instant, until end: Instant) async throws(TableError) {
        try await writer.write { session throws(TableError) in
            _ = try session.connection.texts(
                UserStatements.endLogin(
                    name, at: now.milliseconds, until: end.milliseconds, dialect: SQLiteDialect()))
        }
    }

    /// Read as rows are.
    public func ends(ofLogins names: [String]) async throws(TableError) -> [EndedLogin] {
        guard !names.isEmpty else { return [] }
        return try await read { connection throws(TableError) in
            let statement = UserStatements.ends(ofLogins: names, dialect: SQLiteDialect())
            var ends: [EndedLogin] = []
            try connection.query(statement.text, statement.bindings) {
                ends.append(
                    EndedLogin(
                        name: $0.string(at: 0), at: Instant(milliseconds: Int64($0.string(at: 1)) ?? .max)))
            }
            return ends
        }
    }

    /// Written on the writer's thread.
    public func takeCode(_ code: String, until end: Instant, trusted: Instant?) async throws(TableError) -> Bool {
        try await writer.write { session throws(TableError) in
            let dialect = SQLiteDialect()
            let taker = String(UInt64.random(in: .min ... .max))
            if let trusted {
                _ = try session.connection.texts(
                    UserStatements.forgetCodes(before: trusted.milliseconds, dialect: dialect))
            }
            _ = try session.connection.texts(
                UserStatements.takeCode(code, by: taker, until: end.milliseconds, dialect: dialect))
            return try session.connection.texts(UserStatements.taker(ofCode: code, dialect: dialect)) == [taker]
        }
    }

    /// Written on the writer's thread.
    public func removeUser(_ name: String) async throws(TableError) -> Bool {
        try await writer.write { session throws(TableError) in
            let dialect = SQLiteDialect()
            _ = try session.connection.texts(UserStatements.rememberFormer(name, dialect: dialect))
            return try !session.connection.texts(UserStatements.remove(name, dialect: dialect)).isEmpty
        }
    }

    /// Read as rows are.
    public func formerMark(ofUser name: String) async throws(TableError) -> String? {
        try await read { connection throws(TableError) in
            try connection.texts(UserStatements.formerMark(ofUser: name, dialect: SQLiteDialect())).first
        }
    }

    /// Read as rows are.
    public func users() async throws(TableError) -> [StoredUser] {
        try await read { connection throws(TableError) in
            var users: [StoredUser] = []
            try connection.query(UserStatements.all.text) {
                users.append(
                    StoredUser(
                        name: $0.string(at: 0), createdAt: Instant(milliseconds: $0.integer(at: 1)),
                        isAdmin: $0.integer(at: 2) != 0, mark: $0.string(at: 3)))
            }
            return users
        }
    }
}

extension SQLiteConnection {
    /// The first column of each row.
    fileprivate func texts(_ statement: SQLText) throws(TableError) -> [String] {
        var texts: [String] = []
        try query(statement.text, statement.bindings) { texts.append($0.string(at: 0)) }
        return texts
    }
}
