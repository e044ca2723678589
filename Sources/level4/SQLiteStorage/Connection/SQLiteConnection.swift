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
    private let tableWriter = TableWriter()
    /// The table being read, for detecting whether the database has changed it in the meantime; nil for none.
    private var readTable: (table: Table, catalog: SQLiteTableCatalog)?
    private var isOutdated = false
    /// Measures its statements; nil for no measurement.
    var watch: StoreInstrumentation?

    enum Role {
        case writer, reader
        /// Reads a file that nobody changes, without a log, next to which nothing can be written.
        case sealedReader
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
        let flags =
            switch role {
            case .writer: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .reader: SQLITE_OPEN_READWRITE
            case .sealedReader: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let name = role == .sealedReader ? Self.sealedName(of: path) : path
        let code = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = unsafe opened else { throw .failed(detail: "SQLite \(code): no connection") }
        unsafe self.handle = unsafe handle
        guard code == SQLITE_OK else { throw FileObstacle.explained(failure(), at: location) }
        unsafe sqlite3_extended_result_codes(handle, 1)
        // Before the first statement: otherwise a renamed column would be read as a text, its own name.
        guard unsafe zumod_sqlite_refuse_quoted_texts(handle) == SQLITE_OK else { throw failure() }
        unsafe sqlite3_busy_timeout(handle, Self.busyMilliseconds)
        unsafe timeLimit.watch(handle)
        guard unsafe FunctionRegistration.register(on: handle, stoppedBy: timeLimit) == SQLITE_OK else {
            throw failure()
        }
        if role == .writer {
            guard unsafe tableWriter.register(on: handle) == SQLITE_OK else { throw failure() }
        }
        do {
            if role == .writer { try checkEncoding(of: path) }
            try configure(role)
        } catch {
            throw FileObstacle.explained(error, at: location)
        }
    }

    deinit {
        close()
    }

    /// Refuses a file whose text isn't UTF-8, which is how it is read and written here.
    func checkEncoding(of path: String) throws(TableError) {
        // Its own name comes in that encoding.
        let encoding = try rows("PRAGMA encoding").first?.words(0).replacing("\0", with: "") ?? ""
        guard encoding.hasPrefix("UTF-16") else { return }
        throw .unavailable(
            detail: """
                \(path) keeps its text in \(encoding), and zumod needs UTF-8: \
                `sqlite3 \(ShellWord.quoted(path)) .dump | sqlite3 NEW` makes a file NEW that has the same in UTF-8
                """)
    }

    /// Returns the URI by which SQLite reads a file without its companions (sqlite.org/uri.html).
    private static func sealedName(of path: String) -> String {
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(path.hasPrefix("/") ? "//" : "")\(escaped)?immutable=1"
    }

    /// Closes the connection, which must not be used afterwards.
    func close() {
        cache = StatementCache(capacity: 0)
        finds = FindStatementCache(capacity: 0)
        for place in fixed.indices { fixed[place] = nil }
        unsafe sqlite3_close_v2(handle)
        unsafe handle = nil
    }

    /// Lends the connection's SQLite handle.
    func withHandle<Result>(
        _ body: (OpaquePointer?) throws(TableError) -> Result
    ) throws(TableError) -> Result {
        unsafe try body(handle)
    }

    /// Done once, before the first connection: counting all allocations takes a lock that all threads share.
    private static let isConfigured =
        zumod_sqlite_disable_memory_statistics() == SQLITE_OK && MemoryBudget.isWatching

    /// The first version with RETURNING.
    private static let oldestLibrary: Int32 = 3_035_000

    /// The size to which the log is truncated. It restarts at about four megabytes if there are no readers.
    private static let keptLogBytes = 16 << 20

    /// How long a statement waits for a lock of another program.
    private static let busyMilliseconds: Int32 = 5_000

    private func configure(_ role: Role) throws(TableError) {
        if role == .writer {
            // FULL syncs the log at every commit: otherwise power loss takes acknowledged rows (sqlite.org/wal.html).
            let mode = try rows("PRAGMA journal_mode = WAL").first?.words(0) ?? ""
            guard mode == "wal" || mode == "memory" else {
                throw .failed(detail: "the file's folder allows no write-ahead log (journal mode \(mode))")
            }
            try run("PRAGMA synchronous = FULL")
            // The disk space that a large commit took for the log is released when the log restarts.
            try run("PRAGMA journal_size_limit = \(Self.keptLogBytes)")
        } else {
            try run("PRAGMA query_only = ON")
        }
        try run("PRAGMA temp_store = MEMORY")
        try run("PRAGMA cache_size = -8000")
    }

    /// Limits what runs on the connection: it fails with `timeout` once a turn is over, and with `tooLarge` if it uses
    /// more memory than `MemoryBudget` allows.
    func withTimeLimit<Result>(
        of ticket: QueueTicket, _ body: () throws(TableError) -> Result
    ) throws(TableError) -> Result {
        timeLimit.start(ticket)
        defer { timeLimit.stop() }
        return try MemoryBudget.limited(body)
    }

    /// The same for a script that writes, which also fails with `tooLarge` if it writes too much.
    /// - Parameters:
    ///   - isOperators: whether it isn't on behalf of a user, so that it may take longer.
    ///   - isAwaited: returns whether others are waiting to write, so that it has to end sooner.
    func withScriptLimit<Result>(
        of ticket: QueueTicket, isOperators: Bool, isAwaited: @escaping () -> Bool,
        _ body: () throws(TableError) -> Result
    ) throws(TableError) -> Result {
        guard let handle = unsafe handle else { throw .closed }
        let bound = unsafe ScriptBound(handle, isOperators: isOperators, isAwaited)
        timeLimit.start(bound)
        do throws(TableError) {
            return try withTimeLimit(of: ticket, body)
        } catch {
            throw bound.hasWrittenTooMuch ? .tooLarge : error
        }
    }

    /// Has the triggers of tables take what is written for another program's.
    func asOtherProgram<Result>(_ body: () throws(TableError) -> Result) throws(TableError) -> Result {
        tableWriter.isServer = false
        defer { tableWriter.isServer = true }
        return try body()
    }

    /// Runs a statement that should be quick, with limits small enough for an event loop.
    /// - Parameter body: returns nil if it had to stop.
    /// - Returns: nil if it had to stop, took too long lately, or has never run. It then has to be run again, with
    ///   `withTimeLimit`.
    func briefly<Result>(
        _ sql: SQLText, _ body: (SQLiteStatement) throws(TableError) -> Result?
    ) throws(TableError) -> Result? {
        // Preparing a statement takes time as well.
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

    /// Refuses to go on if the file isn't where it was opened: nobody would ever open what is written to it.
    func checkPlace() throws(TableError) {
        var hasMoved: Int32 = 0
        let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        guard code == SQLITE_OK, hasMoved != 0 else { return }
        let remedy = "put it back, or stop the server before another takes its place"
        throw .unavailable(detail: "the database's file was moved or removed while it is in use: \(remedy)")
    }

    /// Whether a transaction is open. SQLite ends it by itself after some errors, such as a full disk.
    var isInTransaction: Bool {
        unsafe sqlite3_get_autocommit(handle) == 0
    }

    /// Counts the rows inserted, updated or deleted so far, including those by triggers. Changes undone by a failed
    /// statement don't count.
    var changeCount: Int32 {
        unsafe sqlite3_total_changes(handle)
    }

    /// Runs a statement whose rows don't matter.
    func run(_ text: String, _ bindings: [Value] = []) throws(TableError) {
        _ = try query(text, bindings) { _ in }
    }

    /// Runs a statement whose rows don't matter.
    func run(_ sql: SQLText) throws(TableError) {
        try run(sql.text, sql.bindings)
    }

    /// Runs a fixed statement whose rows don't matter.
    func run(_ statement: FixedStatement, _ bindings: [Value] = []) throws(TableError) {
        try query(statement, bindings) { _ in }
    }

    /// Runs a fixed statement and calls `visit` for each row.
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

    /// Runs a statement and calls `visit` for each row.
    func query(
        _ text: String, _ bindings: [Value] = [], visit: (SQLiteStatement) throws(TableError) -> Void
    ) throws(TableError) {
        try withStatement(SQLText(text, bindings)) { statement throws(TableError) in
            while try statement.step() { try visit(statement) }
        }
    }

    /// Lends a bound statement, which is reset afterwards.
    func withStatement<Result>(
        _ sql: SQLText, _ body: (SQLiteStatement) throws(TableError) -> Result
    ) throws(TableError) -> Result {
        try lend(try statement(for: sql.text), with: sql.bindings, body)
    }

    /// Lends the statement that finds a row with all its columns, which is reset afterwards.
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
        // Even if it fails: a statement that reached its time limit took long.
        defer {
            watch.ran(statement.kind, took: Clocks.nanoseconds(since: start), statement.text) {
                plan(of: statement)
            }
        }
        let result = try body(statement)
        try compare(with: statement)
        return result
    }

    /// Reads a table. If it has changed in the database, the result may lack columns and is discarded.
    /// - Returns: nil if it has to be read again, with the table as the database now has it.
    func reading<Success>(
        _ table: Table, of catalog: SQLiteTableCatalog, _ body: () throws(TableError) -> Success
    ) throws(TableError) -> Success? {
        readTable = (table, catalog)
        isOutdated = false
        defer { readTable = nil }
        do throws(TableError) {
            let success = try body()
            return isOutdated ? nil : success
        } catch {
            readTable = nil
            // A column or the table itself may have been dropped.
            guard case .failed = error, let version = try? schemaVersion(), !catalog.has(table, in: version) else {
                throw error
            }
            return nil
        }
    }

    /// Returns the number that increases with every change of the database's schema.
    func schemaVersion() throws(TableError) -> Int64 {
        var version: Int64 = 0
        try query(.schemaVersion) { version = $0.integer(at: 0) }
        return version
    }

    /// Compares the table being read with the schema that a statement used, within its transaction. This is needed only
    /// if SQLite had to prepare the statement again, so it costs most reads nothing.
    private func compare(with statement: SQLiteStatement) throws(TableError) {
        guard let (table, catalog) = readTable, statement.hasNewSchema else { return }
        readTable = nil
        defer { readTable = (table, catalog) }
        if try catalog.has(table, in: schemaVersion()) { statement.keepsSchema() } else { isOutdated = true }
    }

    /// Returns SQLite's plan for a statement, step by step.
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

    /// Prepares a statement, bypassing the cache.
    func prepared(_ text: String) throws(TableError) -> SQLiteStatement {
        var rest = text[...]
        guard let made = try prepare(&rest) else { throw .failed(detail: "a statement without text") }
        return made
    }

    /// Runs all statements of a script.
    func run(script: String) throws(TableError) {
        var rest = script[...]
        while let statement = try prepare(&rest) {
            while try statement.step() {}
        }
    }

    /// Prepares the first statement, and removes it from the text.
    /// - Returns: nil if only white space and comments are left.
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
