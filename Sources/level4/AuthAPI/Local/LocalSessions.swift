public import Access
import ByteText
import Scalars
import Synchronization
public import Tables
public import ZumoProtocol

/// Knows which tokens have been ended: those of users in the server's own database by a new password, the user's
/// removal or an operator, and those of any login by a logout. The database's answers are cached for a second, here and
/// on every other server.
public final class LocalSessions: Sessions {
    private let users: any UserStore
    private let known = Mutex<[Key: Known]>([:])

    /// The key of a login, which keeps apart users of the same name and logins of the same user.
    private struct Key: Hashable {
        let user: ExactText
        let login: ExactText
        let loggedInAt: Int64
    }

    private struct Known {
        /// In milliseconds since 1970.
        let tokensEndedAt: Int64
        let at: ContinuousClock.Instant
    }

    /// How long the database's answers are cached.
    public static let belief = Duration.seconds(1)
    private static let mostKnown = 10_000

    /// Creates sessions that are checked in a store of users.
    public init(_ users: any UserStore) {
        self.users = users
    }

    /// Tokens that belong to no login and to no user of the database are always valid.
    public func state(of user: Principal.User) async -> SessionState {
        let isLocal = user.id.beginsExactly(Self.prefix)
        guard isLocal || LoginName.isLogin(user) else { return .good }
        let now = ContinuousClock.now
        let key = Key(
            user: ExactText(user.id), login: ExactText(user.claims[LoginName.claim] ?? ""),
            loggedInAt: user.loggedInAt ?? -1)
        // Only positive answers are cached: a user who has just been added or logged in again must not be turned away.
        if let known = known.withLock({ $0[key] }), known.at.duration(to: now) < Self.belief,
            Self.holds(user, against: known.tokensEndedAt)
        {
            return .good
        }
        do throws(TableError) {
            var end: Int64 = 0
            if isLocal {
                guard let found = try await Self.account(of: user.id, in: users) else { return .ended }
                end = found.account.tokensEndedAt.milliseconds
            }
            if let name = LoginName(user) {
                for ended in try await users.ends(ofLogins: [name.login, name.user]) {
                    if ended.name == name.login { return .ended }
                    end = max(end, ended.at.milliseconds)
                }
            }
            remember(end, of: key, at: now)
            return Self.holds(user, against: end) ? .good : .ended
        } catch {
            return .unknown(error.detail)
        }
    }

    /// Returns the account that an id refers to, and its name; nil for ids of other providers, or if the account of
    /// that name is now another person's.
    static func account(
        of id: String, in users: any UserStore
    ) async throws(TableError) -> (name: String, account: UserAccount)? {
        guard id.beginsExactly(prefix) else { return nil }
        let subject = String(id.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
        for (name, mark) in UserSuffix.users(of: subject) {
            if let account = try await users.account(ofUser: name), account.mark == mark { return (name, account) }
        }
        return nil
    }

    private static let prefix = LoginProvider.local.userID("")

    /// If a user's tokens were never ended, all are valid, even those that don't say when the user logged in.
    private static func holds(_ user: Principal.User, against end: Int64) -> Bool {
        end == 0 || (user.loggedInAt ?? 0) > end
    }

    private func remember(_ end: Int64, of key: Key, at now: ContinuousClock.Instant) {
        known.withLock { known in
            if known.count >= Self.mostKnown { known = known.filter { $0.value.at.duration(to: now) < Self.belief } }
            if known.count < Self.mostKnown { known[key] = Known(tokensEndedAt: end, at: now) }
        }
    }
}
