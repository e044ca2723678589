import ArgumentParser
import Operating
import ServerApp

/// `zumod user`: the users of the provider `local`.
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Tends the users who log in with a password kept in this database (auth.providers.local).",
        discussion: "Passwords are read from standard input: typed at the prompt, or the first line of a pipe.",
        subcommands: [Add.self, Passwd.self, List.self, Revoke.self, Promote.self, Demote.self, Remove.self]
    )

    /// `zumod user add NAME`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds a user.")

        @Argument(help: "The name, letter by letter as it is typed at a login.") var name: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let password = try UserCommand.newPassword()
            try await UserCommand.doing(common) { accounts throws(CommandFault) in
                try await accounts.add(name, password: password)
            }
        }
    }

    /// `zumod user passwd NAME`.
    struct Passwd: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives a user another password. Tokens given before end within a second.")

        @Argument(help: "The name.") var name: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let password = try UserCommand.newPassword()
            try await UserCommand.doing(common) { accounts throws(CommandFault) in
                try await accounts.setPassword(password, of: name)
            }
        }
    }

    /// `zumod user list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Says who there is.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await UserCommand.doing(common) { accounts throws(CommandFault) in
                for line in try await accounts.list() { print(line) }
            }
        }
    }

    /// `zumod user remove NAME`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a user; the user's rows stay. Tokens given before end within a second.")

        @Argument(help: "The name.") var name: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await UserCommand.doing(common) { accounts throws(CommandFault) in
                try await accounts.remove(name)
            }
        }
    }

    /// `zumod user promote NAME`.
    struct Promote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets a user sign in to the data page (/_/), who sees and changes everybody's rows there.")

        @Argument(help: "The name.") var name: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await UserCommand.doing(common) { accounts throws(CommandFault) in
                try await accounts.setAdmin(true, name)
            }
        }
    }

    /// `zumod user demote NAME`.
    struct Demote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps a user out of the data page again, and ends the user's tokens within a second.")

        @Argument(help: "The name.") var name: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await UserCommand.doing(common) { accounts throws(CommandFault) in
                try await accounts.setAdmin(false, name)
            }
        }
    }

    /// `zumod user revoke NAME`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends the tokens that a user has, within a second; the user may log in again.")

        @Argument(help: "The name.") var name: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await UserCommand.doing(common) { accounts throws(CommandFault) in
                try await accounts.revoke(name)
            }
        }
    }

    private static func newPassword() throws -> String {
        guard let password = PasswordPrompt.read() else {
            Exit.say("error: there is no password on standard input, or the two were not the same")
            throw Exit.usage
        }
        return password
    }

    private static func doing(
        _ common: CommonOptions, _ body: (UserAccounts) async throws(CommandFault) -> Void
    ) async throws {
        let configuration = try common.settings()
        do throws(CommandFault) {
            try await body(UserAccounts(configuration))
        } catch {
            throw Exit.tell(error)
        }
    }
}
