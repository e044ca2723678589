import ByteText
public import OData
import TableSQL
public import Tables

extension PostgresTableStore: TableStore {
    /// Read from memory, as of the last look at the database.
    public func table(named name: Identifier) -> Table? {
        catalog.table(named: name)
    }

    /// Read from memory, as of the last look at the database.
    public func tables() -> [Table] {
        catalog.all()
    }

    /// Reads on a thread of the pool.
    public func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row? {
        try watch.check()
        guard table.isAway || id.fits(table) else { return nil }
        return try await read(table, scope: scope, isPoint: true) { [finds] table throws(QueryError) in
            let (statement, layout) = try finds.statement(
                for: id, in: table, select: select, includeDeleted: includeDeleted, scope: scope)
            return StatementRead(statements: [statement]) { results in
                guard results[0].rowCount > 0 else { return nil }
                var row = row
                results[0].visit(layout, into: &row)
                return row
            }
        }
    }

    /// Reads on a thread of the pool, with the count from the same snapshot.
    public func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows> {
        try watch.check()
        return try await readFresh(
            table, scope: query.scope, asker: query.asker, as: shared(query, in: table, into: rows)
        ) { connection, table throws(PostgresFailure) -> (Page<Rows>, mark: SchemaFingerprint?) in
            let page: SelectStatement
            var counting: [SQLText] = []
            do throws(QueryError) {
                page = try self.selects.statement(for: query, in: table)
                if query.wantsCount {
                    counting = [try CountStatement(query: query, table: table, dialect: PostgresDialect()).sql]
                }
            } catch {
                throw .table(TableError(error))
            }
            var walk = PageWalk(rows, layout: page.layout, limit: query.limit)
            var bytes = 0
            let start = ContinuousClock.now
            let counted = try connection.read(counting, then: page.sql.marked(for: table)) { result in
                bytes += result.byteCount
                return walk.take(result)
            }
            if !query.wantsCount { self.brief.note(page.sql.text, bytesByRow: bytes, took: start.duration(to: .now)) }
            return (
                walk.page(totalCount: counted.first?.integer(0, 0), placeColumns: page.placeColumns), walk.mark
            )
        }
    }

    /// Returns the list as a single statement that can share a round trip; nil if it isn't known to be brief.
    private func shared<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) -> SharedRead<Page<Rows>>? {
        let (current, mark) = catalog.current(table)
        guard !current.isAway, !query.wantsCount, query.scope?.namesUnknownColumn(of: current) != true,
            let page = try? selects.statement(for: query, in: current), brief.has(page.sql.text)
        else { return nil }
        return SharedRead(table: table.name) { [brief] in
            let begun = BegunRead<Page<Rows>?>(
                statement: page.sql.marked(for: current),
                answer: { result, time in
                    brief.note(page.sql.text, result, took: time)
                    var walk = PageWalk(rows, layout: page.layout, limit: query.limit)
                    _ = walk.take(result)
                    guard walk.mark.map({ $0 == mark }) ?? true else { return nil }
                    return walk.page(totalCount: nil, placeColumns: page.placeColumns)
                }, fail: { brief.noteFailure(page.sql.text) })
            return begun
        }
    }

    /// Returns 32 bytes unique to this database, for sealing the continuations that clients send back.
    public func continuationKey() async throws(TableError) -> [UInt8] {
        let kept = try await rows(of: "SELECT hexadecimal FROM zumod_secrets WHERE name = 'continuation'").first
        guard let key = [UInt8](hexText: kept?.words(0) ?? ""), key.count == 32 else {
            throw .failed(detail: "the database has lost its continuation secret")
        }
        return key
    }

    /// Fails until the database can be reached and is prepared. Also looks for changes to the tables.
    public func ping() async throws(TableError) {
        try await ready(quickPool).run { [catalog, reader] connection throws(PostgresFailure) in
            _ = try reader.refresh(catalog, on: connection)
        }
    }

    /// A table locked by another session doesn't make the server unready: the others are served.
    public func readiness() async -> Readiness {
        do throws(TableError) {
            try await ping()
            return .ready
        } catch {
            let words = connections.failure?.publicWords ?? PostgresFailure.table(error).publicWords
            return .notReady(reason: words, detail: error.detail)
        }
    }
}

/// Statements, and a function that evaluates their results.
struct StatementRead<Success> {
    /// The first returns the rows.
    var statements: [SQLText]
    let answer: ([PostgresResult]) -> Success
}

