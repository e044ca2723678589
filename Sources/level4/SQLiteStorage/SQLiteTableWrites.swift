import StoreMetrics
import TableSQL
public import Tables

extension SQLiteTableStore {
    /// Makes a table on the writer's thread.
    ///
    /// - Throws: `definition` where the name is reserved, or belongs to a table that the configuration no longer names.
    public func createTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        if let existing = catalog.table(named: definition.name) { return existing }
        return try await writer.write { session throws(TableError) in
            // Another caller's may have been made since.
            if let existing = session.servedTable(named: definition.name) { return existing }
            return try SchemaPreparation(session).prepare(definition, origin: .client)
        }
    }

    /// Writes a new row on the writer's thread.
    public func insert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, deleted: Bool, scope: RowScope?, receipt: WriteReceipt?,
        in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        let changes = try await makeFresh(of: table) { table throws(TableError) in
            guard id.map({ $0.fits(table) }) ?? table.rules.autoIncrement else {
                throw .failed(detail: "an insert into \(table.name) without an id of its kind")
            }
            return try table.changes(from: properties, for: .insert)
        }
        var update = RowUpdate(properties)
        update.deleted = deleted
        return try await perform(
            RowWrite(.insert, of: id, in: table.name, update, changes, scope: scope, receipt: receipt), into: row)
    }

    /// Updates a row on the writer's thread; where nothing is set it is only read.
    public func update<Row: RowVisitor>(
        _ id: RowID, _ update: RowUpdate, if precondition: Precondition, scope: RowScope?, receipt: WriteReceipt?,
        in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        let changes = try await makeFresh(of: table) { table throws(TableError) in
            try table.changes(from: update.properties, for: .update)
        }
        guard id.fits(table) else { return WriteResult(.missing, row) }
        let write = RowWrite(
            .update, of: id, in: table.name, update, changes, if: precondition, scope: scope, receipt: receipt)
        if update.changesNothing(in: table) { return try await readInstead(of: write, id, in: table, into: row) }
        return try await perform(write, into: row)
    }

    /// Deletes a row on the writer's thread.
    public func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, scope: RowScope?, receipt: WriteReceipt?, in table: Table,
        into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        guard try await makeFresh(of: table, { id.fits($0) }) else { return WriteResult(.missing, row) }
        return try await perform(
            RowWrite(.delete, of: id, in: table.name, if: precondition, scope: scope, receipt: receipt), into: row)
    }

    /// Reads the row first and the receipt of its version second: the row is then as it was when it was read.
    public func recall<Row: RowVisitor>(
        _ write: RepeatableWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>? {
        let now = clock()
        return try await readRow(of: table) { connection, table throws(TableError) -> RowWriteResult? in
            var found: FoundRow?
            if !write.receipt.isOnce {
                guard let id = write.id, id.fits(table) else { return nil }
                found = try connection.find(id, in: table, scope: write.scope)
            }
            guard let kept = try connection.kept(write.receipt, of: found?.state.version, now: now) else { return nil }
            let answer = kept.answer(to: write, found: found?.state, in: table.rules)
            return answer?.written(found: found?.row)
        }?.result(into: row)
    }

    private func perform<Row: RowVisitor>(
        _ write: RowWrite, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        let written = try await writer.write(.oneRow) { session throws(TableError) in try session.perform(write) }
        if written.isRepeat { watch.answeredRepeat() }
        return written.result(into: row)
    }

    /// What an update that sets nothing comes to.
    private func readInstead<Row: RowVisitor>(
        of write: RowWrite, _ id: RowID, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try await readRow(of: table) { connection, table throws(TableError) -> RowWriteResult? in
            let found = try connection.find(id, in: table, scope: write.scope)
            let verdict = WriteVerdict(on: write.demand, found: found?.state, in: table.rules)
            return RowWriteResult(outcome: try verdict.refusal() ?? .written, row: found?.row, isRepeat: false)
        }?.result(into: row) ?? WriteResult(.missing, row)
    }

    /// Reads a row of a table as it stands.
    private func readRow(
        of table: Table,
        _ read: @escaping @Sendable (SQLiteConnection, Table) throws(TableError) -> RowWriteResult?
    ) async throws(TableError) -> RowWriteResult? {
        let found = try await readFresh(table) { table throws(TableError) -> RowWriteResult?? in
            try await self.read { [catalog] connection throws(TableError) in
                try connection.reading(table, of: catalog) { () throws(TableError) in try read(connection, table) }
            }
        }
        return found
    }
}
