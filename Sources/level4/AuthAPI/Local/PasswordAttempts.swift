import ByteText
import Synchronization
import ZumoProtocol

/// Limits attempts at passwords: failures count per user and address, and with a higher limit per user, so that one
/// address can't lock a user out. Each server counts separately.
struct PasswordAttempts: Sendable {
    /// Limits all attempts of an address, since each costs work.
    let ofAddress = RateLimit(burst: 30, perMinute: 30)
    private let ofPair = RateLimit(burst: 10, perMinute: 10)
    private let ofUser = RateLimit(burst: 100, perMinute: 10)
    private let known = KnownAddresses()

    /// An attempt that is being checked: it counts as a failure until it turns out not to be one.
    struct Attempt: Sendable {
        let user: String
        let address: String
        /// Whether it counts towards more than the address's limit.
        let isCounted: Bool
    }

    /// Counts an attempt.
    /// - Throws: if it has to wait. If the user has logged in from the address before, only the address's limit
    ///   applies.
    func begin(_ user: String, from address: String) throws(LoginFault) -> Attempt {
        if let seconds = ofAddress.wait(for: address) { throw .tooOften(seconds: seconds) }
        let attempt = Attempt(user: user, address: address, isCounted: !known.contain(address, of: user))
        guard attempt.isCounted else { return attempt }
        if let seconds = ofPair.wait(for: Self.pair(attempt)) { throw .tooOften(seconds: seconds) }
        if let seconds = ofUser.wait(for: user) {
            ofPair.giveBack(to: Self.pair(attempt))
            throw .tooOften(seconds: seconds)
        }
        return attempt
    }

    /// Records that the password was right.
    func succeed(_ attempt: Attempt) {
        giveUp(attempt)
        known.remember(attempt.address, of: attempt.user)
    }

    /// Records that the password wasn't checked.
    func giveUp(_ attempt: Attempt) {
        guard attempt.isCounted else { return }
        ofPair.giveBack(to: Self.pair(attempt))
        ofUser.giveBack(to: attempt.user)
    }

    private static func pair(_ attempt: Attempt) -> String { "\(attempt.address) \(attempt.user)" }
}

/// The addresses from which users have logged in, as far as the server remembers: a few per user, so that another's
/// addresses can be displaced only by that many users.
private final class KnownAddresses: Sendable {
    private static let addressesOfUser = 10
    private static let mostUsers = 10_000

    /// By user, the most recent address last.
    private let addresses = Mutex<[ExactText: [String]]>([:])

    func contain(_ address: String, of user: String) -> Bool {
        addresses.withLock { $0[ExactText(user)]?.contains(address) ?? false }
    }

    func remember(_ address: String, of user: String) {
        let user = ExactText(user)
        addresses.withLock { users in
            if users[user] == nil, users.count >= Self.mostUsers, let any = users.keys.randomElement() {
                users[any] = nil
            }
            var list = users[user, default: []].filter { $0 != address }
            list.append(address)
            users[user] = list.suffix(Self.addressesOfUser)
        }
    }
}
