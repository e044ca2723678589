import OData
import TableSQL
public import Tables

extension PostgresTableStore {
    /// Makes a table under the schema's lock, so that of any number of servers one makes it.
    public func createTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        try watch.check()
        if let existing = catalog.table(named: definition.name) { return existing }
        try definition.check()
        return try await pool.run { [catalog, reader, clock] connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection).run { connection throws(PostgresFailure) in
                // Another caller's or server's may have been made since.
                try reader.load(into: catalog, on: connection)
                if catalog.table(named: definition.name) != nil { return }
                let preparation = SchemaPreparation(
                    connection: connection, catalog: catalog, reader: reader, now: clock())
                try preparation.prepare(definition, origin: .client)
            }
            reader.serve(definition.name)
            try reader.load(into: catalog, on: connection)
            guard let table = catalog.table(named: definition.name) else {
                throw .table(.failed(detail: "the table \(definition.name) was made but is not served"))
            }
            return table
        }
    }

    /// Writes a new row on the thread of its table.
    public func insert<Row: RowVisitor>(
        _ properties: [Property], id: RowID?, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try watch.check()
        guard id.map({ $0.fits(table) }) ?? table.rules.autoIncrement else {
            throw .failed(detail: "an insert into \(table.name) without an id of its kind")
        }
        let changes = try changes(from: properties, for: .insert, in: table)
        let write = RowWrite(action: .insert, table: table.name, id: id, properties: properties, changes: changes)
        return try await writers.write(write, into: row)
    }

    /// Sets columns on the thread of the row's table; without properties it only reads.
    public func update<Row: RowVisitor>(
        _ id: RowID, set properties: [Property], if precondition: Precondition, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try watch.check()
        let changes = try changes(from: properties, for: .update, in: table)
        guard id.fits(table) else { return WriteResult(.missing, row) }
        if properties.isEmpty { return try await readInstead(of: id, if: precondition, in: table, into: row) }
        let write = RowWrite(
            action: .update, table: table.name, id: id, properties: properties, changes: changes,
            precondition: precondition)
        return try await writers.write(write, into: row)
    }

    /// Removes a row, or makes it a tombstone, on the thread of its table.
    public func delete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try watch.check()
        guard id.fits(table) else { return WriteResult(.missing, row) }
        let write = RowWrite(action: .delete, table: table.name, id: id, precondition: precondition)
        return try await writers.write(write, into: row)
    }

    /// Makes a tombstone live again on the thread of its table.
    public func undelete<Row: RowVisitor>(
        _ id: RowID, if precondition: Precondition, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try watch.check()
        guard id.fits(table) else { return WriteResult(.missing, row) }
        let write = RowWrite(action: .undelete, table: table.name, id: id, precondition: precondition)
        return try await writers.write(write, into: row)
    }

    private func changes(
        from properties: [Property], for kind: WriteKind, in table: Table
    ) throws(TableError) -> RowChanges {
        try catalog.current(table).table.changes(from: properties, for: kind)
    }

    /// What an update without properties comes to.
    private func readInstead<Row: RowVisitor>(
        of id: RowID, if precondition: Precondition, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row> {
        try await read(table) { table throws(PostgresFailure) in
            [FindStatement(id, in: table, includeDeleted: true, dialect: PostgresDialect()).sql]
        } then: { table, results in
            let refusal = results[0].refusal(if: precondition, in: table, allowsTombstone: false)
            guard refusal != .missing else { return WriteResult(.missing, row) }
            var row = row
            results[0].visit(table.fields, into: &row)
            return WriteResult(refusal ?? .written, row)
        }
    }
}
