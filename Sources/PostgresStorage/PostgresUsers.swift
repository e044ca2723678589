public import OData
import TableSQL
public import Tables

/// Each statement may run twice where a connection breaks, and then does no more than once.
extension PostgresTableStore: UserStore {
    /// On a thread of the pool.
    public func account(ofUser name: String) async throws(TableError) -> UserAccount? {
        try watch.check()
        return try await pool.run { connection throws(PostgresFailure) in
            let result = try connection.run(UserStatements.account(ofUser: name, dialect: PostgresDialect()))
            guard result.rowCount > 0 else { return nil }
            return UserAccount(
                passwordHash: result.string(0, 0), tokensEndedAt: Instant(milliseconds: result.integer(0, 1)),
                isAdmin: result.boolean(0, 2), mark: result.string(0, 3))
        }
    }

    /// On a thread of the pool.
    public func addUser(
        _ name: String, passwordHash: String, mark: UserMark
    ) async throws(TableError) -> Bool {
        let dialect = PostgresDialect()
        let now = clock().milliseconds
        // The hash has a salt of its own, so that it tells whose it is.
        return try await texts([
            UserStatements.add(name, passwordHash: passwordHash, mark: mark, at: now, dialect: dialect),
            UserStatements.account(ofUser: name, dialect: dialect),
        ]) == [passwordHash]
    }

    /// On a thread of the pool.
    public func setPasswordHash(_ hash: String, ofUser name: String) async throws(TableError) -> Bool {
        let now = clock().milliseconds
        return try await !texts([
            UserStatements.setPasswordHash(hash, ofUser: name, at: now, dialect: PostgresDialect())
        ]).isEmpty
    }

    /// On a thread of the pool.
    public func setAdmin(_ isAdmin: Bool, ofUser name: String) async throws(TableError) -> Bool {
        let now = clock().milliseconds
        return try await !texts([
            UserStatements.setAdmin(isAdmin, ofUser: name, at: now, dialect: PostgresDialect())
        ]).isEmpty
    }

    /// On a thread of the pool.
    public func endTokens(ofUser name: String) async throws(TableError) -> Bool {
        let now = clock().milliseconds
        return try await !texts([UserStatements.endTokens(ofUser: name, at: now, dialect: PostgresDialect())]).isEmpty
    }

    /// On a thread of the pool.
    public func endLogin(_ name: String, at now: Instant, until end: Instant) async throws(TableError) {
        _ = try await texts([
            UserStatements.endLogin(name, at: now.milliseconds, until: end.milliseconds, dialect: PostgresDialect())
        ])
    }

    /// On a thread of the pool.
    public func ends(ofLogins names: [String]) async throws(TableError) -> [EndedLogin] {
        guard !names.isEmpty else { return [] }
        try watch.check()
        return try await pool.run { connection throws(PostgresFailure) in
            let result = try connection.run(UserStatements.ends(ofLogins: names, dialect: PostgresDialect()))
            return (0..<result.rowCount).map {
                EndedLogin(
                    name: result.string($0, 0), at: Instant(milliseconds: Int64(result.string($0, 1)) ?? .max))
            }
        }
    }

    /// On a thread of the pool.
    public func takeCode(_ code: String, until end: Instant, trusted: Instant?) async throws(TableError) -> Bool {
        let dialect = PostgresDialect()
        let taker = String(UInt64.random(in: .min ... .max))
        let forgetting = trusted.map { UserStatements.forgetCodes(before: $0.milliseconds, dialect: dialect) }
        return try await texts(
            [forgetting].compactMap(\.self) + [
                UserStatements.takeCode(code, by: taker, until: end.milliseconds, dialect: dialect),
                UserStatements.taker(ofCode: code, dialect: dialect),
            ]) == [taker]
    }

    /// On a thread of the pool.
    public func removeUser(_ name: String) async throws(TableError) -> Bool {
        let dialect = PostgresDialect()
        return try await !texts([
            UserStatements.rememberFormer(name, dialect: dialect), UserStatements.remove(name, dialect: dialect),
        ]).isEmpty
    }

    /// On a thread of the pool.
    public func formerMark(ofUser name: String) async throws(TableError) -> String? {
        try await texts([UserStatements.formerMark(ofUser: name, dialect: PostgresDialect())]).first
    }

    /// On a thread of the pool.
    public func users() async throws(TableError) -> [StoredUser] {
        try watch.check()
        return try await pool.run { connection throws(PostgresFailure) in
            let result = try connection.run(UserStatements.all)
            return (0..<result.rowCount).map {
                StoredUser(
                    name: result.string($0, 0), createdAt: Instant(milliseconds: result.integer($0, 1)),
                    isAdmin: result.boolean($0, 2), mark: result.string($0, 3))
            }
        }
    }

    /// The first column of the last statement's rows.
    private func texts(_ statements: [SQLText]) async throws(TableError) -> [String] {
        try watch.check()
        return try await pool.run { connection throws(PostgresFailure) in
            guard let result = try connection.run(connection.durableSettings + statements).last else { return [] }
            return (0..<result.rowCount).map { result.string($0, 0) }
        }
    }
}
