import Scalars
import TableSQL
import Tables

/// The writer's connection, with what an open batch changes besides rows: numbers, and tables that gain columns.
///
/// Used by one thread at a time: the one that opens the store, then the writer's.
final class WriteSession {
    let connection: SQLiteConnection
    let dialect = SQLiteDialect()
    private let catalog: SQLiteTableCatalog
    private let clock: Clock
    private var counters = WriteCounters()
    /// The schema counter when the columns were last read; nil if they never were.
    private var schemaVersion: Int64?
    /// Whether other programs may have added columns that no commit has published yet.
    private var tablesAreOld = false
    /// The number of records stored during the session, by which old ones are removed from time to time.
    var receiptsKept = 0
    private var receiptsKeptBefore = 0
    /// The tables that the open batch has created or extended.
    private var changedTables: [Identifier: Table] = [:]
    /// The tables to be served exclusively once the open batch is committed; nil if that doesn't change.
    private var servedTables: Set<Identifier>?

    init(_ connection: SQLiteConnection, catalog: SQLiteTableCatalog, clock: @escaping Clock) {
        self.connection = connection
        self.catalog = catalog
        self.clock = clock
    }

    /// Begins a batch, excluding all other programs that write to the database.
    func begin() throws(TableError) {
        assert(changedTables.isEmpty && servedTables == nil, "what a batch changes is published or dropped at its end")
        try connection.run(.beginWriting)
        do throws(TableError) {
            try connection.checkPlace()
            if try counters.refresh(from: connection) { tablesAreOld = true }
            // Changes read by a batch are lost if it is rolled back, and the counter reports them only once.
            if tablesAreOld { try refreshTables() }
        } catch {
            rollback()
            throw error
        }
        counters.begin()
        receiptsKeptBefore = receiptsKept
        assert(connection.isInTransaction, "a batch begins with the lock that excludes other writers")
    }

    /// Turns the open transaction into a batch.
    func join() throws(TableError) {
        assert(connection.isInTransaction, "there is a transaction to join")
        _ = try counters.refresh(from: connection)
    }

    /// Takes over other programs' changes to the tables, between two batches and without a lock.
    func look() throws(TableError) {
        assert(!connection.isInTransaction && changedTables.isEmpty, "nothing is open between two batches")
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

    /// Takes over columns that other programs have added, renamed or dropped, and tables that are away or back.
    private func refreshTables() throws(TableError) {
        let current = try connection.schemaVersion()
        guard current != schemaVersion else { return }
        for table in catalog.all() {
            let found = table.found(as: try connection.schema(of: table.name))
            guard found !== table else { continue }
            _ = try SQLiteSchemaPreparation(self).put(found)
        }
        schemaVersion = current
    }

    /// Commits the batch and publishes its tables. If that fails, nothing of it was done.
    func commit() throws(TableError) {
        assert(connection.isInTransaction, "a batch that lost its transaction is given up")
        do throws(TableError) {
            try counters.store(in: connection)
            if !changedTables.isEmpty || servedTables != nil { schemaVersion = try connection.schemaVersion() }
            try connection.run(.commit)
        } catch {
            rollback()
            throw error
        }
        assert(!connection.isInTransaction, "tables are published once the batch is durable")
        counters.didCommit()
        tablesAreOld = false
        catalog.publish(changedTables, serving: servedTables, schemaVersion: schemaVersion)
        changedTables.removeAll()
        servedTables = nil
    }

    /// Rolls the batch back. Its versions and stamps stay used.
    func rollback() {
        changedTables.removeAll()
        servedTables = nil
        schemaVersion = nil
        // The transaction may have ended already, and another failure couldn't be helped.
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
    }

    /// Rolls the batch back before a commit was tried, so that another can use its versions and stamps.
    func takeBack() {
        assert(receiptsKept >= receiptsKeptBefore, "a batch only adds records")
        rollback()
        counters.takeBack()
        receiptsKept = receiptsKeptBefore
    }

    /// Runs one member of the batch, and undoes only that if it fails.
    func savepoint<Success>(
        _ body: (WriteSession) throws(TableError) -> Success
    ) throws(TableError) -> Success {
        assert(connection.isInTransaction, "a member is done within a batch")
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

    /// Rolls back the open savepoint, or the whole batch if that isn't possible.
    private func undoMember() {
        guard connection.isInTransaction else { return }
        do throws(TableError) {
            try connection.run("ROLLBACK TO member")
            try connection.run("RELEASE member")
        } catch {
            rollback()
        }
    }

    /// Lets rows of one table be removed for good. Otherwise the trigger of a table with soft delete keeps them as
    /// tombstones, as it does with rows of other tables deleted along with them. If it fails, the whole member of the
    /// batch has to fail too.
    func removing(from table: Identifier, _ body: () throws(TableError) -> Void) throws(TableError) {
        try connection.run(SQLiteTriggers.beginRemoval, [.text(SQLiteTriggers.removal(from: table))])
        try body()
        try connection.run(SQLiteTriggers.endRemoval, [.text(SQLiteTriggers.removal(from: table))])
    }

    /// Runs statements that continue from the numbers in the database, as the triggers of tables do.
    func withNumbers<Success>(_ body: () throws(TableError) -> Success) throws(TableError) -> Success {
        try counters.store(in: connection)
        let success = try body()
        try counters.follow(connection)
        return success
    }

    /// Returns the table as the open batch sees it.
    func table(named name: Identifier) throws(TableError) -> Table {
        guard let table = knownTable(named: name) else { throw .failed(detail: "no table \(name)") }
        if table.isAway { throw .away(name) }
        return table
    }

    /// Returns the table as the open batch sees it; nil if there is none.
    func knownTable(named name: Identifier) -> Table? {
        changedTables[name] ?? catalog.known(name)
    }

    /// Returns the table as the open batch sees it, if it is still served.
    func servedTable(named name: Identifier) -> Table? {
        changedTables[name] ?? catalog.table(named: name)
    }

    /// Sets a table that the batch has created or extended; others see it after the commit.
    func put(_ table: Table) {
        changedTables[table.name] = table
        if table.isClients { servedTables?.insert(table.name) }
    }

    /// From the commit on, serves only these tables and those that clients create later.
    func serve(only names: Set<Identifier>) {
        servedTables = names
    }

    /// What clients may add.
    var limits: ClientLimits { catalog.limits }

    /// The current time of the clock.
    var now: Instant { clock() }

    /// Moves the numbers past those of rows from another database, and takes new ones after them.
    func takeNumbers(
        for plan: ImportPlan, of table: Identifier
    ) throws(TableError) -> (versions: [Version], stamps: [Instant]) {
        counters.raise(version: plan.highestVersion, stamp: plan.latestStamp, of: table)
        // A stamp with each version: the last one is of this time then, even if the rows keep older ones.
        let renewals = try (0..<max(plan.newVersions, plan.newStamps)).map { _ throws(TableError) in
            try renewal(of: table)
        }
        return (renewals.map(\.version), renewals.map(\.stamp))
    }

    /// Takes a version and a stamp for each row; the stamps lie before the current time, as far as there is room.
    /// - Returns: the first of each; nil if there aren't enough versions.
    /// - Throws: `failed` if there aren't enough stamps.
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
