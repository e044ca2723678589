public import Scalars
public import Tables

/// A database that runs statements about everything except the rows of tables: users, devices, jobs.
///
/// The stores for these are built on it, once for both databases.
public protocol SQLExecutor: Sendable {
    /// Returns the current time, for values to be written.
    func now() -> Instant

    /// Runs statements in one transaction, which is durable when the call returns. If the connection breaks they may
    /// run twice, so they must be idempotent.
    /// - Returns: the rows of the last statement.
    func execute(_ statements: [SQLFragment]) async throws(TableError) -> [SQLRow]

    /// Runs a statement that reads a few rows by key.
    func rows(of statement: SQLFragment) async throws(TableError) -> [SQLRow]

    /// Runs a short statement that must not wait behind lists, such as one about the time.
    func quickRows(of statement: SQLFragment) async throws(TableError) -> [SQLRow]

    /// Runs statements that may read many rows, within the time limit of lists and taking turns with these.
    /// - Returns: the rows of each statement.
    func lists(of statements: [SQLFragment]) async throws(TableError) -> [[SQLRow]]
}

extension SQLExecutor {
    /// Runs statements together, or one by one if one of them fails, as it does if another program has just removed a
    /// table: that one then returns no rows.
    fileprivate func listsApart(of statements: [SQLFragment]) async throws(TableError) -> [[SQLRow]] {
        do throws(TableError) {
            return try await lists(of: statements)
        } catch {
            guard case .failed = error else { throw error }
            guard statements.count > 1 else { return [[]] }
        }
        var found: [[SQLRow]] = []
        for statement in statements { found += try await listsApart(of: [statement]) }
        return found
    }

    /// Runs it like any that reads a few rows, for a database where these never wait behind lists.
    public func quickRows(of statement: SQLFragment) async throws(TableError) -> [SQLRow] {
        try await rows(of: statement)
    }

    /// Returns whether the last statement returned a row.
    func isDone(_ statements: SQLFragment...) async throws(TableError) -> Bool {
        try await !execute(statements).isEmpty
    }
}

extension SQLExecutor where Self: StatisticsStore & TableStore {
    /// Reads within the time limit of lists, by the index for pulls.
    public func lastChanges() async throws(TableError) -> [Identifier: Instant] {
        let tables = tables().filter { !$0.isAway }
        guard !tables.isEmpty else { return [:] }
        let found = try await listsApart(of: tables.map(\.lastChange))
        let stamps = zip(tables, found).map { ($0.name, $1.first?.date(0)) }
        return Dictionary(stamps) { first, _ in first }.compactMapValues(\.self)
    }
}

extension SQLExecutor where Self: StampStore {
    /// Reads the last stamps that any server of the database has given, one short row per table.
    public func lastStamps() async throws(TableError) -> [Identifier: Instant] {
        let served = Set(tables().map(\.name))
        let found = try await quickRows(of: "SELECT name, last_stamp FROM zumod_tables").compactMap { row in
            Identifier(row.words(0)).map { ($0, row.instant(1) ?? Instant(milliseconds: 0)) }
        }
        return Dictionary(found) { first, _ in first }.filter { served.contains($0.key) }
    }
}

extension SQLExecutor where Self: TransferStore {
    /// Reads what the last batch of the copy stored.
    public func transferProgress(
        of table: Table, from source: String
    ) async throws(TableError) -> TransferProgress? {
        try await rows(
            of: """
                SELECT position, row_count FROM zumod_transfers \
                WHERE lower(table_name) = lower(\(.text(table.name.text))) AND source = \(.text(source))
                """
        ).first.map { TransferProgress(source: source, position: $0.words(0), rowCount: $0.integer(1) ?? 0) }
    }
}

extension Table {
    /// Returns the greatest stamp of the rows, or null, by the index for pulls.
    package var lastChange: SQLFragment { "SELECT max(\"updatedAt\") FROM \(name)" }
}
