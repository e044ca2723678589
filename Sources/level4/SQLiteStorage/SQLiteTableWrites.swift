import StoreMetrics
import TableSQL
public import Tables

extension SQLiteTableStore {
    /// Creates a table on the writer's thread.
    ///
    /// - Throws: `definition` if the name is reserved, or belongs to a table that was removed from the configuration.
    public func createTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        if let existing = catalog.table(named: definition.name) { return existing }
        return try await writer.write { session throws(TableError) in
            // Another caller may have created it in the meantime.
            if let existing = session.servedTable(named: definition.name) { return existing }
            return try SQLiteSchemaPreparation(session).prepare(definition, origin: .client)
        }
    }

    /// Writes on the writer's thread. An update that sets nothing only reads the row.
    public func write<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        var write = write
        guard try await makeFresh(of: table, { table throws(TableError) in try write.check(in: table) }) else {
            return WriteResult(.missing, row)
        }
        if write.changesNothing(in: table) { return try await readInstead(of: write, in: table, into: row) }
        let written = try await writer.write(.oneRow) { [write] session throws(TableError) in
            try session.perform(write)
        }
        if written.isRepeat { watch.answeredRepeat() }
        return written.result(into: row)
    }

    /// Reads the row first and the receipt of its version second: the receipt then belongs to the row that was read.
    public func recall<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>? {
        guard let receipt = write.receipt else { return nil }
        let now = clock()
        return try await readRow(of: table) { connection, table throws(TableError) -> SQLiteRowWriteResult? in
            var found: FoundRow?
            if !receipt.isOnce {
                guard let id = write.id, id.fits(table) else { return nil }
                found = try connection.find(id, in: table, scope: write.scope)
            }
            guard let kept = try connection.kept(receipt, of: found?.state.version, now: now) else { return nil }
            let answer = kept.answer(to: write, found: found?.state, in: table.rules)
            return answer?.written(found: found?.row)
        }?.result(into: row)
    }

    /// Returns the result of an update that sets nothing.
    private func readInstead<Row: RowVisitor>(
        of write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try await readRow(of: table) { connection, table throws(TableError) -> SQLiteRowWriteResult? in
            guard let id = write.id else { return nil }
            let found = try connection.find(id, in: table, scope: write.scope)
            let verdict = WriteVerdict(on: write.demand, found: found?.state, in: table.rules)
            return SQLiteRowWriteResult(outcome: try verdict.refusal() ?? .written, row: found?.row, isRepeat: false)
        }?.result(into: row) ?? WriteResult(.missing, row)
    }

    /// Reads a row of the table in its current state.
    private func readRow(
        of table: Table,
        _ read: @escaping @Sendable (SQLiteConnection, Table) throws(TableError) -> SQLiteRowWriteResult?
    ) async throws(TableError) -> SQLiteRowWriteResult? {
        let found = try await readFresh(table) { table throws(TableError) -> SQLiteRowWriteResult?? in
            try await self.read { [catalog] connection throws(TableError) in
                try connection.reading(table, of: catalog) { () throws(TableError) in try read(connection, table) }
            }
        }
        return found
    }
}
