import OData
import TableSQL
public import Tables

extension PostgresTableStore {
    /// Creates a table under the schema's lock, so that only one of several servers creates it.
    public func createTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        try watch.check()
        if let existing = catalog.table(named: definition.name) { return existing }
        try definition.check()
        return try await prepare(definition.name, "was made") { $0 == nil ? (definition, .client) : nil }
    }

    /// Writes on the table's thread. An update that sets nothing only reads the row.
    public func write<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try watch.check()
        var write = write
        guard try await makeFresh(of: table, { table throws(TableError) in try write.check(in: table) }) else {
            return WriteResult(.missing, row)
        }
        if write.changesNothing(in: table) { return try await readInstead(of: write, in: table, into: row) }
        return try await writers.write(write, into: row)
    }

    /// Reads on a thread of the pool, the receipt and the row from the same snapshot.
    public func recall<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>? {
        try watch.check()
        guard let receipt = write.receipt else { return nil }
        if let id = write.id, !table.isAway, !id.fits(table) { return nil }
        let now = clock()
        return try await read(table, scope: write.scope) { table throws(QueryError) in
            let statements = [receipt.find(now: now), try write.findRepeated(in: table)].compactMap(\.self)
            return StatementRead(statements: statements) { results in
                guard let kept = IdempotencyRecord(results[0]) else { return nil }
                let found = results.count > 1 ? results[1] : nil
                guard let known = write.repeated(kept, found: found, in: table) else { return nil }
                return WriteResult(known.outcome, known.visited(by: row), isRepeat: true)
            }
        }
    }

    /// Derives something from the catalog's table, and again if that lacks a column that the database now has.
    private func makeFresh<Success>(
        of table: Table, _ make: (Table) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        let known = catalog.current(table).table
        do throws(TableError) {
            if known.isAway { throw .away(known.name) }
            return try make(known)
        } catch {
            guard error.mayBeOutdated else { throw error }
            try await pool.run { [catalog, reader] connection throws(PostgresFailure) in
                try reader.refresh(catalog, after: error, of: known.name, on: connection)
            }
            let current = catalog.current(table).table
            if current === known { throw error }
            if current.isAway { throw .away(current.name) }
            return try make(current)
        }
    }

    /// Returns the result of an update that sets nothing.
    private func readInstead<Row: RowVisitor>(
        of write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        let now = clock()
        return try await read(table, scope: write.scope) { table throws(QueryError) in
            StatementRead(statements: [try write.findStatement(in: table, now: now)].compactMap(\.self)) { results in
                let refused = write.refusal(found: results[0], in: table)
                return (refused ?? .success(PostgresRowWriteResult(.written, of: table, results[0]))).map {
                    WriteResult($0.outcome, $0.visited(by: row))
                }
            }
        }.get()
    }
}
