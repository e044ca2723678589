import CSQLite
import Foundation
import SQLiteStorage
import Scalars
import StorageTesting
import TableSQL
import Tables

/// A database in a folder of its own, or in memory.
struct SQLiteBackend: StorageBackend {
    let location: SQLiteLocation
    private let folder: URL?
    /// A busy machine takes its time for a list, as on PostgreSQL.
    private var queryTimeLimit = Duration.seconds(30)

    static let kinds = both(in: .seconds(30))
    /// The same with the time limit of a server, for what runs into it.
    static let limitedKinds = both(in: SQLiteTableStore.defaultQueryTimeLimit)

    private static func both(in time: Duration) -> [BackendKind] {
        [
            BackendKind("SQLite file", isPersistent: true, isShared: true, isLooselyTyped: true) {
                var backend = SQLiteBackend.inFile()
                backend.queryTimeLimit = time
                return backend
            },
            BackendKind("SQLite in memory", isPersistent: false, isShared: false, isLooselyTyped: true) {
                Self(location: .memory, folder: nil, queryTimeLimit: time)
            },
        ]
    }

    static func inFile() -> SQLiteBackend {
        let folder = URL.temporaryDirectory.appending(path: "zumod-storage-\(UUID().uuidString)")
        return SQLiteBackend(location: .file(folder.appending(path: "zumod.db").path), folder: folder)
    }

    struct ShellError: Error {
        let message: String
    }

    func open(
        _ tables: [TableDefinition], servesClientTables: Bool, clock: @escaping @Sendable () -> Instant
    ) async throws -> any TableStore {
        try SQLiteTableStore.open(
            location, tables: tables, servesClientTables: servesClientTables, queryTimeLimit: queryTimeLimit,
            clock: clock)
    }

    func close(_ store: any TableStore) async throws {
        await (store as? SQLiteTableStore)?.close()
    }

    /// Uses a plain connection, as the sqlite3 shell has one: without zumod's functions and collations.
    func run(_ sql: String) async throws {
        _ = try query(sql)
    }

    func runUnseen(_ sql: String) async throws {
        _ = try query(sql, isUnseen: true)
    }

    /// Runs SQL and answers the rows as text.
    func query(_ sql: String, isUnseen: Bool = false) throws -> [[String?]] {
        guard case .file(let path) = location else { throw ShellError(message: "a database in memory") }
        var database: OpaquePointer?
        defer { unsafe sqlite3_close_v2(database) }
        guard unsafe sqlite3_open(path, &database) == SQLITE_OK else { throw ShellError(message: "no database") }
        unsafe sqlite3_busy_timeout(database, 5_000)
        if isUnseen {
            unsafe sqlite3_create_function(
                database, SQLiteTriggers.writer, 0, SQLITE_UTF8, nil,
                { context, _, _ in unsafe sqlite3_result_int(context, 0) }, nil, nil)
        }
        var rows: [[String?]] = []
        let code = unsafe withUnsafeMutablePointer(to: &rows) { rows in
            unsafe sqlite3_exec(
                database, sql,
                { context, count, values, _ in
                    guard let rows = unsafe context?.assumingMemoryBound(to: [[String?]].self) else { return 1 }
                    let row = (0..<Int(count)).map { index in
                        unsafe values?[index].map { unsafe String(cString: $0) }
                    }
                    unsafe UnsafeMutablePointer(mutating: rows).pointee.append(row)
                    return 0
                }, rows, nil)
        }
        guard code == SQLITE_OK else { throw unsafe ShellError(message: String(cString: sqlite3_errmsg(database))) }
        return rows
    }

    func remove() {
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }
}
