import PostgresStorage
import SQLiteStorage
import Tables

/// The store that the configuration names, opened.
struct Database: Sendable {
    let store: any TableStore
    /// The users of the server's own login.
    let users: any UserStore
    /// Takes no more calls, and returns when those that wait are done.
    let close: @Sendable () async -> Void

    static func open(_ configuration: Configuration) async throws(TableError) -> Database {
        let tables = configuration.tables
        let servesClientTables = configuration.autoCreateTables
        switch configuration.database {
        case .sqlite(let path):
            return try sqlite(.file(path), tables, servesClientTables)
        case .sqliteInMemory:
            return try sqlite(.memory, tables, servesClientTables)
        case .postgres(let url):
            let store = try await PostgresTableStore.open(
                url: url, tables: tables, servesClientTables: servesClientTables, settings: settings(configuration))
            return Database(store: store, users: store) { await store.close() }
        }
    }

    /// Says whether `open` would succeed, and changes nothing.
    /// - Returns: the tables that would be served, by name.
    static func check(_ configuration: Configuration) async throws(TableError) -> [Table] {
        let tables = configuration.tables
        let servesClientTables = configuration.autoCreateTables
        switch configuration.database {
        case .sqlite(let path):
            return try SQLiteTableStore.check(.file(path), tables: tables, servesClientTables: servesClientTables)
        case .sqliteInMemory:
            return try SQLiteTableStore.check(.memory, tables: tables, servesClientTables: servesClientTables)
        case .postgres(let url):
            return try await PostgresTableStore.check(
                url: url, tables: tables, servesClientTables: servesClientTables)
        }
    }

    private static func sqlite(
        _ location: SQLiteLocation, _ tables: [TableDefinition], _ servesClientTables: Bool
    ) throws(TableError) -> Database {
        let store = try SQLiteTableStore.open(location, tables: tables, servesClientTables: servesClientTables)
        return Database(store: store, users: store) { await store.close() }
    }

    private static func settings(_ configuration: Configuration) -> PostgresSettings {
        var settings = PostgresSettings()
        settings.readingConnections = configuration.databaseConnections
        settings.keepsSessions = !configuration.hasTransactionPooler
        return settings
    }
}
