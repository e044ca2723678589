import Access
import HTTPModel
import JSONText
import TableOperations
import Tables

/// Gives everybody a token of one and the same user, for suites that can't log in by hand.
enum TokenGeneratorAPI {
    private static let user = "Facebook:someuserid@hotmail.com"
    /// As long as the tokens of Mobile Services were.
    private static let lifetime = Duration.seconds(30 * 86_400)

    static func define(_ api: inout APIDefinition, minter: TokenMinter?, clock: @escaping Clock) {
        api.get { _ in
            guard let minter else {
                throw Refusal(.serviceUnavailable, "The server has no key to sign tokens with.")
            }
            let token = try minter.mint(user: user, lifetime: lifetime, now: clock().secondsRoundedDown)
            // The first two are what suites of the first generation read, the third what those of the second do.
            return .json([
                "userId": .string(user), "authenticationToken": .string(token),
                "token": ["payload": ["uid": .string(user)], "rawData": .string(token)],
            ])
        }
    }
}
