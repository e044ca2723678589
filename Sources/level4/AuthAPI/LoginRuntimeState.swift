import Synchronization

/// The state of logins that outlives their settings: the counted attempts, and the passwords waiting to be checked.
public final class LoginRuntimeState: Sendable {
    let attempts = PasswordAttempts()
    private let made = Mutex<Passwords?>(nil)

    /// Creates an empty state.
    public init() {}

    /// Created on first use, as it starts threads.
    var passwords: Passwords {
        made.withLock { made in
            if let made { return made }
            let passwords = Passwords()
            made = passwords
            return passwords
        }
    }

    /// Waits for an address's turn among the waiting passwords, to have another proof checked.
    /// - Returns: false if too many are waiting, or the client is gone.
    public func waitForTurn(of address: String) async -> Bool {
        await passwords.check(from: address) { true } != nil
    }
}
