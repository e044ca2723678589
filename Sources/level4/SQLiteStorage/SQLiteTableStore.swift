import Foundation
public import StoreMetrics
import TableSQL
public import Tables
import WorkThreads

/// Tables in one SQLite database: one thread writes, any number read beside it.
public final class SQLiteTableStore: Sendable {
    let catalog: TableCatalog
    let writer: SQLiteWriter
    /// nil for a database in memory, which only the writer's connection can see.
    let readers: SQLiteReaders?
    let queryTimeLimit: Duration
    let clock: Clock
    /// Called with anything about the database that the operator should know.
    let report: @Sendable (String) -> Void
    /// 32 random bytes that this database alone has, for the seal on continuations that clients hand back.
    let continuationSecret: [UInt8]
    let selects = SelectCache(SQLiteDialect())
    let pool: WorkerPool
    /// Of scripts that write: the key is the writer, the only one.
    let scriptTurns = LongWorkGate<Bool>()
    let scriptPatience = Duration.seconds(60)
    let watch: StoreInstrumentation

    /// Enough for lists to overlap with each other's waits; point reads run on the callers' own threads.
    private static let readingThreads = 8
    /// In memory lists run on the writer's thread: one at a time, so that writes get their turn after each.
    private static let readingThreadsInMemory = 1

    /// After how long a list is given up where nothing else is said.
    public static let defaultQueryTimeLimit = Duration.seconds(5)

    /// Begins to serve a database that is ready, by the connection that writes.
    init(
        _ connection: SQLiteConnection, at location: SQLiteLocation, catalog: TableCatalog, queryTimeLimit: Duration,
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

    /// Opens a database, making it where it is missing, and brings its tables to their definitions. Blocks meanwhile.
    ///
    /// - Parameters:
    ///   - tables: the tables of the configuration. Tables and columns that it doesn't name stay in the database.
    ///   - servesClientTables: whether tables that clients made in earlier runs are there too.
    ///   - limits: what clients may add.
    ///   - queryTimeLimit: after how long a list is given up with `timeout`.
    ///   - watch: what measures the store's work.
    ///   - clock: what stamps are taken from.
    ///   - report: called with anything about the database that the operator should know.
    /// - Throws: `definition` where the database can't be what the definitions say.
    public static func open(
        _ location: SQLiteLocation, tables: [TableDefinition], servesClientTables: Bool,
        limits: ClientLimits = ClientLimits(), queryTimeLimit: Duration = defaultQueryTimeLimit,
        watch: StoreInstrumentation = StoreInstrumentation(), clock: @escaping Clock = { SystemClock.now() },
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(TableError) -> SQLiteTableStore {
        try makeFolder(of: location)
        let connection = try SQLiteConnection(location, role: .writer)
        try connection.migrateAlone()
        let catalog = TableCatalog([:], limits: limits)
        let session = WriteSession(connection, catalog: catalog, clock: clock)
        try session.begin()
        let continuationKey: [UInt8]
        do throws(TableError) {
            try prepare(tables, servesClientTables: servesClientTables, in: session)
            continuationKey = try ContinuationSecret.key(in: connection)
        } catch {
            session.rollback()
            throw error
        }
        try session.commit()
        for table in catalog.all() where table.isAway { report(TableError.away(table.name).detail) }
        for loss in try connection.unansweredLosses() { report(loss.words) }
        // Not before: what opening does is nobody's request.
        connection.watch = watch
        return SQLiteTableStore(
            connection, at: location, catalog: catalog, queryTimeLimit: queryTimeLimit,
            continuationKey: continuationKey, watch: watch, clock: clock, report: report)
    }

    /// Returns once the writer's thread has got to it.
    public func beat() async {
        _ = try? await writer.read { _ throws(TableError) in }
    }

    /// Takes no more calls, and returns when the writes that wait are done and the files closed.
    public func close() async {
        pool.close()
        readers?.close()
        await writer.close()
    }

    static func prepare(
        _ definitions: [TableDefinition], servesClientTables: Bool, in session: WriteSession, isTrial: Bool = false
    ) throws(TableError) {
        let preparation = SchemaPreparation(session, isTrial: isTrial)
        var names: Set<Identifier> = []
        for definition in definitions {
            guard names.insert(definition.name).inserted else {
                throw .definition("the table \(definition.name) is defined twice")
            }
            _ = try preparation.prepare(definition, origin: .configuration)
        }
        try preparation.makeTriggers(besides: names)
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
