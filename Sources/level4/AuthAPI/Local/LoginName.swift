import Access

/// The name under which the end of a login is remembered: digests, because who the users are is nobody's business
/// there.
struct LoginName {
    /// The login that a token goes back to, by way of all that it was exchanged for.
    let login: String
    /// All that the user has begun.
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

    /// Earlier versions distinguished logins only by their time.
    private static func beginning(of user: Principal.User) -> String? {
        if let name = user.claims[claim] { return name }
        return user.claims["idp"] == nil ? nil : user.loggedInAt.map { "at \($0)" }
    }

    /// Whether a token is of a login, which is cheap to say.
    static func isLogin(_ user: Principal.User) -> Bool { user.claims[claim] != nil || user.claims["idp"] != nil }
}
