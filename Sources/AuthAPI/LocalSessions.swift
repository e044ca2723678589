public import Access
import ByteText
import OData
import Synchronization
public import Tables
public import ZumoProtocol

/// Knows which tokens of the users in the server's own database have been ended: by a new password, by the user's
/// removal, or by an operator. What the database says is believed for a second, here and on every other server.
public final class LocalSessions: Sessions {
    private let users: any UserStore
    private let known = Mutex<[ExactText: Known]>([:])

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

    /// Tokens of the users of other providers always hold.
    public func state(of user: Principal.User) async -> SessionState {
        let prefix = LoginProvider.local.userID("")
        guard user.id.beginsExactly(prefix) else { return .good }
        let subject = String(user.id.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
        let now = ContinuousClock.now
        // Only what lets in is believed: whoever has just been added or logged in again is not to be turned away.
        if let known = known.withLock({ $0[ExactText(subject)] }), known.at.duration(to: now) < Self.belief,
            Self.holds(user, against: known.tokensEndedAt)
        {
            return .good
        }
        do throws(TableError) {
            guard let end = try await account(of: subject)?.tokensEndedAt.milliseconds else { return .ended }
            remember(end, of: subject, at: now)
            return Self.holds(user, against: end) ? .good : .ended
        } catch {
            return .unknown(error.detail)
        }
    }

    /// The account that an id means. One of that name that is another person's is none.
    private func account(of subject: String) async throws(TableError) -> UserAccount? {
        for (name, mark) in UserMark.users(of: subject) {
            if let account = try await users.account(ofUser: name), account.mark == mark { return account }
        }
        return nil
    }

    /// Of a user whose tokens were never ended all hold, also those that don't say when they were given.
    private static func holds(_ user: Principal.User, against end: Int64) -> Bool {
        end == 0 || (user.loggedInAt ?? 0) > end
    }

    private func remember(_ end: Int64, of subject: String, at now: ContinuousClock.Instant) {
        known.withLock { known in
            if known.count >= Self.mostKnown { known = known.filter { $0.value.at.duration(to: now) < Self.belief } }
            if known.count < Self.mostKnown { known[ExactText(subject)] = Known(tokensEndedAt: end, at: now) }
        }
    }
}
