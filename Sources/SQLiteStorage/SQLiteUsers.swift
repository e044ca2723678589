import OData
import TableSQL
public import Tables

extension SQLiteTableStore: UserStore {
    /// Read as rows are.
    public func passwordHash(ofUser name: String) async throws(TableError) -> String? {
        try await read { connection throws(TableError) in
            try connection.texts(UserStatements.passwordHash(ofUser: name, dialect: SQLiteDialect())).first
        }
    }

    /// Written on the writer's thread.
    public func addUser(_ name: String, passwordHash: String) async throws(TableError) -> Bool {
        try await writer.write { session throws(TableError) in
            let dialect = SQLiteDialect()
            let now = SystemClock.now().milliseconds
            _ = try session.connection.texts(
                UserStatements.add(name, passwordHash: passwordHash, at: now, dialect: dialect))
            // The hash has a salt of its own, so that it tells whose it is.
            return try session.connection.texts(UserStatements.passwordHash(ofUser: name, dialect: dialect))
                == [passwordHash]
        }
    }

    /// Written on the writer's thread.
    public func setPasswordHash(_ hash: String, ofUser name: String) async throws(TableError) -> Bool {
        try await writer.write { session throws(TableError) in
            let statement = UserStatements.setPasswordHash(hash, ofUser: name, dialect: SQLiteDialect())
            return try !session.connection.texts(statement).isEmpty
        }
    }

    /// Written on the writer's thread.
    public func removeUser(_ name: String) async throws(TableError) -> Bool {
        try await writer.write { session throws(TableError) in
            try !session.connection.texts(UserStatements.remove(name, dialect: SQLiteDialect())).isEmpty
        }
    }

    /// Read as rows are.
    public func users() async throws(TableError) -> [StoredUser] {
        try await read { connection throws(TableError) in
            var users: [StoredUser] = []
            try connection.query(UserStatements.all.text) {
                users.append(
                    StoredUser(name: $0.string(at: 0), createdAt: Instant(milliseconds: $0.integer(at: 1))))
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
