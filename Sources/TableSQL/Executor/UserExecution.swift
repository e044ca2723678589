public import OData
public import Tables

/// What a `UserStore` does, by statements.
extension SQLExecutor {
    /// Reads a row by its key.
    public func account(ofUser name: String) async throws(TableError) -> UserAccount? {
        try await rows(of: UserStatements.account(ofUser: name, dialect: dialect)).first.map {
            UserAccount(
                passwordHash: $0.text(0) ?? "", tokensEndedAt: $0.instant(1) ?? Instant(milliseconds: 0),
                isAdmin: $0.boolean(2), mark: $0.text(3) ?? "")
        }
    }

    /// Adds the user in one transaction.
    public func addUser(_ name: String, passwordHash: String, mark: UserMark) async throws(TableError) -> Bool {
        // The hash has a salt of its own, so that it tells whose it is.
        try await execute([
            UserStatements.add(name, passwordHash: passwordHash, mark: mark, at: now().milliseconds, dialect: dialect),
            UserStatements.account(ofUser: name, dialect: dialect),
        ]).first?.text(0) == passwordHash
    }

    /// Reads a row by its key.
    public func formerMark(ofUser name: String) async throws(TableError) -> String? {
        try await rows(of: UserStatements.formerMark(ofUser: name, dialect: dialect)).first?.text(0)
    }

    /// Changes the row in one statement.
    public func setPasswordHash(_ hash: String, ofUser name: String) async throws(TableError) -> Bool {
        try await isDone(
            UserStatements.setPasswordHash(hash, ofUser: name, at: now().milliseconds, dialect: dialect))
    }

    /// Changes the row in one statement.
    public func setAdmin(_ isAdmin: Bool, ofUser name: String) async throws(TableError) -> Bool {
        try await isDone(UserStatements.setAdmin(isAdmin, ofUser: name, at: now().milliseconds, dialect: dialect))
    }

    /// Changes the row in one statement.
    public func endTokens(ofUser name: String) async throws(TableError) -> Bool {
        try await isDone(UserStatements.endTokens(ofUser: name, at: now().milliseconds, dialect: dialect))
    }

    /// Removes the user in one transaction.
    public func removeUser(_ name: String) async throws(TableError) -> Bool {
        try await isDone(
            UserStatements.rememberFormer(name, dialect: dialect), UserStatements.remove(name, dialect: dialect))
    }

    /// Writes one row.
    public func endLogin(_ name: String, at now: Instant, until end: Instant) async throws(TableError) {
        _ = try await execute([
            UserStatements.endLogin(name, at: now.milliseconds, until: end.milliseconds, dialect: dialect)
        ])
    }

    /// Reads rows by their keys.
    public func ends(ofLogins names: [String]) async throws(TableError) -> [EndedLogin] {
        guard !names.isEmpty else { return [] }
        return try await rows(of: UserStatements.ends(ofLogins: names, dialect: dialect)).map {
            // A moment that can't be read ends whatever it is about.
            let moment = $0.text(1).flatMap { Int64($0) } ?? .max
            return EndedLogin(name: $0.text(0) ?? "", at: Instant(milliseconds: moment))
        }
    }

    /// Takes the code in one transaction.
    public func takeCode(_ code: String, until end: Instant, trusted: Instant?) async throws(TableError) -> Bool {
        let taker = String(UInt64.random(in: .min ... .max))
        var statements: [SQLText] = []
        if let trusted {
            statements.append(UserStatements.forgetCodes(before: trusted.milliseconds, dialect: dialect))
        }
        statements.append(UserStatements.takeCode(code, by: taker, until: end.milliseconds, dialect: dialect))
        statements.append(UserStatements.taker(ofCode: code, dialect: dialect))
        return try await execute(statements).first?.text(0) == taker
    }

    /// Reads all rows.
    public func users() async throws(TableError) -> [StoredUser] {
        try await rows(of: UserStatements.all).map {
            StoredUser(
                name: $0.text(0) ?? "", createdAt: $0.instant(1) ?? Instant(milliseconds: 0), isAdmin: $0.boolean(2),
                mark: $0.text(3) ?? "")
        }
    }

    /// Whether the last of statements answered a row.
    private func isDone(_ statements: SQLText...) async throws(TableError) -> Bool {
        try await !execute(statements).isEmpty
    }
}
