public import Access
public import Tables
public import ZumoProtocol

/// What the configuration says about the table API as a whole.
public struct TableSettings: Sendable {
    /// The generation of a request that doesn't say.
    public var generation: Generation = .v2
    /// Refuse requests without `ZUMO-API-VERSION`.
    public var requireVersion = false
    /// The first insert into an unknown table makes it.
    public var autoCreateTables = false
    /// The base of links and locations, without a slash at its end; nil to take it from each request.
    public var publicURL: String?
    /// The proxies whose word about the address counts.
    public var proxies = TrustedProxies.loopback
    /// How queries compare text.
    public var textComparison: TextComparison = .ignoringCase
    /// The rules of tables that clients make.
    public var clientTableRules = TableRules()

    /// Who callers are, by their tokens and keys.
    public var authenticator: Authenticator
    /// What each table asks of its callers; a table that is not here asks nothing.
    public var access: [Identifier: AccessRules] = [:]

    /// The defaults of the sample configuration.
    public init(authenticator: Authenticator) {
        self.authenticator = authenticator
    }
}
