import Arguments
import ServerApp
import ServerConfiguration

/// `zumod token`: creates a token for `X-ZUMO-AUTH`.
struct TokenCommand: Sendable {
    var user = ""
    var expires = "30d"
    var claim: [String] = []
    var common = CommonOptions()

    static let command = Command(
        "token", "Prints a token that this server accepts in X-ZUMO-AUTH or as a bearer token.",
        discussion: "Signs it with auth.signingKey. Whoever holds the token is the user until it expires.",
        TokenCommand(),
        [
            .option("user", "id", "The user's id, the token's `sub`.", to: \.user),
            .option("expires", "time", "How long it is valid: a number with s, m, h or d.", to: \.expires),
            .option(
                "claim", "name=value", "Another claim, may be repeated; role=admin makes an admin.", to: \.claim),
        ] + CommonOptions.parameters.within(\.common)
    ) { try $0.run() }

    func run() throws {
        let order: TokenSpecification
        do throws(TokenSpecification.Fault) {
            order = try TokenSpecification(user: user, expires: expires, claims: claim)
        } catch {
            throw CommandEnd.wrongUsage("\(error)")
        }
        print(try order.token(by: try common.settings(without: .hasDefaults)))
    }
}
