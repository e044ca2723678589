import Arguments
import Operating
import ServerApp

/// `zumod user`: the users of the provider `local`.
struct UserCommand: Sendable {
    var name = ""
    var common = CommonOptions()

    static let command = Command(
        "user", "Tends the users who log in with a password kept in this database (auth.providers.local).",
        discussion: "Passwords are read from standard input: typed at the prompt, or the first line of a pipe.",
        [add, passwd, list, revoke, promote, demote, remove])

    /// `zumod user add NAME`.
    private static let add = Command(
        "add", "Adds a user.", UserCommand(), named("The name, letter by letter as it is typed at a login.")
    ) { user throws(CommandEnd) in
        let password = try newPassword()
        try await user.doing { accounts throws(CommandFault) in
            try await accounts.add(user.name, password: password)
        }
    }

    /// `zumod user passwd NAME`.
    private static let passwd = Command(
        "passwd", "Gives a user another password. Tokens given before end within a second.", UserCommand(), named()
    ) { user throws(CommandEnd) in
        let password = try newPassword()
        try await user.doing { accounts throws(CommandFault) in
            try await accounts.setPassword(password, of: user.name)
        }
    }

    /// `zumod user list`.
    private static let list = Command(
        "list", "Says who there is.", UserCommand(), CommonOptions.parameters.within(\.common)
    ) { user throws(CommandEnd) in
        try await user.doing { accounts throws(CommandFault) in
            for line in try await accounts.list() { print(line) }
        }
    }

    /// `zumod user remove NAME`.
    private static let remove = Command(
        "remove", "Removes a user; the user's rows stay. Tokens given before end within a second.", UserCommand(),
        named()
    ) { user throws(CommandEnd) in
        try await user.doing { accounts throws(CommandFault) in try await accounts.remove(user.name) }
    }

    /// `zumod user promote NAME`.
    private static let promote = Command(
        "promote", "Lets a user sign in to the data page (/_/), who sees and changes everybody's rows there.",
        UserCommand(), named()
    ) { user throws(CommandEnd) in
        try await user.doing { accounts throws(CommandFault) in try await accounts.setAdmin(true, user.name) }
    }

    /// `zumod user demote NAME`.
    private static let demote = Command(
        "demote", "Keeps a user out of the data page again, and ends the user's tokens within a second.",
        UserCommand(), named()
    ) { user throws(CommandEnd) in
        try await user.doing { accounts throws(CommandFault) in try await accounts.setAdmin(false, user.name) }
    }

    /// `zumod user revoke NAME`.
    private static let revoke = Command(
        "revoke", "Ends the tokens that a user has, within a second; the user may log in again.", UserCommand(),
        named()
    ) { user throws(CommandEnd) in
        try await user.doing { accounts throws(CommandFault) in try await accounts.revoke(user.name) }
    }

    private static func named(_ help: String = "The name.") -> [Parameter<UserCommand>] {
        [.argument("name", help, to: \.name)] + CommonOptions.parameters.within(\.common)
    }

    private static func newPassword() throws(CommandEnd) -> String {
        guard let password = PasswordPrompt.read() else {
            Exit.say("error: there is no password on standard input, or the two were not the same")
            throw Exit.usage
        }
        return password
    }

    private func doing(
        _ body: (UserAccounts) async throws(CommandFault) -> Void
    ) async throws(CommandEnd) {
        let configuration = try common.settings()
        do throws(CommandFault) {
            try await body(UserAccounts(configuration))
        } catch {
            throw Exit.tell(error)
        }
    }
}
