import Access
import HTTPModel
import Scalars
import Tables
import ZumoProtocol

/// Logins of the users in the server's own database.
struct LocalLogin: Sendable {
    let users: any UserStore
    let passwords: Passwords
    let attempts: PasswordAttempts
    /// Stands for names in the log.
    let marks: TextSeal
    let report: @Sendable (AccessFailure) -> Void

    /// Checks a password.
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: the user whose password it is.
    func check(
        _ name: String, _ password: String, from address: String, at now: Int64
    ) async throws(LoginFault) -> AuthenticatedUser {
        // No user has such a name or password: nothing is looked up for it, and so nothing counted.
        guard Self.mayBeName(name), PasswordHash.mayBePassword(password) else {
            report(AccessFailure(.password, from: address, reason: "no user has such a name or password"))
            throw .wrongPassword
        }
        let prepared = PreparedText.name(name)
        let attempt = try attempts.begin(prepared, from: address)
        let found: (name: String, account: UserAccount)?
        do throws(TableError) {
            found = try await users.account(typed: name)
        } catch {
            attempts.giveUp(attempt)
            throw .storage(error)
        }
        let account = found?.account
        // Without such a user the same work is done, so that the time doesn't tell who is one.
        let hash = (account?.passwordHash).flatMap { PasswordHash(text: $0) }
        guard let matches = await passwords.match(password, hash ?? .ofNobody, from: address) else {
            attempts.giveUp(attempt)
            throw .busy
        }
        guard matches, hash != nil, let found, let account else {
            let reason = account == nil ? "there is no such user" : "the password is wrong"
            report(AccessFailure(.password, from: address, userMark: marks.mark(of: prepared), reason: reason))
            throw .wrongPassword
        }
        attempts.succeed(attempt)
        // The user's tokens may have been ended by a clock ahead of this one. Had they been ended while the password was
        // checked, the new token would be one of those.
        return AuthenticatedUser(
            name: UserSuffix.subject(ofUser: found.name, mark: account.mark),
            loggedInAt: max(now, account.tokensEndedAt.next.milliseconds), isAdmin: account.isAdmin)
    }

    private static func mayBeName(_ name: String) -> Bool {
        guard name.unicodeScalars.count <= 512 else { return false }
        let name = PreparedText.name(name)
        return !name.isEmpty && name.unicodeScalars.count <= 128
    }
}

/// A user who has just logged in, by the name that the provider knows, with what distinguishes users of the same name.
struct AuthenticatedUser {
    let name: String
    /// Milliseconds since 1970.
    let loggedInAt: Int64
    /// Whether the user administers this server.
    var isAdmin = false
    /// What the provider said about the user.
    var told: [String: String] = [:]
}
