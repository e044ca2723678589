package import Access
import ByteText

/// How users of tokens appear in the log.
package struct LoggedUsers: Sendable {
    private let seal: TextSeal?

    /// Unchanged.
    static let plain = LoggedUsers(seal: nil)

    private init(seal: TextSeal?) {
        self.seal = seal
    }

    /// Creates what the configuration asks for.
    /// - Parameter key: the key for marks, to be the same after restarts and on other servers; nil for a random one.
    package init(_ users: LogSettings.Users, key: SigningKey?) {
        switch users {
        case .plain: self = .plain
        case .hashed:
            let random = (0..<4).map { _ in UInt64.random(in: .min ... .max).hexText }.joined()
            let key = key ?? (try? SigningKey(random))
            seal = key.map { TextSeal(key: $0, purpose: "users in the log") }
        }
    }

    /// Returns the name of a user in the log.
    func name(of user: String) -> String {
        seal?.mark(of: user) ?? user.shortened(to: 128)
    }
}
