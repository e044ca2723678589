public import Access
public import HTTPModel
public import Scalars
public import Tables
public import ZumoProtocol

/// What the data page needs: the rest of the server passes it in.
public struct PageDependencies: Sendable {
    /// Whether it is open to others than callers on the server's own machine. Nobody gets in without credentials anyway.
    public var isForEverybody = false
    /// Proves who signs in.
    public let callers: Callers
    /// The base of the server's own addresses; nil to take it from each request.
    public var publicURL: String?
    /// The proxies whose statements about addresses are believed.
    public var proxies = TrustedProxies.loopback
    /// Name and version.
    public let product: String
    /// The store in a word: `sqlite` or `postgres`.
    public let storeName: String
    /// Whether the server is for tests.
    public var isTest = false

    /// Answers an operator's requests to the table API, with at most that many rows per page.
    public let rows: @Sendable (HTTPRequest, RequestTarget, Int) async -> RouteResponse
    /// The tables that are served, by name.
    public let tables: @Sendable () -> [PageTable]
    /// Whether there is any key for verifying tokens, besides one derived from the master key.
    public var takesTokens = true
    /// Whether `zumod token` has a key to sign them with.
    public var signsTokens = true
    /// What is kept of requests.
    public var record = PageRecord()
    /// The end of the log.
    public var log = LogRing()
    /// Reads the server's counters.
    public var health: @Sendable () async -> HealthReading = { HealthReading() }
    /// What installations were seen to do; nil if that isn't recorded.
    public var devices: (any DeviceStore)?
    /// The most frequent values of a column: of which table, which column, under which filter, and with tombstones or
    /// not.
    public var values: @Sendable (String, String, String, Bool) async -> RouteResponse = { _, _, _, _ in
        RouteResponse(HTTPResponse(.notFound))
    }
    /// Widens tables.
    public var growth: (any ExtensibleStore)?
    /// What is known of how many rows tables have.
    public var figures: @Sendable () async -> [Identifier: TableFigures] = { [:] }
    /// The token of a local user who is an admin; nil if nobody logs in by a password here.
    public var token: (@Sendable (PasswordSignIn) async throws(SignInRefusal) -> String)?
    /// Waits until an address may have a key or a token looked at, in the line in which passwords wait; false where too many
    /// wait already.
    public var waitForTurn: @Sendable (_ address: String) async -> Bool = { _ in true }
    /// The database's own secret, at least 32 bytes.
    public let secret: @Sendable () async throws(TableError) -> [UInt8]

    /// Makes the parts that no page is without.
    public init(
        callers: Callers, product: String, storeName: String,
        rows: @escaping @Sendable (HTTPRequest, RequestTarget, Int) async -> RouteResponse,
        tables: @escaping @Sendable () -> [PageTable],
        secret: @escaping @Sendable () async throws(TableError) -> [UInt8]
    ) {
        self.callers = callers
        self.product = product
        self.storeName = storeName
        self.rows = rows
        self.tables = tables
        self.secret = secret
    }
}

/// Name and password of a user, and where they came from.
public struct PasswordSignIn: Sendable {
    /// The name that the user logs in with.
    public let name: String
    /// What was given as the password.
    public let password: String
    /// The client's address, as limits count by it.
    public let address: String
}

/// Why a user is not signed in.
public struct SignInRefusal: Error, Sendable {
    /// The response for the page.
    public let response: ErrorResponse

    /// Refuses.
    public init(_ response: ErrorResponse) {
        self.response = response
    }
}

/// A table as the page shows it.
public struct PageTable: Sendable {
    /// The current table.
    public let table: Table
    /// Who may do what with it.
    public let access: AccessRules
    /// What it does beyond storing rows, a few words each.
    public let behaviours: [String]
    /// The columns of each index that its definition names.
    public internal(set) var indexes: [[Identifier]]
    /// What an operator should know of it, a sentence each.
    public let warnings: [String]

    /// Makes a table.
    public init(
        _ table: Table, access: AccessRules, behaviours: [String], indexes: [[Identifier]], warnings: [String]
    ) {
        self.table = table
        self.access = access
        self.behaviours = behaviours
        self.indexes = indexes
        self.warnings = warnings
    }
}

/// How many rows a table has, and what they take.
public struct TableFigures: Sendable, Equatable {
    /// Rows that are no tombstones.
    public var rows: Int64?
    /// Tombstones.
    public var deleted: Int64?
    /// When they were counted.
    public var countedAt: Instant?
    /// Bytes on disk, including indexes; nil if the store can't tell.
    public var bytes: Int64?
    /// The last stamp that a row got.
    public var lastChange: Instant?

    /// Nothing known yet.
    public init() {}
}
