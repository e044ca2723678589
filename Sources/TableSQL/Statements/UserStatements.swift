import OData
public import Tables

/// The statements on the users of the server's own login. Times are milliseconds since 1970.
public enum UserStatements {
    /// Answers the hash of a user's password, up to when tokens are ended, whether the user is an admin, and the mark.
    public static func account(ofUser name: String, dialect: any SQLDialect) -> SQLText {
        statement(
            dialect, ("SELECT password, tokens_ended_at, is_admin, mark FROM zumod_users WHERE name = ", .text(name)))
    }

    /// Adds a user where there is none of that name.
    public static func add(
        _ name: String, passwordHash: String, mark: UserMark, at now: Int64, dialect: any SQLDialect
    ) -> SQLText {
        let marking: [(sql: String, value: Value)]
        let end: String
        var endedAt = now
        switch mark {
        case .exactly(let mark):
            (marking, end) = ([(", ", .text(mark))], "")
            // The one before may have tokens of a server whose clock was ahead, and those are this user's by their id.
            endedAt += Self.leap
        case .ifNeeded(let mark):
            marking = [
                (", CASE WHEN EXISTS (SELECT 1 FROM zumod_former_users WHERE name = ", .text(name)),
                (") THEN ", .text(mark)),
            ]
            end = " ELSE '' END"
        }
        return statement(
            dialect,
            [
                ("INSERT INTO zumod_users (name, password, created_at, tokens_ended_at, mark) VALUES (", .text(name)),
                (", ", .text(passwordHash)), (", ", .integer(now)), (", ", .integer(endedAt)),
            ] + marking, end: "\(end)) ON CONFLICT (name) DO NOTHING")
    }

    /// As far as clocks of servers may be apart. Who logs in meanwhile is taken to have done it a moment later.
    private static let leap: Int64 = 60_000

    /// Answers the mark of the last user of that name who was removed.
    public static func formerMark(ofUser name: String, dialect: any SQLDialect) -> SQLText {
        statement(dialect, ("SELECT mark FROM zumod_former_users WHERE name = ", .text(name)))
    }

    /// Remembers who had a name, before the user is removed.
    public static func rememberFormer(_ name: String, dialect: any SQLDialect) -> SQLText {
        statement(
            dialect,
            (
                "INSERT INTO zumod_former_users (name, mark) SELECT name, mark FROM zumod_users WHERE name = ",
                .text(name)
            ),
            end: " ON CONFLICT (name) DO UPDATE SET mark = excluded.mark")
    }

    /// Answers the name where there is such a user.
    public static func setPasswordHash(
        _ hash: String, ofUser name: String, at now: Int64, dialect: any SQLDialect
    ) -> SQLText {
        statement(
            dialect, ("UPDATE zumod_users SET password = ", .text(hash)), (", \(ended) ", .integer(now)),
            (orAfter, .integer(now)), (" END WHERE name = ", .text(name)), end: " RETURNING name")
    }

    /// Answers the name where there is such a user.
    public static func endTokens(ofUser name: String, at now: Int64, dialect: any SQLDialect) -> SQLText {
        statement(
            dialect, ("UPDATE zumod_users SET \(ended) ", .integer(now)), (orAfter, .integer(now)),
            (" END WHERE name = ", .text(name)), end: " RETURNING name")
    }

    /// Where tokens were ended by a clock that was ahead, later ones say a moment after that: they are to end too.
    private static let ended = "tokens_ended_at = CASE WHEN tokens_ended_at BETWEEN"
    private static let orAfter = " AND \(Instant.last.milliseconds) THEN tokens_ended_at + 1 ELSE "

    /// Answers the name where there is such a user. The tokens that said otherwise are ended.
    public static func setAdmin(
        _ isAdmin: Bool, ofUser name: String, at now: Int64, dialect: any SQLDialect
    ) -> SQLText {
        // Who becomes one keeps the tokens: they say nothing of it.
        isAdmin
            ? statement(
                dialect, ("UPDATE zumod_users SET is_admin = ", .boolean(true)), (" WHERE name = ", .text(name)),
                end: " RETURNING name")
            : statement(
                dialect, ("UPDATE zumod_users SET is_admin = ", .boolean(false)),
                (", \(ended) ", .integer(now)), (orAfter, .integer(now)), (" END WHERE name = ", .text(name)),
                end: " RETURNING name")
    }

    /// Answers the name where there was such a user.
    public static func remove(_ name: String, dialect: any SQLDialect) -> SQLText {
        statement(dialect, ("DELETE FROM zumod_users WHERE name = ", .text(name)), end: " RETURNING name")
    }

    /// Answers names, times of creation, who is an admin, and marks.
    public static let all = SQLText(
        text: "SELECT name, created_at, is_admin, mark FROM zumod_users ORDER BY name", bindings: [])

    /// Takes a code where nobody has taken it.
    /// - Parameter taker: nobody else's text, which tells who took it.
    public static func takeCode(
        _ code: String, by taker: String, until end: Int64, dialect: any SQLDialect
    ) -> SQLText {
        statement(
            dialect, ("INSERT INTO zumod_codes (code, taker, ends_at) VALUES (", .text(code)), (", ", .text(taker)),
            (", ", .integer(end)), end: ") ON CONFLICT (code) DO NOTHING")
    }

    /// Answers who took a code.
    public static func taker(ofCode code: String, dialect: any SQLDialect) -> SQLText {
        statement(dialect, ("SELECT taker FROM zumod_codes WHERE code = ", .text(code)))
    }

    /// Remembers that a login was ended, in the place of a code that was taken. Moments are written so that the later text is
    /// the later one; an earlier one changes nothing.
    public static func endLogin(_ name: String, at now: Int64, until end: Int64, dialect: any SQLDialect) -> SQLText {
        statement(
            dialect, ("INSERT INTO zumod_codes (code, taker, ends_at) VALUES (", .text(name)),
            (", ", .text(moment(now))),
            (", ", .integer(end)),
            end: """
                ) ON CONFLICT (code) DO UPDATE SET ends_at = excluded.ends_at, taker = \
                CASE WHEN zumod_codes.taker < excluded.taker THEN excluded.taker ELSE zumod_codes.taker END
                """)
    }

    /// Answers those of the logins that were ended, and their moments.
    public static func ends(ofLogins names: [String], dialect: any SQLDialect) -> SQLText {
        let list = names.enumerated().map { index, name in
            (index == 0 ? "SELECT code, taker FROM zumod_codes WHERE code IN (" : ", ", Value.text(name))
        }
        return statement(dialect, list, end: ")")
    }

    private static func moment(_ milliseconds: Int64) -> String {
        let digits = String(max(0, milliseconds))
        return String(repeating: "0", count: 20 - digits.count) + digits
    }

    /// Forgets codes that are no good any more.
    public static func forgetCodes(before now: Int64, dialect: any SQLDialect) -> SQLText {
        statement(dialect, ("DELETE FROM zumod_codes WHERE ends_at < ", .integer(now)))
    }

    /// Pieces of SQL, each with the value that follows it.
    private static func statement(
        _ dialect: any SQLDialect, _ parts: (sql: String, value: Value)..., end: String = ""
    ) -> SQLText {
        statement(dialect, parts, end: end)
    }

    private static func statement(
        _ dialect: any SQLDialect, _ parts: [(sql: String, value: Value)], end: String
    ) -> SQLText {
        var builder = SQLBuilder(dialect)
        for part in parts {
            builder.append(part.sql)
            builder.bind(part.value)
        }
        builder.append(end)
        return builder.build()
    }
}
