import Foundation
public import StoreMetrics
import TableSQL
public import Tables
import WorkThreads

/// Tables in a SQLite database, with one thread that writes and any number of concurrent readers.
public final class SQLiteTableStore: Sendable {
    let catalog: SQLiteTableCatalog
    let writer: SQLiteWriter
    /// nil for a database in memory, which only the writer's connection can see.
    let readers: SQLiteReaders?
    let queryTimeLimit: Duration
    let clock: Clock
    /// Called with anything about the database that operators should know.
    let report: @Sendable (String) -> Void
    /// 32 random bytes unique to this database, for sealing the continuations that clients send back.
    let continuationSecret: [UInt8]
    let selects = SelectCache(SQLiteDialect())
    let pool: WorkerPool
    /// The turns of scripts that write. There is only one key, as there is one writer.
    let scriptTurns = LongWorkGate<Bool>()
    let scriptPatience = Duration.seconds(60)
    let watch: StoreInstrumentation

    /// Enough for lists that wait to overlap; point reads run on the callers' threads.
    private static let readingThreads = 8
    /// In memory, lists run on the writer's thread: one at a time, so that writes get their turn after each.
    private static let readingThreadsInMemory = 1

    /// The default time limit of lists.
    public static let defaultQueryTimeLimit = Duration.seconds(5)

    /// Starts serving a database that is ready, with the connection that writes.
    init(
        _ connection: SQLiteConnection, at location: SQLiteLocation, catalog: SQLiteTableCatalog,
        queryTimeLimit: Duration,
        continuationKey: [UInt8], watch: StoreInstrumentation, clock: @escaping Clock,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        writer = SQLiteWriter(watch)
        writer.start(connection, catalog: catalog, clock: clock)
        readers = location == .memory ? nil : SQLiteReaders(location, watch)
        self.watch = watch
        self.catalog = catalog
        self.clock = clock
        self.report = report
        pool = WorkerPool(threads: readers == nil ? Self.readingThreadsInMemory : Self.readingThreads, watch)
        self.queryTimeLimit = queryTimeLimit
        continuationSecret = continuationKey
    }

    /// Opens a database, creating it if necessary, and makes its tables match their definitions. Blocks the caller.
    ///
    /// - Parameters:
    ///   - tables: the tables of the configuration. Other tables and columns stay in the database.
    ///   - servesClientTables: whether to serve tables that clients created in earlier runs.
    ///   - limits: what clients may add.
    ///   - queryTimeLimit: the time after which a list fails with `timeout`.
    ///   - watch: measures the store's work.
    ///   - clock: the clock for stamps.
    ///   - report: called with anything about the database that operators should know.
    /// - Throws: `definition` if the database can't be made to match the definitions.
    public static func open(
        _ location: SQLiteLocation, tables: [TableDefinition], servesClientTables: Bool,
        limits: ClientLimits = ClientLimits(), queryTimeLimit: Duration = defaultQueryTimeLimit,
        watch: StoreInstrumentation = StoreInstrumentation(), clock: @escaping Clock = { SystemClock.now() },
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(TableError) -> SQLiteTableStore {
        try makeFolder(of: location)
        let connection = try SQLiteConnection(location, role: .writer)
        try connection.migrateAlone()
        let catalog = SQLiteTableCatalog([:], limits: limits)
        let session = WriteSession(connection, catalog: catalog, clock: clock)
        try session.begin()
        let continuationKey: [UInt8]
        do throws(TableError) {
            try prepare(tables, servesClientTables: servesClientTables, in: session)
            continuationKey = try connection.continuationSecret()
        } catch {
            session.rollback()
            throw error
        }
        try session.commit()
        for table in catalog.all() where table.isAway { report(TableError.away(table.name).detail) }
        for loss in try connection.unansweredLosses() { report(loss.words) }
        // Only now, as the work of opening belongs to no request.
        connection.watch = watch
        return SQLiteTableStore(
            connection, at: location, catalog: catalog, queryTimeLimit: queryTimeLimit,
            continuationKey: continuationKey, watch: watch, clock: clock, report: report)
    }

    /// Returns once the writer's thread has responded.
    public func beat() async {
        _ = try? await writer.read { _ throws(TableError) in }
    }

    /// Accepts no more calls, and returns when the waiting writes are done and the files are closed.
    public func close() async {
        pool.close()
        readers?.close()
        await writer.close()
    }

    static func prepare(
        _ definitions: [TableDefinition], servesClientTables: Bool, in session: WriteSession, isTrial: Bool = false
    ) throws(TableError) {
        try definitions.check()
        let preparation = SQLiteSchemaPreparation(session, isTrial: isTrial)
        try preparation.prepareAll(definitions)
        var names = Set(definitions.map(\.name))
        if servesClientTables {
            for table in try preparation.clientTables(besides: names) {
                session.put(table)
                names.insert(table.name)
            }
        }
        session.serve(only: names)
    }

    private static func makeFolder(of location: SQLiteLocation) throws(TableError) {
        guard case .file(let path) = location else { return }
        let folder = URL(filePath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw FileObstacle.explained(
                .unavailable(detail: "the folder \(folder.path) can't be made: \(error.localizedDescription)"),
                at: location)
        }
    }
}
