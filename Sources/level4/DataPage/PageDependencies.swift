public import Access
public import HTTPModel
public import Scalars
public import Tables
public import ZumoProtocol

/// What the data page needs from the rest of the server.
public struct PageDependencies: Sendable {
    /// Whether it is open to others than callers on the server's machine, who still have to sign in.
    public var isForEverybody = false
    /// Authenticates operators.
    public let callers: Callers
    /// The base of the server's own addresses; nil to take it from each request.
    public var publicURL: String?
    /// The proxies whose statements about addresses are trusted.
    public var proxies = TrustedProxies.loopback
    /// The name and version of the server.
    public let product: String
    /// The kind of store: `sqlite` or `postgres`.
    public let storeName: String
    /// Whether this is a test server.
    public var isTest = false

    /// Passes an operator's request to the table API, with a maximum number of rows per page.
    public let rows: @Sendable (HTTPRequest, RequestTarget, Int) async -> RouteResponse
    /// Returns the tables that are served, by name.
    public let tables: @Sendable () -> [PageTable]
    /// Whether tokens can be verified by any key other than one derived from the master key.
    public var takesTokens = true
    /// Whether `zumod token` has a key to sign tokens with.
    public var signsTokens = true
    /// The recorded requests.
    public var record = PageRecord()
    /// The end of the log.
    public var log = LogRing()
    /// Reads the server's counters.
    public var health: @Sendable () async -> HealthReading = { HealthReading() }
    /// The observed activity of installations; nil if that isn't recorded.
    public var devices: (any DeviceStore)?
    /// Returns the most frequent values of a column. The arguments are the table, the column, a filter, and whether
    /// tombstones are included.
    public var values: @Sendable (String, String, String, Bool) async -> RouteResponse = { _, _, _, _ in
        RouteResponse(HTTPResponse(.notFound))
    }
    /// Adds columns and indexes to tables.
    public var growth: (any ExtensibleStore)?
    /// Returns what is known about the size of tables.
    public var figures: @Sendable () async -> [Identifier: TableFigures] = { [:] }
    /// Returns the token of a local user who is an admin; nil if there is no login by password.
    public var token: (@Sendable (PasswordSignIn) async throws(SignInRefusal) -> String)?
    /// Waits for an address's turn, in the queue of passwords, to have a key or a token checked; false if too many are
    /// waiting already.
    public var waitForTurn: @Sendable (_ address: String) async -> Bool = { _ in true }
    /// Returns the database's own secret, at least 32 bytes.
    public let secret: @Sendable () async throws(TableError) -> [UInt8]

    /// Creates the dependencies that every page needs.
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

/// A user's name and password, and where they came from.
public struct PasswordSignIn: Sendable {
    /// The name that the user logs in with.
    public let name: String
    /// The entered password.
    public let password: String
    /// The client's address, as limits count it.
    public let address: String
}

/// Why a user was not signed in.
public struct SignInRefusal: Error, Sendable {
    /// The response for the page.
    public let response: ErrorResponse

    /// Creates a refusal.
    public init(_ response: ErrorResponse) {
        self.response = response
    }
}

/// A table as the page shows it.
public struct PageTable: Sendable {
    /// The current table.
    public let table: Table
    /// Who may do what with the table.
    public let access: AccessRules
    /// Its behaviour beyond storing rows, in a few words each.
    public let behaviours: [String]
    /// The columns of each index in its definition.
    public internal(set) var indexes: [[Identifier]]
    /// Warnings about the table for operators, one sentence each.
    public let warnings: [String]

    /// Creates a table.
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

/// How many rows a table has, and how much space they take.
public struct TableFigures: Sendable, Equatable {
    /// The number of live rows.
    public var rows: Int64?
    /// The number of tombstones.
    public var deleted: Int64?
    /// When they were counted.
    public var countedAt: Instant?
    /// The size on disk in bytes, including indexes; nil if the store can't tell.
    public var bytes: Int64?
    /// The latest stamp of a row.
    public var lastChange: Instant?

    /// Creates empty figures.
    public init() {}
}
