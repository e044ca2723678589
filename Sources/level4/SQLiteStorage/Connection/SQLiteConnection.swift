import CSQLite
import OData
import Platform
import StoreMetrics
import TableSQL
import Tables
import WorkThreads

/// One connection to a database, with its prepared statements.
// Sendable because one thread at a time has it: the writer's, or the one that took it from the free list.
@safe final class SQLiteConnection: @unchecked Sendable {
    /// nil once it is closed.
    private var handle: OpaquePointer?
    private var cache = StatementCache(capacity: 256)
    private var finds = FindStatementCache(capacity: 128)
    private var fixed = [SQLiteStatement?](repeating: nil, count: FixedStatement.allCases.count)
    private let timeLimit = TimeLimit()
    /// The table that is being read, whose statements tell whether the database has changed it; nil for none.
    private var readTable: (table: Table, catalog: TableCatalog)?
    private var isOutdated = false
    /// What measures its statements; nil for nothing.
    var watch: StoreInstrumentation?

    enum Role {
        case writer, reader
    }

    init(_ location: SQLiteLocation, role: Role) throws(TableError) {
        let path =
            switch location {
            case .file(let path): path
            case .memory: ":memory:"
            }
        guard sqlite3_libversion_number() >= Self.oldestLibrary else {
            throw unsafe .definition(
                "zumod needs SQLite 3.35 or later; this machine's library is \(String(cString: sqlite3_libversion()))")
        }
        _ = Self.isConfigured
        if role == .writer, case .file = location { FilePrivacy.make(path) }
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (role == .writer ? SQLITE_OPEN_CREATE : 0)
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard let handle = unsafe opened else { throw .failed(detail: "SQLite \(code): no connection") }
        unsafe self.handle = unsafe handle
        guard code == SQLITE_OK else { throw FileObstacle.explained(failure(), at: location) }
        unsafe sqlite3_extended_result_codes(handle, 1)
        // Before the first statement: a column that another program renamed would be answered as its own name.
        guard unsafe zumod_sqlite_refuse_quoted_texts(handle) == SQLITE_OK else { throw failure() }
        unsafe sqlite3_busy_timeout(handle, Self.busyMilliseconds)
        unsafe timeLimit.watch(handle)
        guard unsafe FunctionRegistration.register(on: handle, stoppedBy: timeLimit) == SQLITE_OK else {
            throw failure()
        }
        do { try configure(role) } catch { throw FileObstacle.explained(error, at: location) }
    }

    deinit {
        close()
    }

    /// Closes the connection, which nobody uses afterwards.
    func close() {
        cache = StatementCache(capacity: 0)
        finds = FindStatementCache(capacity: 0)
        for place in fixed.indices { fixed[place] = nil }
        unsafe sqlite3_close_v2(handle)
        unsafe handle = nil
    }

    /// Lends SQLite's handle of the connection.
    func withHandle<Result>(
        _ body: (OpaquePointer?) throws(TableError) -> Result
    ) throws(TableError) -> Result {
        unsafe try body(handle)
    }

    /// Set once, before the first connection: counting every allocation takes a lock that all threads share.
    private static let isConfigured =
        zumod_sqlite_disable_memory_statistics() == SQLITE_OK && MemoryBudget.isWatching

    /// The first version with RETURNING.
    private static let oldestLibrary: Int32 = 3_035_000

    /// The log is cut to this size. It starts over at some four megabytes if nobody reads.
    private static let keptLogBytes = 16 << 20

    /// How long a statement waits for a lock of another program.
    private static let busyMilliseconds: Int32 = 5_000

    private func configure(_ role: Role) throws(TableError) {
        if role == .writer {
            // FULL syncs the log at every commit: without it power loss takes acknowledged rows (sqlite.org/wal.html).
            let mode = try rows("PRAGMA journal_mode = WAL").first?.words(0) ?? ""
            guard mode == "wal" || mode == "memory" else {
                throw .failed(detail: "the file's folder allows no write-ahead log (journal mode \(mode))")
            }
            try run("PRAGMA synchronous = FULL")
            // What one large commit made of the log is given back to the disk once the log begins anew.
            try run("PRAGMA journal_size_limit = \(Self.keptLogBytes)")
        } else {
            try run("PRAGMA query_only = ON")
        }
        try run("PRAGMA temp_store = MEMORY")
        try run("PRAGMA cache_size = -8000")
    }

