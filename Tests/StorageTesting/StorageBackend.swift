public import Scalars
public import Tables

/// A database that the conformance cases open, close and look into. Each case gets a fresh one.
public protocol StorageBackend: Sendable {
    /// Opens the database: empty at the first time, as the last store left it after that.
    func open(
        _ tables: [TableDefinition], servesClientTables: Bool, clock: @escaping @Sendable () -> Instant
    ) async throws -> any TableStore

    /// Ends a store that `open` made.
    func close(_ store: any TableStore) async throws

    /// Runs SQL beside the store, as another program would.
    func run(_ sql: String) async throws

    /// The same as if the server itself wrote, so that no trigger gives new versions and stamps to rows that get some.
    func runUnseen(_ sql: String) async throws

    /// Removes what the backend left on disk.
    func remove()
}

/// A kind of backend that the suite runs on.
public struct BackendKind: Sendable, CustomStringConvertible {
    /// The kind's name in the list of results.
    public let description: String
    /// Whether rows outlive the store.
    public let isPersistent: Bool
    /// Whether other programs can write to the database.
    public let isShared: Bool
    /// Whether a column can hold values of other types than its own.
    public let isLooselyTyped: Bool
    /// Whether the store runs the SQL of old backends' scripts.
    public let runsStatements: Bool
    let make: @Sendable () async throws -> any StorageBackend

    /// - Parameter make: makes a backend with a database of its own.
    public init(
        _ name: String, isPersistent: Bool, isShared: Bool, isLooselyTyped: Bool, runsStatements: Bool = true,
        make: @escaping @Sendable () async throws -> any StorageBackend
    ) {
        self.description = name
        self.isPersistent = isPersistent
        self.isShared = isShared
        self.isLooselyTyped = isLooselyTyped
        self.runsStatements = runsStatements
        self.make = make
    }
}