extension PostgresTableStore {
    /// Runs statements for the table in the catalog, and again if it turns out that other servers have changed tables
    /// since the catalog was read: an answer must not lack a column that is in the database.
    ///
    /// - Parameters:
    ///   - scope: the scope of the statements, whose columns may be among those that others added.
    ///   - isPoint: whether it is a single statement that reads one row by its id, and may go with others.
    ///   - make: returns what to read from the table.
    func read<Success: Sendable>(
        _ table: Table, scope: RowScope?, isPoint: Bool = false,
        _ make: @escaping @Sendable (Table) throws(QueryError) -> StatementRead<Success>
    ) async throws(TableError) -> Success {
        try await readFresh(
            table, scope: scope, asker: nil, as: isPoint ? point(table, scope: scope, make) : nil
        ) { connection, table throws(PostgresFailure) -> (Success, mark: SchemaFingerprint?) in
            var reading: StatementRead<Success>
            do throws(QueryError) { reading = try make(table) } catch { throw .table(TableError(error)) }
            reading.statements[0] = reading.statements[0].marked(for: table)
            let results = try connection.read(reading.statements)
            return (reading.answer(results), SchemaFingerprint(results[0]))
        }
    }

    /// Returns a read of a single statement, which is valid while the catalog is up to date.
    private func point<Success: Sendable>(
        _ table: Table, scope: RowScope?,
        _ make: @escaping @Sendable (Table) throws(QueryError) -> StatementRead<Success>
    ) -> SharedRead<Success> {
        SharedRead(table: table.name) { [catalog] in
            let (current, mark) = catalog.current(table)
            guard !current.isAway, scope?.namesUnknownColumn(of: current) != true, let reading = try? make(current)
            else { return nil }
            return BegunRead(
                statement: reading.statements[0].marked(for: current),
                answer: { result, _ in
                    guard let seen = SchemaFingerprint(result), seen != mark else { return reading.answer([result]) }
                    return nil
                })
        }
    }

    /// Runs a body for the table in the catalog, and again if it turns out that other servers, or other programs, have
    /// changed it since the catalog was read: an answer must not lack a column that is in the database.
    ///
    /// - Parameters:
    ///   - asker: on whose behalf a list is read; nil for a read of one row.
    ///   - shared: the same read as a single statement, which can share a round trip; nil if it can't.
    ///   - body: reads with statements for the given table, and returns the mark of the table in their snapshot, if
    ///     there were any rows to bring it.
    private func readFresh<Success: Sendable>(
        _ table: Table, scope: RowScope?, asker: String?, as shared: SharedRead<Success>? = nil,
        _ body:
            @escaping @Sendable (PostgresConnection, Table) throws(PostgresFailure) -> (
                Success, mark: SchemaFingerprint?
            )
    ) async throws(TableError) -> Success {
        let read = { @Sendable [catalog, reader] (connection: PostgresConnection) throws(PostgresFailure) -> Success in
            if let scope, scope.namesUnknownColumn(of: catalog.current(table).table) {
                try reader.refresh(catalog, on: connection)
            }
            var failures = 0
            // Many attempts: clients that add columns may change it during several successive reads.
            for _ in 1...20 {
                var (current, mark) = catalog.current(table)
                if current.isAway {
                    try reader.refresh(catalog, on: connection)
                    (current, mark) = catalog.current(table)
                    if current.isAway { throw .table(.away(current.name)) }
                }
                let read: (success: Success, mark: SchemaFingerprint?)
                do throws(PostgresFailure) {
                    read = try body(connection, current)
                } catch {
                    if error.isTimeout { throw .table(.timeout) }
                    guard error.mayBeStale else { throw error }
                    if case .refused = error {
                        // The refusal shows a change, even if no number has moved, as when a column is renamed.
                        try reader.load(into: catalog, on: connection)
                        // It may have been away for as long as the read took.
                        if catalog.current(table).table === current { failures += 1 }
                        if failures > 2 { throw error }
                    } else {
                        try reader.refresh(catalog, after: error.ofTable, of: table.name, on: connection)
                        if catalog.current(table).table === current { throw error }
                    }
                    continue
                }
                guard let seen = read.mark, seen != mark else { return read.success }
                try reader.load(into: catalog, on: connection)
                // Other tables have changed, which is normal if clients create them, but this one hasn't.
                let (now, known) = catalog.current(table)
                if now === current, known.epoch >= seen.epoch, known.relation == seen.relation { return read.success }
            }
            throw .table(.unavailable(detail: "the tables change faster than they can be read"))
        }
        if let asker { return try await pool.runList(by: asker, as: shared, read) }
        return try await pool.run(as: shared, read)
    }
}

extension RowScope {
    fileprivate func namesUnknownColumn(of table: Table) -> Bool {
        (writeCondition.columns + (asked?.columns ?? [])).contains { table.field(named: $0.name) == nil }
    }
}

extension PostgresFailure {
    /// Whether the server stopped a statement, as it does at the time limit, or when a text exceeds a gigabyte.
    var isTimeout: Bool {
        if case .refused(let state, _) = self { ["57014", "54000"].contains(state.code) } else { false }
    }

    /// The error of the call itself; nil for other failures.
    fileprivate var ofTable: TableError? {
        if case .table(let error) = self { error } else { nil }
    }

    /// Whether the tables may have other columns than the catalog knows.
    var mayBeStale: Bool {
        switch self {
        case .refused(let state, _): state.meaning == .staleCatalog
        case .table(.query(let error)): TableError.query(error).mayBeOutdated
        case .table, .unreachable, .lost: false
        }
    }
}
