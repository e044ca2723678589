/// Turns credentials into a principal, by the keys that the server is configured with.
public struct Authenticator: Sendable {
    /// The verifier of tokens, which can be replaced while the server runs.
    public let verifier: CurrentVerifier
    private let applicationKey: SharedSecret?
    private let masterKey: SharedSecret?
    private let applicationKeyRequired: Bool

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - applicationKey: nil means that every caller counts as an application.
    ///   - masterKey: nil means that no master key opens anything.
    ///   - applicationKeyRequired: v2 and v3 callers too have to show the application key. Where none is configured,
    ///     nobody can, in any generation.
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
    ///   anonymous one or with the master key (v1 and the Node server; .NET let such callers in as anonymous).
    public func principal(for credentials: Credentials, now: Int64) throws(TokenFault) -> Principal {
        let user: Principal.User? =
            if let token = credentials.token, !token.isEmpty { try verifier.current.verify(token, now: now) } else {
                nil
            }
        if let masterKey, let candidate = credentials.masterKey, masterKey.matches(candidate) { return .admin(user) }
        if let user { return user.isAdmin ? .admin(user) : .user(user) }
        return isApplication(credentials) ? .application : .anonymous
    }

    /// Whether credentials contain a master key, and whether it is the right one; nil without one, or if none is
    /// configured.
    public func holdsMasterKey(_ credentials: Credentials) -> Bool? {
        Self.holds(masterKey, credentials.masterKey)
    }

    /// A stand-in for the master key, computed from its hash's text; nil if none is configured.
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
