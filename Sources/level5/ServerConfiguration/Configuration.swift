package import Access
public import Scripts
public import ServerLogging
package import TableOperations
public import Tables
package import Webhooks
public import ZumoProtocol

/// Everything that an operator can set, checked. `docs/configuration.md` describes each key.
public struct Configuration: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// 0 lets the system choose a free port.
    public var port = 8080
    /// Whether another process may listen there too, for a hand-over.
    package var reusePort = false
    /// The files of the server's certificate and key, and where each was named.
    var tlsPaths: (certificate: ConfiguredPath?, key: ConfiguredPath?) = (nil, nil)
    /// Whether it serves tests of clients, which may reset, freeze and break it.
    public var isTest = false
    /// Whether there is a data page; nil for one that is for the server's own machine only.
    public var isPageEnabled: Bool?
    /// Whether a server for tests may be reached from other machines.
    public var isRemoteTestAllowed = false
    /// Where the rows are kept.
    public var database = DatabaseLocation.sqlite(path: "data/zumod.sqlite3")
    /// PostgreSQL connections that read; as many as lists run at once.
    package var databaseConnections = 8
    /// Whether a pooler before PostgreSQL gives each transaction another connection.
    package var hasTransactionPooler = false
    /// The base of links, without a trailing slash; nil to take it from the request.
    public var publicURL: String?
    /// The proxies whose statements about client and address are believed.
    package var trustedProxies = TrustedProxies.loopback
    /// Whether a request without `ZUMO-API-VERSION` is refused.
    public var requireVersion = false
    /// The generation of a request that doesn't say.
    public var generation = Generation.v2
    /// Rows of a page where neither the client nor the table says.
    public var pageSize = 50
    /// The maximum for `$top` if the table doesn't say; 0 means no limit.
    public var maxTop: Int?
    /// Whether the first insert into an unknown table creates it.
    public var autoCreateTables = false
    /// How queries compare text.
    public var textComparison = TextComparison.ignoringCase
    /// For how many seconds a repeated write is known again; 0 for not at all.
    public var repeatWindow = 600
    /// Whether it is kept what installations of apps were last seen to do.
    public var recordsDevices = true
    /// The limits of the HTTP server and of its callers.
    public var limits = Limits()
    /// Which web pages of other origins may call the server.
    package var cors = CrossOrigin()
    /// What is logged.
    public var log = LogSettings()
    /// How callers are identified.
    package var auth = Auth()
    /// The tables of `config/tables`.
    public var tables: [TableDefinition] = []
    /// What each of them asks of its callers.
    package var access: [Identifier: AccessRules] = [:]
    /// The same, operation by operation with what says it.
    package var accessSources: [Identifier: [AccessSource]] = [:]
    /// What each of them does beyond storing rows.
    package var behaviours: [Identifier: TableBehaviour] = [:]
    /// Who is notified of their writes.
    package var webhooks: [Identifier: Webhook] = [:]
    /// The key for signing notices if a table's webhook has none.
    var webhookSecret: WebhookSecret?
    /// The server's own APIs that `config/apis` switches on.
    package var apis: [ConfiguredAPI] = []
    /// What runs the scripts of tables and APIs; nil if there are none.
    public var scripts: ScriptHost?
    /// What scripts may take.
    var scriptLimits = ScriptLimits()
    /// Features of a project's scripts that are known to be unsupported here, and where that is said.
    var allowedUnsupported: [UnsupportedFeature: Origin] = [:]
    /// How long the tombstones of each of them are kept; for ever if nothing is said.
    package var tombstones: [Identifier: Duration] = [:]
    /// What is an error where others than this machine can reach the server, and a warning elsewhere.
    package var weaknesses: [ConfigurationFault] = []
    /// What lets in more than the operator may intend; the server starts anyway.
    public var warnings: [ConfigurationFault] = []
    /// How ambiguous settings were understood, for whoever checks them.
    public var explanations: [ConfigurationFault] = []
    /// What the operator should know although nothing is wrong.
    public var notes: [ConfigurationFault] = []

    /// The built-in defaults.
    public init() {}

}

extension Configuration {
    /// Notes a weakness of a value, or none; a note about a value that this one overrides is dropped.
    mutating func note(_ weakness: String?, of value: ConfigurationValue) {
        weaknesses.removeAll { $0.key == value.key }
        if let weakness { weaknesses.append(value.fault(weakness)) }
    }

    /// Whether other machines may reach the server without a proxy on this one.
    package var isExposed: Bool { !Self.isLoopback(host) }

    /// The key that implies that other machines reach the server through a proxy, although it listens only to this
    /// machine; nil if none does.
    var keyOfProxy: String? {
        if let publicURL, !Self.isLoopback(PublicURL.host(of: publicURL)) { return "publicUrl" }
        if isPageEnabled == true { return "page.enabled" }
        return trustedProxies.areNamed ? "trustedProxies" : nil
    }

    /// Whether others than this machine are meant to reach the server.
    var isReachable: Bool { isExposed || keyOfProxy != nil }

    private static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || TrustedProxies.loopback.contain(host)
    }

    /// The server's certificate and key files; nil if it speaks plain HTTP.
    package var tls: TLSFiles? {
        guard let certificate = tlsPaths.certificate, let key = tlsPaths.key else { return nil }
        return TLSFiles(certificate: certificate, key: key)
    }

    /// What clients speak to the server itself, as in a URL.
    package var scheme: String { tls == nil ? "http" : "https" }

    /// The address under which this machine itself reaches the server.
    public var localURL: String {
        let reachable = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        return "\(scheme)://\(reachable.contains(":") ? "[\(reachable)]" : reachable):\(port)"
    }
}
