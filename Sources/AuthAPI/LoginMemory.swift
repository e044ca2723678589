import Synchronization

/// What logins keep when other settings take the place of theirs: who has tried how often, and whose passwords wait to be
/// checked.
public final class LoginMemory: Sendable {
    let attempts = PasswordAttempts()
    private let made = Mutex<Passwords?>(nil)

    /// Nothing yet.
    public init() {}

    /// Made when the first asks for it, as it has threads.
    var passwords: Passwords {
        made.withLock { made in
            if let made { return made }
            let passwords = Passwords()
            made = passwords
            return passwords
        }
    }

    /// Waits until it is the turn of an address among those whose passwords wait, to have another proof looked at.
    /// - Returns: false where too many wait already, or nobody waits for the answer any more.
    public func waitForTurn(of address: String) async -> Bool {
        await passwords.check(from: address) { true } != nil
    }
}
