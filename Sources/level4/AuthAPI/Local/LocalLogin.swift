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
    /// Creates the marks that replace names in the log.
    let marks: TextSeal
    let report: @Sendable (AccessFailure) -> Void

    /// Checks a password.
    /// - Parameter now: in milliseconds since 1970.
    /// - Returns: the user, if name and password match.
    func check(
        _ name: String, _ password: String, from address: String, at now: Int64
    ) async throws(LoginFault) -> AuthenticatedUser {
        // No user can have such a name or password: nothing is looked up, so nothing is counted.
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
        // For an unknown user the same work is done, so that the time taken doesn't reveal which users exist.
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
        // A server whose clock is ahead may have ended the user's tokens. Had they been ended during the password
        // check, the new token must be one of them.
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

/// A user who has just logged in, by the provider's name for the user, with what distinguishes users of the same name.
struct AuthenticatedUser {
    let name: String
    /// In milliseconds since 1970.
    let loggedInAt: Int64
    /// Whether the user administers this server.
    var isAdmin = false
    /// What the provider said about the user.
    var told: [String: String] = [:]
}
