/// The credentials in a request. Empty texts count as absent.
public struct Credentials: Sendable {
    /// `X-ZUMO-AUTH`, or else `Authorization`: a token, with or without a leading `Bearer `.
    public var token: String?
    /// `X-ZUMO-APPLICATION`.
    public var applicationKey: String?
    /// `X-ZUMO-MASTER`.
    public var masterKey: String?
    /// Whether clients of the request's generation send application keys: true for v1 only.
    public var expectsApplicationKey: Bool

    /// Creates credentials; without any, the caller is anonymous.
    public init(
        token: String? = nil, applicationKey: String? = nil, masterKey: String? = nil,
        expectsApplicationKey: Bool = false
    ) {
        self.token = token
        self.applicationKey = applicationKey
        self.masterKey = masterKey
        self.expectsApplicationKey = expectsApplicationKey
    }
}
