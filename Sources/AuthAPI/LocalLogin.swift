import Access
import HTTPModel
import Tables
import ZumoProtocol

/// Logins of the users in the server's own database.
struct LocalLogin: Sendable {
    let users: any UserStore
    let passwords: Passwords
    /// Ten attempts at once and then one in six seconds, for a user and for an address each.
    let attempts = (user: RateLimit(burst: 10, perMinute: 10), address: RateLimit(burst: 30, perMinute: 30))

    /// Compares a password.
    /// - Returns: the user's name where it is his.
    func check(_ name: String, _ password: String, from address: String) async throws(LoginFault) -> String {
        if let seconds = attempts.address.wait(for: address) ?? attempts.user.wait(for: name) {
            throw .tooOften(seconds: seconds)
        }
        let stored: String?
        do throws(TableError) {
            stored = try await users.passwordHash(ofUser: name)
        } catch {
            throw .storage(error)
        }
        // Without such a user the same work is done, so that the time doesn't tell who is one.
        let hash = stored.flatMap { PasswordHash(text: $0) }
        guard let matches = await passwords.match(password, hash ?? .ofNobody) else { throw .busy }
        guard matches, hash != nil else { throw .wrongPassword }
        return name
    }
}
