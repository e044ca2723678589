import Scalars
import TableSQL
public import Tables

extension SQLiteTableStore: TransferStore {
    /// Writes the rows on the writer's thread, as one member of a batch.
    public func importRows(_ batch: ImportBatch, into table: Table) async throws(TableError) -> ImportOutcome {
        guard batch.rows.allSatisfy({ $0.id.fits(table) }) else {
            throw .failed(detail: "rows for \(table.name) with ids of another kind")
        }
        return try await writer.write { session throws(TableError) in
            try session.importRows(batch, into: table.name)
        }
    }

    /// Looks up each id individually.
    public func firstTaken(of ids: [RowID], in table: Table) async throws(TableError) -> Int? {
        try await read { connection throws(TableError) in
            try connection.stamps(of: ids, in: table).keys.min()
        }
    }
}

extension WriteSession {
    fileprivate func importRows(_ batch: ImportBatch, into name: Identifier) throws(TableError) -> ImportOutcome {
        var table = try table(named: name)
        let plan = try ImportPlan(batch, for: table, on: connection)
        if let index = plan.takenIndex { return .taken(index: index) }
        table = try widen(table, by: plan.newColumns)
        // Before a new number is assigned, so that all new ones are higher than those that are kept.
        raise(version: plan.highestVersion, stamp: plan.latestStamp, of: table.name)
        for step in plan.steps { try write(step, into: table) }
        try withNumbers { () throws(TableError) in
            _ = try connection.rows(of: plan.endings(of: batch, into: table, dialect: dialect))
        }
        return .written(plan.counts)
    }

    private func write(_ step: ImportPlan.Step, into table: Table) throws(TableError) {
        var renewal: VersionBump
        if let version = step.row.version, let stamp = step.row.updatedAt {
            renewal = VersionBump(version: version, stamp: stamp)
        } else {
            renewal = try self.renewal(of: table.name)
            renewal = VersionBump(
                version: step.row.version ?? renewal.version, stamp: step.row.updatedAt ?? renewal.stamp)
        }
        for statement in step.statements(renewal, into: table, dialect: dialect) { try connection.run(statement) }
    }

    /// Records that tombstones have been removed up to a stamp.
    func movePurgeFence(of table: Identifier, to stamp: Instant) throws(TableError) {
        try connection.run(TombstoneStatement.moveFence(of: table, to: stamp, dialect: dialect))
    }
}
