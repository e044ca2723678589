package import Access
import ByteText

/// How the log names the users of tokens.
package struct LoggedUsers: Sendable {
    private let seal: TextSeal?

    /// As they are.
    static let plain = LoggedUsers(seal: nil)

    private init(seal: TextSeal?) {
        self.seal = seal
    }

    /// As the configuration says.
    /// - Parameter key: what marks are made with, the same after a restart and on other servers; nil for one of this run.
    package init(_ users: LogSettings.Users, key: SigningKey?) {
        switch users {
        case .plain: self = .plain
        case .hashed:
            let random = (0..<4).map { _ in UInt64.random(in: .min ... .max).hexText }.joined()
            let key = key ?? (try? SigningKey(random))
            seal = key.map { TextSeal(key: $0, purpose: "users in the log") }
        }
    }

    /// How a user is named.
    func name(of user: String) -> String {
        seal?.mark(of: user) ?? user.shortened(to: 128)
    }
}
