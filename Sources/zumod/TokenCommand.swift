import ArgumentParser
import ServerApp
import ServerConfiguration

/// `zumod token`: a token for `X-ZUMO-AUTH`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints a token that this server accepts in X-ZUMO-AUTH or as a bearer token.",
        discussion: "Signs it with auth.signingKey. Whoever holds the token is the user until it expires."
    )

    @Option(help: ArgumentHelp("The user's id, the token's `sub`.", valueName: "id"))
    var user: String

    @Option(help: ArgumentHelp("How long it is valid: a number with s, m, h or d.", valueName: "time"))
    var expires = "30d"

    @Option(help: ArgumentHelp("Another claim, may be repeated; role=admin makes an admin.", valueName: "name=value"))
    var claim: [String] = []

    @OptionGroup var common: CommonOptions

    func run() throws {
        let order: TokenOrder
        do throws(TokenOrder.Fault) {
            order = try TokenOrder(user: user, expires: expires, claims: claim)
        } catch {
            throw ValidationError("\(error)")
        }
        let configuration = try common.settings(without: .hasDefaults)
        do throws(TokenOrder.Fault) {
            print(try order.token(by: configuration))
        } catch {
            Exit.say("error: \(error)")
            throw Exit.configuration
        }
    }
}
