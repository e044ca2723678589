import TableSQL
public import Tables

extension SQLiteTableStore: TransferStore {
    /// Writes the rows on the writer's thread, as one member of a batch.
    public func importRows(_ batch: ImportBatch, into table: Table) async throws(TableError) -> ImportOutcome {
        try await writer.write { session throws(TableError) in
            try session.importRows(batch, into: session.table(named: table.name))
        }
    }

    /// Looks up each id individually.
    public func firstTaken(of ids: [RowID], in table: Table) async throws(TableError) -> Int? {
        try await read { connection throws(TableError) in
            try connection.stamps(of: ids, in: table).keys.min()
        }
    }
}

extension WriteSession: ImportTransaction {
    func run(_ writes: [SQLText]) throws(TableError) {
        try withNumbers { () throws(TableError) in _ = try connection.rows(of: writes) }
    }
}
