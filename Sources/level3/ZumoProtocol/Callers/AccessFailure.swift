/// A failed attempt to authenticate, for the log and for the counters.
public struct AccessFailure: Sendable, Equatable {
    /// The kind of credential that was wrong.
    public enum Kind: String, Sendable, CaseIterable {
        case password, providerToken, masterKey, applicationKey
    }

    /// The kind of credential that was wrong.
    public let kind: Kind
    /// The address that it came from, as limits count addresses.
    public let address: String
    /// Distinguishes attempts on different users without revealing who they are; nil if no user was named.
    public let userMark: String?
    /// Why it failed. Of what was sent, it only contains claims of a token signed by someone the server trusts.
    public let reason: String

    /// Creates a failure.
    public init(_ kind: Kind, from address: String, userMark: String? = nil, reason: String) {
        self.kind = kind
        self.address = address
        self.userMark = userMark
        self.reason = reason
    }
}
