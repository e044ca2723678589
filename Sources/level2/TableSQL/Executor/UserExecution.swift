public import Scalars
public import Tables

/// A `UserStore` by SQL statements. Times are milliseconds since 1970.
extension SQLExecutor {
    /// Reads a row by key.
    public func account(ofUser name: String) async throws(TableError) -> UserAccount? {
        try await rows(
            of: "SELECT password, tokens_ended_at, is_admin, mark FROM zumod_users WHERE name = \(.text(name))"
        ).first.map {
            UserAccount(
                passwordHash: $0.text(0) ?? "", tokensEndedAt: $0.instant(1) ?? Instant(milliseconds: 0),
                isAdmin: $0.boolean(2), mark: $0.text(3) ?? "")
        }
    }

    /// Adds the user in one transaction.
    public func addUser(_ name: String, passwordHash: String, mark: UserSuffix) async throws(TableError) -> Bool {
        let now = now().milliseconds
        let (written, endedAt): (SQLFragment, Int64) =
            switch mark {
            // The previous user may have tokens of a server whose clock was ahead, and by their id they would be this
            // user's. Logins in the meantime are dated a moment later.
            case .exactly(let mark): ("\(.text(mark))", now + clockDifference)
            case .ifNeeded(let mark):
                (
                    """
                    CASE WHEN EXISTS (SELECT 1 FROM zumod_former_users WHERE name = \(.text(name))) \
                    THEN \(.text(mark)) ELSE '' END
                    """, now
                )
            }
        // The hash has a unique salt, so it tells whether this call's row was written.
        return try await execute([
            """
            INSERT INTO zumod_users (name, password, created_at, tokens_ended_at, mark) VALUES (\(.text(name)), \
            \(.text(passwordHash)), \(.integer(now)), \(.integer(endedAt)), \(written)) ON CONFLICT (name) DO NOTHING
            """, "SELECT password FROM zumod_users WHERE name = \(.text(name))",
        ]).first?.text(0) == passwordHash
    }

    /// Reads a row by key.
    public func formerMark(ofUser name: String) async throws(TableError) -> String? {
        try await rows(of: "SELECT mark FROM zumod_former_users WHERE name = \(.text(name))").first?.text(0)
    }

    /// Updates the row in one statement.
    public func setPasswordHash(_ hash: String, ofUser name: String) async throws(TableError) -> Bool {
        try await isDone(
            """
            UPDATE zumod_users SET password = \(.text(hash)), \(endingTokens) WHERE name = \(.text(name)) RETURNING name
            """)
    }

    /// Updates the row in one statement. Revoking ends the user's tokens, which may have the role; a new admin keeps
    /// them: they don't mention it.
    public func setAdmin(_ isAdmin: Bool, ofUser name: String) async throws(TableError) -> Bool {
        let ending: SQLFragment = isAdmin ? "" : ", \(endingTokens)"
        return try await isDone(
            """
            UPDATE zumod_users SET is_admin = \(.boolean(isAdmin))\(ending) WHERE name = \(.text(name)) RETURNING name
            """)
    }

    /// Updates the row in one statement.
    public func endTokens(ofUser name: String) async throws(TableError) -> Bool {
        try await isDone("UPDATE zumod_users SET \(endingTokens) WHERE name = \(.text(name)) RETURNING name")
    }

    /// If tokens were ended by a clock that was ahead, later ones are dated a moment after that: they must end too.
    private var endingTokens: SQLFragment {
        let now = Value.integer(now().milliseconds)
        return """
            tokens_ended_at = CASE WHEN tokens_ended_at BETWEEN \(now) AND \(.integer(Instant.last.milliseconds)) \
            THEN tokens_ended_at + 1 ELSE \(now) END
            """
    }

    /// Removes the user in one transaction, and records who had the name.
    public func removeUser(_ name: String) async throws(TableError) -> Bool {
        try await isDone(
            """
            INSERT INTO zumod_former_users (name, mark) SELECT name, mark FROM zumod_users WHERE name = \(.text(name)) \
            ON CONFLICT (name) DO UPDATE SET mark = excluded.mark
            """, "DELETE FROM zumod_users WHERE name = \(.text(name)) RETURNING name")
    }

    /// Writes one row, in the table of used codes. Times are written so that their texts sort chronologically; an
    /// earlier one has no effect.
    public func endLogin(_ name: String, at now: Instant, until end: Instant) async throws(TableError) {
        let digits = String(max(0, now.milliseconds))
        let moment = String(repeating: "0", count: 20 - digits.count) + digits
        _ = try await execute([
            """
            INSERT INTO zumod_codes (code, taker, ends_at) VALUES (\(.text(name)), \(.text(moment)), \
            \(.integer(end.milliseconds))) ON CONFLICT (code) DO UPDATE SET ends_at = excluded.ends_at, taker = \
            CASE WHEN zumod_codes.taker < excluded.taker THEN excluded.taker ELSE zumod_codes.taker END
            """
        ])
    }

    /// Reads rows by key.
    public func ends(ofLogins names: [String]) async throws(TableError) -> [EndedLogin] {
        guard !names.isEmpty else { return [] }
        let codes = names.map { SQLFragment(.text($0)) }.joined()
        return try await rows(of: "SELECT code, taker FROM zumod_codes WHERE code IN (\(codes))").map {
            // A time that can't be parsed ends every login.
            let moment = $0.text(1).flatMap { Int64($0) } ?? .max
            return EndedLogin(name: $0.text(0) ?? "", at: Instant(milliseconds: moment))
        }
    }

    /// Redeems the code in one transaction, if it wasn't redeemed before.
    public func takeCode(_ code: String, until end: Instant, trusted: Instant?) async throws(TableError) -> Bool {
        // A text unique to this call, to tell whether it redeemed the code.
        let taker = String(UInt64.random(in: .min ... .max))
        let take: SQLFragment = """
            INSERT INTO zumod_codes (code, taker, ends_at) VALUES (\(.text(code)), \(.text(taker)), \
            \(.integer(end.milliseconds))) ON CONFLICT (code) DO NOTHING
            """
        let look: SQLFragment = "SELECT taker FROM zumod_codes WHERE code = \(.text(code))"
        guard let trusted else { return try await execute([take, look]).first?.text(0) == taker }
        // Expired codes.
        let forget: SQLFragment = "DELETE FROM zumod_codes WHERE ends_at < \(.integer(trusted.milliseconds))"
        return try await execute([forget, take, look]).first?.text(0) == taker
    }

    /// Reads all users.
    public func users() async throws(TableError) -> [StoredUser] {
        try await rows(of: "SELECT name, created_at, is_admin, mark FROM zumod_users ORDER BY name").map {
            StoredUser(
                name: $0.text(0) ?? "", createdAt: $0.instant(1) ?? Instant(milliseconds: 0), isAdmin: $0.boolean(2),
                mark: $0.text(3) ?? "")
        }
    }
}

/// The maximum difference between the clocks of servers, in milliseconds.
private let clockDifference: Int64 = 60_000
