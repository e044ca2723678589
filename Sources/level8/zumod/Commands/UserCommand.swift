import Arguments
import Operating
import ServerApp
import ServerConfiguration

/// `zumod user`: the users of the provider `local`.
struct UserCommand: Sendable {
    var name = ""
    var inherit = false
    var withRows = false
    var common = CommonOptions()

    static let command = Command(
        "user", "Tends the users who log in with a password kept in this database (auth.providers.local).",
        discussion: "Passwords are read from standard input: typed at the prompt, or the first line of a pipe.",
        [add, passwd, list, revoke, promote, demote, remove])

    /// `zumod user add NAME`.
    private static let add = Command(
        "add", "Adds a user, who is somebody else than those who had the name before.", UserCommand(),
        named(
            "The name as it is typed at a login.",
            flags: .flag(
                "inherit", "The user is the one who had the name before, and sees that one's rows.", to: \.inherit))
    ) { user throws(CommandEnd) in
        let password = try newPassword()
        try await user.doing(on: try user.configuration(needsTables: user.inherit)) { accounts throws(CommandFault) in
            for line in try await accounts.add(user.name, password: password, inherits: user.inherit) { print(line) }
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
        "remove", "Removes a user. Tokens given before end within a second.", UserCommand(),
        named(flags: .flag("with-rows", "The rows that are the user's alone go too, else they stay.", to: \.withRows))
    ) { user throws(CommandEnd) in
        try await user.doing(on: try user.configuration(needsTables: user.withRows)) { accounts throws(CommandFault) in
            for line in try await accounts.remove(user.name, withRows: user.withRows) { print(line) }
        }
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

    private static func named(
        _ help: String = "The name.", flags: Parameter<UserCommand>...
    ) -> [Parameter<UserCommand>] {
        [.argument("name", help, to: \.name)] + flags + CommonOptions.parameters.within(\.common)
    }

    private static func newPassword() throws(CommandEnd) -> String {
        do throws(PasswordPrompt.Fault) {
            return try PasswordPrompt.read()
        } catch {
            Exit.say("error: \(error.words)")
            throw Exit.usage
        }
    }

    /// The configuration with the tables, which say whose rows there are.
    /// - Parameter needsTables: whether nothing can be done without; a user can be added and removed whatever is wrong
    ///   there.
    private func configuration(needsTables: Bool) throws(CommandEnd) -> Configuration {
        do throws(ConfigurationFaults) {
            return try Configuration.read(from: common.sources, without: .needsDatabase)
        } catch {
            guard !needsTables else { throw Exit.tell(error) }
            let settings = try common.settings()
            Exit.say("note: the tables can't be read (`zumod check` says why), so it isn't known which rows are whose")
            return settings
        }
    }

    private func doing(
        _ body: (UserAccounts) async throws(CommandFault) -> Void
    ) async throws(CommandEnd) {
        try await doing(on: try common.settings(), body)
    }

    private func doing(
        on configuration: Configuration, _ body: (UserAccounts) async throws(CommandFault) -> Void
    ) async throws(CommandEnd) {
        do throws(CommandFault) {
            try await body(UserAccounts(configuration))
        } catch {
            throw Exit.tell(error)
        }
    }
}
