/// Turns credentials into a principal, using the server's configured keys.
public struct Authenticator: Sendable {
    /// The verifier of tokens, which can be replaced while the server runs.
    public let verifier: CurrentVerifier
    private let applicationKey: SharedSecret?
    private let masterKey: SharedSecret?
    private let applicationKeyRequired: Bool

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - applicationKey: nil if every caller counts as an application.
    ///   - masterKey: nil if there is no master key.
    ///   - applicationKeyRequired: whether v2 and v3 callers too must send the application key. If none is configured,
    ///     no caller can, in any generation.
    public init(
        verifier: TokenVerifier, applicationKey: SharedSecret? = nil, masterKey: SharedSecret? = nil,
        applicationKeyRequired: Bool = false
    ) {
        self.verifier = CurrentVerifier(verifier)
        self.applicationKey = applicationKey
        self.masterKey = masterKey
        self.applicationKeyRequired = applicationKeyRequired
    }

    /// Identifies the caller.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: the fault of an invalid token. The request is then unauthorized on every table route, even an
    ///   anonymous one or with the master key (like v1 and the Node server; .NET admitted such callers as anonymous).
    public func principal(for credentials: Credentials, now: Int64) throws(TokenFault) -> Principal {
        let user: Principal.User? =
            if let token = credentials.token, !token.isEmpty { try verifier.current.verify(token, now: now) } else {
                nil
            }
        if let masterKey, let candidate = credentials.masterKey, masterKey.matches(candidate) { return .admin(user) }
        if let user { return user.isAdmin ? .admin(user) : .user(user) }
        return isApplication(credentials) ? .application : .anonymous
    }

    /// Returns whether credentials contain the right master key; nil if they contain none, or none is configured.
    public func holdsMasterKey(_ credentials: Credentials) -> Bool? {
        Self.holds(masterKey, credentials.masterKey)
    }

    /// Returns a stand-in for the master key, computed from its hash's text; nil if none is configured.
    public func masterKeyMark(_ mark: (String) -> String) -> String? {
        masterKey.map { mark($0.hashText) }
    }

    /// The same for the application key.
    public func holdsApplicationKey(_ credentials: Credentials) -> Bool? {
        Self.holds(applicationKey, credentials.applicationKey)
    }

    private static func holds(_ key: SharedSecret?, _ candidate: String?) -> Bool? {
        guard let key, let candidate, !candidate.isEmpty else { return nil }
        return key.matches(candidate)
    }

    private func isApplication(_ credentials: Credentials) -> Bool {
        guard credentials.expectsApplicationKey || applicationKeyRequired else { return true }
        guard let applicationKey else { return !applicationKeyRequired }
        guard let candidate = credentials.applicationKey else { return false }
        return applicationKey.matches(candidate)
    }
}
