import Scalars
public import Tables

/// Users as they are moved between databases.
extension UserRecords {
    fileprivate static let selects: [SQLFragment] = [
        """
        SELECT name, created_at, password, tokens_ended_at, is_admin, mark FROM zumod_users ORDER BY name
        """, "SELECT name, mark FROM zumod_former_users ORDER BY name",
    ]

    fileprivate init(_ rows: [[SQLRow]]) {
        let start = Instant(milliseconds: 0)
        self.init(
            users: rows[0].map {
                UserRecord(
                    name: $0.words(0), createdAt: $0.instant(1) ?? start,
                    account: UserAccount(
                        passwordHash: $0.words(2), tokensEndedAt: $0.instant(3) ?? start, isAdmin: $0.boolean(4),
                        mark: $0.words(5)))
            }, former: rows[1].map { FormerUser(name: $0.words(0), mark: $0.words(1)) })
    }
}

extension SQLConnection {
    /// Returns all users, and who had their names before.
    public func userRecords() throws(Failure) -> UserRecords {
        UserRecords(try rows(of: UserRecords.selects))
    }
}

extension SQLExecutor {
    /// Reads both tables.
    public func userRecords() async throws(TableError) -> UserRecords {
        var found: [[SQLRow]] = []
        for select in UserRecords.selects { found.append(try await rows(of: select)) }
        return UserRecords(found)
    }

    /// Inserts rows in one transaction.
    public func addUsers(_ records: UserRecords) async throws(TableError) {
        let users: [SQLFragment] = records.users.map { user in
            let account = user.account
            return """
                INSERT INTO zumod_users (name, created_at, password, tokens_ended_at, is_admin, mark) VALUES (\
                \(.text(user.name)), \(.integer(user.createdAt.milliseconds)), \(.text(account.passwordHash)), \
                \(.integer(account.tokensEndedAt.milliseconds)), \(.boolean(account.isAdmin)), \
                \(.text(account.mark))) ON CONFLICT (name) DO NOTHING
                """
        }
        let former: [SQLFragment] = records.former.map { user in
            """
            INSERT INTO zumod_former_users (name, mark) VALUES (\(.text(user.name)), \(.text(user.mark))) \
            ON CONFLICT (name) DO NOTHING
            """
        }
        guard !records.isEmpty else { return }
        _ = try await execute(users + former)
    }
}
