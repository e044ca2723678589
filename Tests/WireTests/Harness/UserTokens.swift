import Access

/// Tokens of users, and the configuration line by which a server takes them.
enum UserTokens {
    static let line = "auth: { signingKey: \(key), masterKey: master }"
    /// The same with a master key as it has to be where others reach the server.
    static let reachableLine = "auth: { signingKey: \(key), masterKey: \(longKey) }"
    static let longKey = "a-master-key-of-31-bytes-in-all"
    private static let key = "a-signing-key-of-forty-four-bytes-in-all-told"

    /// The field with a user's token.
    static func field(_ user: String, key: String = key, claims: [String: String] = [:]) throws -> String {
        let minter = TokenMinter(
            key: try SigningKey(key), issuer: "urn:microsoft:windows-azure:zumo",
            audience: "urn:microsoft:windows-azure:zumo")
        return "X-ZUMO-AUTH: \(try minter.mint(user: user, claims: claims, lifetime: nil, now: 0))"
    }
}
