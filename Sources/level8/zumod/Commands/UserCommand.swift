import Arguments
import ServerApp
import ServerConfiguration

/// `zumod user`: the users of the provider `local`.
struct UserCommand: Sendable {
    var name = ""
    var inherit = false
    var withRows = false
    var app: String?
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
            flags: [
                .flag(
                    "inherit", "The user is the one who had the name before, and sees that one's rows.", to: \.inherit),
                project,
            ])
    ) { user in
        let password = try PasswordPrompt.read()
        let accounts = UserAccounts(try user.configuration(needsTables: user.inherit || user.app != nil))
        for line in try await accounts.add(user.name, password: password, inherits: user.inherit) { print(line) }
    }

    /// `zumod user passwd NAME`.
    private static let passwd = Command(
        "passwd", "Gives a user another password. Tokens given before end within a second.", UserCommand(), named()
    ) { user in
        let password = try PasswordPrompt.read()
        try await user.accounts.setPassword(password, of: user.name)
    }

    /// `zumod user list`.
    private static let list = Command(
        "list", "Says who there is.", UserCommand(), CommonOptions.parameters.within(\.common)
    ) { user in
        for line in try await user.accounts.list() { print(line) }
    }

    /// `zumod user remove NAME`.
    private static let remove = Command(
        "remove", "Removes a user. Tokens given before end within a second.", UserCommand(),
        named(
            flags: [
                .flag("with-rows", "The rows that are the user's alone go too, else they stay.", to: \.withRows),
                project,
            ])
    ) { user in
        let accounts = UserAccounts(try user.configuration(needsTables: user.withRows || user.app != nil))
        for line in try await accounts.remove(user.name, withRows: user.withRows) { print(line) }
    }

    /// `zumod user promote NAME`.
    private static let promote = Command(
        "promote", "Lets a user sign in to the data page (/_/), who sees and changes everybody's rows there.",
        UserCommand(), named()
    ) { user in
        try await user.accounts.setAdmin(true, user.name)
    }

    /// `zumod user demote NAME`.
    private static let demote = Command(
        "demote", "Keeps a user out of the data page again, and ends the user's tokens within a second.",
        UserCommand(), named()
    ) { user in
        try await user.accounts.setAdmin(false, user.name)
    }

    /// `zumod user revoke NAME`.
    private static let revoke = Command(
        "revoke", "Ends the tokens that a user has, within a second; the user may log in again.", UserCommand(),
        named()
    ) { user in
        try await user.accounts.revoke(user.name)
    }

    private static let project: Parameter<UserCommand> = .option(
        "app", "dir", "The project that serve --app serves: its tables say which rows are whose.", of: .folder,
        to: \.app)

    private static func named(
        _ help: String = "The name.", flags: [Parameter<UserCommand>] = []
    ) -> [Parameter<UserCommand>] {
        [.argument("name", help, to: \.name)] + flags + CommonOptions.parameters.within(\.common)
    }

    private var accounts: UserAccounts {
        get throws { UserAccounts(try common.settings()) }
    }

    /// Reads the configuration with its tables, also those of a project, which say which rows are whose.
    /// - Parameter needsTables: whether the command fails without them; a user can be added and removed even if the
    ///   tables' configuration is wrong.
    private func configuration(needsTables: Bool) throws -> Configuration {
        do {
            var sources = common.sources
            sources.app = app
            return try Configuration.read(from: sources, without: .needsDatabase)
        } catch {
            guard !needsTables else { throw error }
            let settings = try common.settings()
            Exit.say("note: the tables can't be read (`zumod check` says why), so it isn't known which rows are whose")
            return settings
        }
    }
}
