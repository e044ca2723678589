package import Access
public import Scripts
public import ServerLogging
package import TableOperations
public import Tables
package import Webhooks
public import ZumoProtocol

/// All settings for operators, checked. `docs/configuration.md` describes each key.
public struct Configuration: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 lets the system choose a free one.
    public var port = 8080
    /// Whether another process may listen on the same address, for a handover.
    package var reusePort = false
    /// The files of the server's certificate and key, and where the configuration names them.
    var tlsPaths: (certificate: ConfiguredPath?, key: ConfiguredPath?) = (nil, nil)
    /// Whether this is a server for tests of clients, which may reset, freeze and break it.
    public var isTest = false
    /// Whether there is a data page; nil if it is open only to the server's own machine.
    public var isPageEnabled: Bool?
    /// Whether other machines may use a test server.
    public var isRemoteTestAllowed = false
    /// Where the rows are kept.
    public var database = DatabaseLocation.sqlite(path: "data/zumod.sqlite3")
    /// The number of PostgreSQL connections for reading, and so of lists that run at once.
    package var databaseConnections = 8
    /// Whether a pooler in front of PostgreSQL may give each transaction a different connection.
    package var hasTransactionPooler = false
    /// The base of links, without a trailing slash; nil to take it from each request.
    public var publicURL: String?
    /// The proxies whose statements about client and address are trusted.
    package var trustedProxies = TrustedProxies.loopback
    /// Whether a request without `ZUMO-API-VERSION` is refused.
    public var requireVersion = false
    /// The generation of requests that don't state theirs.
    public var generation = Generation.v2
    /// The number of rows in a page if neither the client nor the table states it.
    public var pageSize = 50
    /// The maximum of `$top` if the table doesn't set it; 0 for no limit.
    public var maxTop: Int?
    /// Whether the first insert into an unknown table creates it.
    public var autoCreateTables = false
    /// How queries compare text.
    public var textComparison = TextComparison.ignoringCase
    /// For how many seconds a repeated write is recognized; 0 to disable this.
    public var repeatWindow = 600
    /// Whether the activity of app installations is recorded.
    public var recordsDevices = true
    /// The limits for clients.
    public var limits = Limits()
    /// Which web pages of other origins may call the server.
    package var cors = CrossOrigin()
    /// What is logged, and how.
    public var log = LogSettings()
    /// How callers are identified.
    package var auth = Auth()
    /// The tables of `config/tables`.
    public var tables: [TableDefinition] = []
    /// The access rules of each table.
    package var access: [Identifier: AccessRules] = [:]
    /// The same, operation by operation, with the setting that each comes from.
    package var accessSources: [Identifier: [AccessSource]] = [:]
    /// The behaviour of each table beyond storing rows.
    package var behaviours: [Identifier: TableBehaviour] = [:]
    /// The webhook of each table.
    package var webhooks: [Identifier: Webhook] = [:]
    /// The key for signing notices if a table's webhook has none.
    var webhookSecret: WebhookSecret?
    /// The built-in APIs that `config/apis` enables.
    package var apis: [ConfiguredAPI] = []
    /// Runs the scripts of tables and APIs; nil if there are none.
    public var scripts: ScriptHost?
    /// The limits of scripts.
    var scriptLimits = ScriptLimits()
    /// Features known to be unsupported that a project's scripts may use, and where the configuration says so.
    var allowedUnsupported: [UnsupportedFeature: Origin] = [:]
    /// How long each table keeps tombstones; forever if there is no entry.
    package var tombstones: [Identifier: Duration] = [:]
    /// Problems that are errors if other machines can reach the server, and warnings otherwise.
    package var weaknesses: [ConfigurationFault] = []
    /// Settings that grant more access than the operator may intend; the server starts anyway.
    public var warnings: [ConfigurationFault] = []
    /// How ambiguous settings were understood, for operators who check them.
    public var explanations: [ConfigurationFault] = []
    /// Remarks for the operator about settings that are not wrong.
    public var notes: [ConfigurationFault] = []

    /// Creates the built-in defaults.
    public init() {}

}

extension Configuration {
    /// Records a weakness of a value, or that it has none; one of a value that this overrides is dropped.
    mutating func note(_ weakness: String?, of value: ConfigurationValue) {
        weaknesses.removeAll { $0.key == value.key }
        if let weakness { weaknesses.append(value.fault(weakness)) }
    }

    /// Whether other machines can reach the server without a proxy on this one.
    package var isExposed: Bool { !Self.isLoopback(host) }

    /// The key of a setting that implies that other machines reach the server through a proxy, although it listens only
    /// on this machine; nil if there is none.
    var keyOfProxy: String? {
        if let publicURL, !Self.isLoopback(PublicURL.host(of: publicURL)) { return "publicUrl" }
        if isPageEnabled == true { return "page.enabled" }
        return trustedProxies.areNamed ? "trustedProxies" : nil
    }

    /// Whether other machines are meant to reach the server.
    var isReachable: Bool { isExposed || keyOfProxy != nil }

    private static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || TrustedProxies.loopback.contain(host)
    }

    /// The server's certificate and key files; nil if it speaks plain HTTP.
    package var tls: TLSFiles? {
        guard let certificate = tlsPaths.certificate, let key = tlsPaths.key else { return nil }
        return TLSFiles(certificate: certificate, key: key)
    }

    /// The scheme that clients use with the server itself, as in a URL.
    package var scheme: String { tls == nil ? "http" : "https" }

    /// The URL at which this machine itself reaches the server.
    public var localURL: String {
        let reachable = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        return "\(scheme)://\(reachable.contains(":") ? "[\(reachable)]" : reachable):\(port)"
    }
}
