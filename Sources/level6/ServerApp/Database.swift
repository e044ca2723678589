import PostgresStorage
import SQLiteStorage
import ServerConfiguration
package import StoreMetrics
package import Tables

/// The configured store, opened.
package struct Database: Sendable {
    /// What a store has to support for a server to use it.
    package typealias Store = TableStore & RedefinableStore & TransferStore & TombstoneStore & StampStore
        & NumberedStore & MeasuredStore & DeviceStore & ExtensibleStore & StatisticsStore & TimeStore

    package let store: any Store
    /// The users of the server's own login.
    let users: any UserStore
    /// Returns once the writer thread has responded, if that depends only on this machine.
    let beat: @Sendable () async -> Void
    /// Accepts no more calls, and returns when the waiting ones are done.
    package let close: @Sendable () async -> Void

    /// - Parameters:
    ///   - beat: returns when the writer thread responds, if only this machine can delay that.
    ///   - close: closes the store.
    package init(
        _ store: any Store & UserStore, beat: @escaping @Sendable () async -> Void = {},
        close: @escaping @Sendable () async -> Void
    ) {
        (self.store, users) = (store, store)
        self.beat = beat
        self.close = close
    }

    /// - Parameters:
    ///   - limits: what clients may add; nil for the configuration's limits.
    ///   - isPatient: whether to wait for as long as it takes to prepare the database.
    ///   - listTime: how long a list may take; nil for the store's default.
    ///   - watch: measures the store's work.
    ///   - report: called with anything about the database that operators should know.
    static func open(
        _ configuration: Configuration, limits: ClientLimits? = nil, isPatient: Bool = false,
        listTime: Duration? = nil, watch: StoreInstrumentation = StoreInstrumentation(),
        report: @escaping @Sendable (PostgresNote) -> Void = { _ in }
    ) async throws(TableError) -> Database {
        let limits = limits ?? configuration.limits.clients
        guard case .postgres(let url) = configuration.database else {
            let store = try SQLiteTableStore.open(
                sqlite(configuration), tables: configuration.tables,
                servesClientTables: configuration.autoCreateTables, limits: limits,
                queryTimeLimit: listTime ?? SQLiteTableStore.defaultQueryTimeLimit, watch: watch,
                report: { report(.warning($0)) })
            return Database(store, beat: { await store.beat() }) { await store.close() }
        }
        var settings = PostgresSettings()
        settings.readingConnections = configuration.databaseConnections
        settings.keepsSessions = !configuration.hasTransactionPooler
        settings.report = report
        settings.watch = watch
        if isPatient { settings.startPatience = nil }
        if let listTime { settings.statementTimeout = listTime }
        let store = try await PostgresTableStore.open(
            url: url, tables: configuration.tables, servesClientTables: configuration.autoCreateTables, limits: limits,
            settings: settings)
        return Database(store) { await store.close() }
    }

    /// Returns the location of a SQLite database.
    private static func sqlite(_ configuration: Configuration) -> SQLiteLocation {
        if case .sqlite(let path) = configuration.database { .file(path) } else { .memory }
    }

    /// Opens the database and makes sure that it responds: a server may start before its database, a command may not.
    /// - Parameter warn: called with anything about the database that operators should know.
    static func reach(
        _ configuration: Configuration, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(TableError) -> Database {
        let database = try await open(configuration, limits: ClientLimits.none, isPatient: true) { note in
            if case .warning(let words) = note { warn(words) }
        }
        do throws(TableError) {
            try await database.store.ping()
            return database
        } catch {
            await database.close()
            throw error
        }
    }

    /// Checks whether `open` would succeed, and changes nothing.
    /// - Returns: the tables that would be served, by name.
    static func check(_ configuration: Configuration) async throws(TableError) -> [Table] {
        let (tables, servesClientTables) = (configuration.tables, configuration.autoCreateTables)
        guard case .postgres(let url) = configuration.database else {
            return try SQLiteTableStore.check(
                sqlite(configuration), tables: tables, servesClientTables: servesClientTables)
        }
        return try await PostgresTableStore.check(url: url, tables: tables, servesClientTables: servesClientTables)
    }

    /// Returns what `open` would do to the database's schema, and changes nothing.
    /// - Returns: a line for each change.
    static func pendingChanges(_ configuration: Configuration) async throws(TableError) -> [String] {
        switch configuration.database {
        case .sqlite(let path):
            return try SQLiteTableStore.pendingChanges(of: .file(path), tables: configuration.tables)
        case .sqliteInMemory:
            return []
        case .postgres(let url):
            return try await PostgresTableStore.pendingChanges(url: url, tables: configuration.tables)
        }
    }

    /// Returns the current tables, for reading while servers use the database; nothing is changed.
    static func snapshot(_ location: DatabaseLocation) async throws(TableError) -> any TableSnapshot {
        switch location {
        case .sqlite(let path): return try SQLiteSnapshot.open(path)
        case .sqliteInMemory: throw .definition("a database in memory ends with its server and can't be looked at")
        case .postgres(let url): return try await PostgresSnapshot.open(url: url)
        }
    }
}