    /// Stops what runs on the connection: with `timeout` once a turn is over, with `tooLarge` when it takes more memory
    /// than `MemoryBudget` allows.
    func withTimeLimit<Result>(
        of turn: QueueTicket, _ body: () throws(TableError) -> Result
    ) throws(TableError) -> Result {
        timeLimit.start(turn)
        defer { timeLimit.stop() }
        return try MemoryBudget.limited(body)
    }

    /// The same for a script that writes, with `tooLarge` also when it writes more than it may.
    /// - Parameters:
    ///   - isOperators: whether it isn't on behalf of a user, so that it may take longer.
    ///   - isAwaited: whether others wait to write, so that it has to end sooner.
    func withScriptLimit<Result>(
        of turn: QueueTicket, isOperators: Bool, isAwaited: @escaping () -> Bool,
        _ body: () throws(TableError) -> Result
    ) throws(TableError) -> Result {
        guard let handle = unsafe handle else { throw .closed }
        let bound = unsafe ScriptBound(handle, isOperators: isOperators, isAwaited)
        timeLimit.start(bound)
        do throws(TableError) {
            return try withTimeLimit(of: turn, body)
        } catch {
            throw bound.hasWrittenTooMuch ? .tooLarge : error
        }
    }

    /// Runs a statement that should be quick, with limits that are small enough for an event loop.
    /// - Parameter body: returns nil if it had to stop.
    /// - Returns: nil if it had to stop, took too long lately, or has never run. Then it has to be read again, with
    ///   `withTimeLimit`.
    func briefly<Result>(
        _ sql: SQLText, _ body: (SQLiteStatement) throws(TableError) -> Result?
    ) throws(TableError) -> Result? {
        // Preparing one takes time as well.
        guard let statement = cache.statement(for: sql.text), statement.brevity.takeTry() else { return nil }
        timeLimit.startBriefly()
        defer { timeLimit.stop() }
        var result: Result?
        do throws(TableError) {
            result = try MemoryBudget.limited { () throws(TableError) in
                try lend(statement, with: sql.bindings, body)
            }
        } catch {
            guard error == .timeout || error == .tooLarge else { throw error }
        }
        if result == nil { statement.brevity.tookLong() } else { statement.brevity.wasBrief() }
        return result
    }

    /// Whether a transaction is open. SQLite itself ends one after some errors, for instance a full disk.
    var isInTransaction: Bool {
        unsafe sqlite3_get_autocommit(handle) == 0
    }

    /// Goes up with each row that is inserted, updated or deleted, also by triggers. What a failed statement undid
    /// doesn't count.
    var changeCount: Int32 {
        unsafe sqlite3_total_changes(handle)
    }

    /// Runs one statement that has no rows of interest.
    func run(_ text: String, _ bindings: [Value] = []) throws(TableError) {
        _ = try query(text, bindings) { _ in }
    }

    /// Runs one statement that has no rows of interest.
    func run(_ sql: SQLText) throws(TableError) {
        try run(sql.text, sql.bindings)
    }

    /// The same for one with an index.
    func run(_ statement: FixedStatement, _ bindings: [Value] = []) throws(TableError) {
        try query(statement, bindings) { _ in }
    }

    /// The same for one with an index, calling `visit` at each row.
    func query(
        _ statement: FixedStatement, _ bindings: [Value] = [], visit: (SQLiteStatement) throws(TableError) -> Void
    ) throws(TableError) {
        let place = statement.rawValue
        let made = if let known = fixed[place] { known } else { try prepared(statement.text) }
        fixed[place] = made
        try lend(made, with: bindings) { statement throws(TableError) in
            while try statement.step() { try visit(statement) }
        }
    }

    /// Runs one statement, calling `visit` at each row.
    func query(
        _ text: String, _ bindings: [Value] = [], visit: (SQLiteStatement) throws(TableError) -> Void
    ) throws(TableError) {
        try withStatement(SQLText(text, bindings)) { statement throws(TableError) in
            while try statement.step() { try visit(statement) }
        }
    }

    /// Lends a bound statement and resets it afterwards.
    func withStatement<Result>(
        _ sql: SQLText, _ body: (SQLiteStatement) throws(TableError) -> Result
    ) throws(TableError) -> Result {
        try lend(try statement(for: sql.text), with: sql.bindings, body)
    }

    /// Lends the statement that finds a row with all its columns, and resets it afterwards.
    func withFind<Result>(
        _ id: RowID, in table: Table, includeDeleted: Bool, _ body: (SQLiteStatement) throws(TableError) -> Result
    ) throws(TableError) -> Result {
        guard let statement = finds[table, includeDeleted: includeDeleted] else {
            let find = try sql { () throws(QueryError) in
                let target = RowTarget(id, includesTombstones: includeDeleted)
                return try FindStatement(target, in: table, dialect: SQLiteDialect())
            }
            let statement = try statement(for: find.sql.text)
            finds.keep(statement, for: table, includeDeleted: includeDeleted)
            return try lend(statement, with: find.sql.bindings, body)
        }
        return try lend(
            statement, with: FindStatement.bindings(for: id, in: table, includeDeleted: includeDeleted), body)
    }

