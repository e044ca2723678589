import Synchronization

/// What logins keep when their settings are replaced: who has tried how often, and whose passwords are waiting to be
/// checked.
public final class LoginRuntimeState: Sendable {
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

    /// Waits for an address's turn among the waiting passwords, to have another proof checked.
    /// - Returns: false if too many are waiting already, or nobody is waiting for the answer any more.
    public func waitForTurn(of address: String) async -> Bool {
        await passwords.check(from: address) { true } != nil
    }
}
