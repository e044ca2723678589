import Access

/// The names under which the end of logins is recorded. They are digests, so that the records don't reveal who the
/// users are.
struct LoginName {
    /// The login that a token goes back to, across all exchanges.
    let login: String
    /// All logins of the user.
    let user: String

    /// The claim that distinguishes a user's logins.
    static let claim = "sid"

    /// - Returns: nil for a token that belongs to no login, such as those of `zumod token`.
    init?(_ user: Principal.User) {
        guard let began = Self.beginning(of: user) else { return nil }
        login = "login " + CodeChallenge.text(of: "\(user.id)\0\(began)")
        self.user = Self.all(ofUser: user.id)
    }

    static func all(ofUser id: String) -> String { "user " + CodeChallenge.text(of: id) }

    /// Earlier versions identified logins only by their time.
    private static func beginning(of user: Principal.User) -> String? {
        if let name = user.claims[claim] { return name }
        return user.claims["idp"] == nil ? nil : user.loggedInAt.map { "at \($0)" }
    }

    /// Whether a token belongs to a login; cheaper than creating its name.
    static func isLogin(_ user: Principal.User) -> Bool { user.claims[claim] != nil || user.claims["idp"] != nil }
}
