/// Why a token is refused. The raw values are sentences without any part of the token or of a key.
public enum TokenFault: String, Error, Sendable, CaseIterable {
    /// It has more bytes than `TokenVerifier.maximumTokenBytes`.
    case tooLarge = "The token is too large."
    /// It isn't three parts in base64url, these aren't JSON objects, or a member has the wrong type.
    case malformed = "The token is malformed."
    /// An object has two members of the same name; parsers differ on which one counts.
    case duplicateMember = "The token has a member twice."
    /// `none`, or an algorithm that is not supported.
    case unsupportedAlgorithm = "The token's algorithm is not accepted."
    /// The header contains its own key, or a URL to fetch one from.
    case embeddedKey = "The token brings its own key."
    /// The header has extensions that must be understood; none are supported.
    case criticalExtension = "The token demands an extension."
    /// The server has no key for the token's algorithm and key id.
    case unknownKey = "The token's key is not known."
    case badSignature = "The token's signature is wrong."
    case expired = "The token has expired."
    case notYetValid = "The token is not valid yet."
    /// A v1 token without `exp`.
    case missingExpiry = "The token never expires."
    case wrongIssuer = "The token's issuer is not accepted."
    case wrongAudience = "The token is not for this server."
    /// No `sub` (`uid` in v1), or an empty one.
    case missingUser = "The token names no user."
}
