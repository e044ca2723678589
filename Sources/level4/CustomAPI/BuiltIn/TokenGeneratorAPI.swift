import Access
import HTTPModel
import JSONText
import TableOperations
import Tables

/// Gives every caller a token for the same user, for suites that can't log in interactively.
enum TokenGeneratorAPI {
    private static let user = "Facebook:someuserid@hotmail.com"
    /// The lifetime of tokens in Mobile Services.
    private static let lifetime = Duration.seconds(30 * 86_400)

    static func define(_ api: inout APIDefinition, minter: TokenMinter?, clock: @escaping Clock) {
        api.get { _ in
            guard let minter else {
                throw Refusal(.serviceUnavailable, "The server has no key to sign tokens with.")
            }
            let token = try minter.mint(user: user, lifetime: lifetime, now: clock().secondsRoundedDown)
            // Suites of the first generation read the first two members, those of the second the third.
            return .json([
                "userId": .string(user), "authenticationToken": .string(token),
                "token": ["payload": ["uid": .string(user)], "rawData": .string(token)],
            ])
        }
    }
}