    private func lend<Result>(
        _ statement: SQLiteStatement, with bindings: [Value], _ body: (SQLiteStatement) throws(TableError) -> Result
    ) throws(TableError) -> Result {
        defer { statement.reset() }
        try statement.bind(bindings)
        guard let watch else {
            let result = try body(statement)
            try compare(with: statement)
            return result
        }
        let start = Clocks.exact
        // Also where it fails: what reached its time limit took long.
        defer {
            watch.ran(statement.kind, took: Clocks.nanoseconds(since: start), statement.text) {
                plan(of: statement)
            }
        }
        let result = try body(statement)
        try compare(with: statement)
        return result
    }

    /// Reads a table, unless it has changed in the database: then what was read may lack columns, and is discarded.
    /// - Returns: nil if it has to be read again, with the table as the database now has it.
    func reading<Success>(
        _ table: Table, of catalog: TableCatalog, _ body: () throws(TableError) -> Success
    ) throws(TableError) -> Success? {
        readTable = (table, catalog)
        isOutdated = false
        defer { readTable = nil }
        do throws(TableError) {
            let success = try body()
            return isOutdated ? nil : success
        } catch {
            readTable = nil
            // A column or the table itself may be gone.
            guard case .failed = error, let version = try? schemaVersion(), !catalog.has(table, in: version) else {
                throw error
            }
            return nil
        }
    }

    /// The number that goes up with each change of the database's schema.
    func schemaVersion() throws(TableError) -> Int64 {
        var version: Int64 = 0
        try query(.schemaVersion) { version = $0.integer(at: 0) }
        return version
    }

    /// Compares the table that is read with the schema that a statement found, during its transaction. Only needed if
    /// SQLite had to prepare the statement again, so that it costs most reads nothing.
    private func compare(with statement: SQLiteStatement) throws(TableError) {
        guard let (table, catalog) = readTable, statement.hasNewSchema else { return }
        readTable = nil
        defer { readTable = (table, catalog) }
        if try catalog.has(table, in: schemaVersion()) { statement.keepsSchema() } else { isOutdated = true }
    }

    /// SQLite's plan for a statement, step by step.
    private func plan(of statement: SQLiteStatement) -> String? {
        guard statement.kind.hasPlan, let explained = try? prepared("EXPLAIN QUERY PLAN \(statement.text)") else {
            return nil
        }
        var steps: [String] = []
        while (try? explained.step()) == true { steps.append(explained.string(at: 3)) }
        return steps.joined(separator: "; ")
    }

    private func statement(for text: String) throws(TableError) -> SQLiteStatement {
        if let cached = cache.statement(for: text) { return cached }
        let made = try prepared(text)
        cache.keep(made, for: text)
        return made
    }

    /// Prepares one statement, bypassing the cache.
    func prepared(_ text: String) throws(TableError) -> SQLiteStatement {
        var rest = text[...]
        guard let made = try prepare(&rest) else { throw .failed(detail: "a statement without text") }
        return made
    }

    /// Runs every statement of a script.
    func run(script: String) throws(TableError) {
        var rest = script[...]
        while let statement = try prepare(&rest) {
            while try statement.step() {}
        }
    }

    /// Prepares the first statement, and keeps the text after it.
    /// - Returns: nil if only blanks and comments are left.
    private func prepare(_ text: inout Substring) throws(TableError) -> SQLiteStatement? {
        while !text.isEmpty {
            var prepared: OpaquePointer?
            var length = 0
            let code = text.withUTF8 { bytes in
                guard let start = bytes.baseAddress else { return SQLITE_OK }
                return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { characters in
                    var tail: UnsafePointer<CChar>?
                    let code = unsafe sqlite3_prepare_v3(
                        handle, characters, Int32(clamping: bytes.count), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared,
                        &tail)
                    if let tail = unsafe tail { length = unsafe tail - characters }
                    return code
                }
            }
            guard code == SQLITE_OK else { throw failure() }
            text = length > 0 ? Substring(text.utf8.dropFirst(length)) : ""
            if let prepared = unsafe prepared { return unsafe SQLiteStatement(prepared) }
        }
        return nil
    }

    private func failure() -> TableError {
        unsafe SQLiteFailure.error(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }
}
