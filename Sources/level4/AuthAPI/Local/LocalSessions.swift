public import Access
import ByteText
import Scalars
import Synchronization
public import Tables
public import ZumoProtocol

/// Knows which tokens have been ended: those of users in the server's own database by a new password, by the user's
/// removal or by an operator, and those of any login by a logout. What the database says is trusted for a second, here
/// and on every other server.
public final class LocalSessions: Sessions {
    private let users: any UserStore
    private let known = Mutex<[Key: Known]>([:])

    /// A login: users of one name, and logins of one user, are never taken for one another.
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

    /// How long it is believed what the database said.
    public static let belief = Duration.seconds(1)
    private static let mostKnown = 10_000

    /// Asks the store about its users.
    public init(_ users: any UserStore) {
        self.users = users
    }

    /// Tokens that are of no login, and of nobody in the database, always hold.
    public func state(of user: Principal.User) async -> SessionState {
        let isLocal = user.id.beginsExactly(Self.prefix)
        guard isLocal || LoginName.isLogin(user) else { return .good }
        let now = ContinuousClock.now
        let key = Key(
            user: ExactText(user.id), login: ExactText(user.claims[LoginName.claim] ?? ""),
            loggedInAt: user.loggedInAt ?? -1)
        // Only what lets in is believed: whoever has just been added or logged in again is not to be turned away.
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

    /// The account that an id means, and its name; nil for ids of other providers. One of that name that is another person's is
    /// none.
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

    /// If a user's tokens were never ended, all are valid, including those that don't say when they were issued.
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
