import Scalars
import TableSQL
import Tables

/// The writer's connection with what an open batch changes beside rows: numbers, and tables that gain columns.
///
/// Used by one thread at a time: the one that opens the store, then the writer's.
final class WriteSession {
    let connection: SQLiteConnection
    let dialect = SQLiteDialect()
    private let catalog: TableCatalog
    private let clock: Clock
    private var counters = WriteCounters()
    /// The database's schema counter when its columns were read last; nil where none were.
    private var schemaVersion: Int64?
    /// Whether other programs may have added columns that no commit has made known yet.
    private var tablesAreOld = false
    /// How many receipts were kept since the session began, by which old ones are swept now and then.
    var receiptsKept = 0
    private var receiptsKeptBefore = 0
    /// The tables that the open batch made or widened.
    private var changedTables: [Identifier: Table] = [:]
    /// The tables that alone are served from the open batch on; nil where it changes nothing about that.
    private var servedTables: Set<Identifier>?

    init(_ connection: SQLiteConnection, catalog: TableCatalog, clock: @escaping Clock) {
        self.connection = connection
        self.catalog = catalog
        self.clock = clock
    }

    /// Begins a batch, alone among all programs that write to the database.
    func begin() throws(TableError) {
        try connection.run(.beginWriting)
        do throws(TableError) {
            if try counters.refresh(from: connection) { tablesAreOld = true }
            // What a batch takes up is lost with it, and the counter tells of it once.
            if tablesAreOld { try refreshTables() }
        } catch {
            rollback()
            throw error
        }
        counters.begin()
        receiptsKeptBefore = receiptsKept
    }

    /// Makes a batch of the transaction that is open.
    func join() throws(TableError) {
        _ = try counters.refresh(from: connection)
    }

    /// Takes up what other programs changed of the tables, between two batches and without a lock.
    func look() throws(TableError) {
        try connection.run(.begin)
        defer { if connection.isInTransaction { try? connection.run(.commit) } }
        do throws(TableError) {
            try refreshTables()
        } catch {
            changedTables.removeAll()
            throw error
        }
        catalog.publish(changedTables, schemaVersion: schemaVersion)
        changedTables.removeAll()
    }

    /// Takes up the columns that other programs added, renamed or dropped, and tables that are away or back.
    private func refreshTables() throws(TableError) {
        let current = try connection.schemaVersion()
        guard current != schemaVersion else { return }
        for table in catalog.all() {
            let found = table.found(as: try connection.schema(of: table.name))
            guard found !== table else { continue }
            put(found.isAway ? found : try SchemaPreparation(self).indexed(found))
        }
        schemaVersion = current
    }

    /// Makes the batch durable and its tables known. Where that fails, nothing of it was done.
    func commit() throws(TableError) {
        do throws(TableError) {
            try counters.store(in: connection)
            if !changedTables.isEmpty || servedTables != nil { schemaVersion = try connection.schemaVersion() }
            try connection.run(.commit)
        } catch {
            rollback()
            throw error
        }
        counters.didCommit()
        tablesAreOld = false
        catalog.publish(changedTables, serving: servedTables, schemaVersion: schemaVersion)
        changedTables.removeAll()
        servedTables = nil
    }

    /// Undoes the batch. Its versions and stamps stay used.
    func rollback() {
        changedTables.removeAll()
        servedTables = nil
        schemaVersion = nil
        // The transaction may be gone already, and nothing can be done about another failure.
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
    }

    /// Undoes the batch before a commit was asked for, so that another may use its versions and stamps.
    func takeBack() {
        rollback()
        counters.takeBack()
        receiptsKept = receiptsKeptBefore
    }

    /// Runs one member of the batch, and undoes it alone where it fails.
    func savepoint<Success>(
        _ body: (WriteSession) throws(TableError) -> Success
    ) throws(TableError) -> Success {
        let (tablesBefore, servedBefore) = (changedTables, servedTables)
        try connection.run(.openMember)
        do throws(TableError) {
            let success = try body(self)
            try connection.run(.releaseMember)
            return success
        } catch {
            changedTables = tablesBefore
            servedTables = servedBefore
            undoMember()
            throw error
        }
    }

    /// Undoes the open savepoint; the whole batch where that can't be done alone.
    private func undoMember() {
        guard connection.isInTransaction else { return }
        do throws(TableError) {
            try connection.run("ROLLBACK TO member")
            try connection.run("RELEASE member")
        } catch {
            rollback()
        }
    }

    /// Lets rows of one table be removed for good, which the trigger of a table with soft delete keeps as tombstones
    /// otherwise; rows of others that go with them still stay as tombstones. Where that fails, so has the whole member of
    /// the batch to.
    func removing(from table: Identifier, _ body: () throws(TableError) -> Void) throws(TableError) {
        try connection.run(SQLiteTriggers.beginRemoval, [.text(SQLiteTriggers.removal(from: table))])
        try body()
        try connection.run(SQLiteTriggers.endRemoval, [.text(SQLiteTriggers.removal(from: table))])
    }

    /// Runs statements that count on from the numbers in the database, as the triggers of tables do.
    func withNumbers<Success>(_ body: () throws(TableError) -> Success) throws(TableError) -> Success {
        try counters.store(in: connection)
        let success = try body()
        try counters.follow(connection)
        return success
    }

    /// The table as the open batch sees it.
    func table(named name: Identifier) throws(TableError) -> Table {
        guard let table = knownTable(named: name) else { throw .failed(detail: "no table \(name)") }
        if table.isAway { throw .away(name) }
        return table
    }

    /// The table as the open batch sees it; nil where there is none.
    func knownTable(named name: Identifier) -> Table? {
        changedTables[name] ?? catalog.known(name)
    }

    /// The same, unless it is served no more.
    func servedTable(named name: Identifier) -> Table? {
        changedTables[name] ?? catalog.table(named: name)
    }

    /// Puts a table that the batch made or widened in its place; others see it after the commit.
    func put(_ table: Table) {
        changedTables[table.name] = table
        if table.isClients { servedTables?.insert(table.name) }
    }

    /// Serves these tables alone, from the commit on, and those that clients make later.
    func serve(only names: Set<Identifier>) {
        servedTables = names
    }

    /// What clients may add.
    var limits: ClientLimits { catalog.limits }

    /// What the clock says.
    var now: Instant { clock() }

    /// Moves the numbers past those that rows of another database have.
    func raise(version: Version?, stamp: Instant?, of table: Identifier) {
        counters.raise(version: version, stamp: stamp, of: table)
    }

    /// Takes as many versions and stamps as there are rows; the stamps behind the clock, as far as there is room.
    /// - Returns: the first of each; nil where there is no room for the versions.
    /// - Throws: `failed` where there is none for the stamps.
    func renewals(_ count: Int64, of table: Identifier) throws(TableError) -> VersionBump? {
        guard counters.skipVersions(count) else { return nil }
        let version = Version(counter: counters.lastVersion.counter - count + 1)
        return VersionBump(version: version, stamp: try counters.nextStamps(count, of: table, now: clock()))
    }

    /// Takes the next version and stamp.
    func renewal(of table: Identifier) throws(TableError) -> VersionBump {
        VersionBump(version: try counters.nextVersion(), stamp: try counters.nextStamp(of: table, now: clock()))
    }
}
