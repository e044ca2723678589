import OData
import TableSQL
public import Tables

extension SQLiteTableStore: TransferStore {
    /// Writes the rows on the writer's thread, as one member of a commit.
    public func importRows(_ batch: ImportBatch, into table: Table) async throws(TableError) -> ImportOutcome {
        guard batch.rows.allSatisfy({ $0.id.fits(table) }) else {
            throw .failed(detail: "rows for \(table.name) with ids of another kind")
        }
        return try await writer.write { session throws(TableError) in
            try session.importRows(batch, into: table.name)
        }
    }

    /// Looks for each id by itself.
    public func firstTaken(of ids: [RowID], in table: Table) async throws(TableError) -> Int? {
        try await read { connection throws(TableError) in
            try SQLiteImportGround(table: table, connection: connection).stampsOfExisting(ids).keys.min()
        }
    }

    /// Reads what the last batch of the copy left.
    public func transferProgress(
        of table: Table, from source: String
    ) async throws(TableError) -> TransferProgress? {
        try await read { connection throws(TableError) in
            var found: TransferProgress?
            try connection.query(
                "SELECT position, row_count FROM zumod_transfers WHERE table_name = ?1 AND source = ?2",
                [.text(table.name.text), .text(source)]
            ) { found = TransferProgress(source: source, position: $0.string(at: 0), rowCount: $0.integer(at: 1)) }
            return found
        }
    }
}

extension WriteSession {
    fileprivate func importRows(_ batch: ImportBatch, into name: Identifier) throws(TableError) -> ImportOutcome {
        var table = try table(named: name)
        let missing = batch.columns.filter { table.column($0.name) == nil }
        guard table.columns.count + missing.count <= Table.maximumColumns else {
            throw .tooManyColumns(limit: Table.maximumColumns)
        }
        let plan = try ImportPlan(batch, for: table, on: SQLiteImportGround(table: table, connection: connection))
        if let index = plan.takenIndex { return .taken(index: index) }
        table = try widen(table, by: missing)
        // Before any new number is taken, so that every one of those is past all that are kept.
        let marks = batch.renews ? TransferMarks() : batch.marks
        _ = raise(
            version: [plan.highestVersion, marks.version].compactMap(\.self).max(),
            stamp: [plan.latestStamp, marks.lastStamp].compactMap(\.self).max(), of: table.name)
        for step in plan.steps { try write(step, into: table) }
        if let fence = marks.purgedThrough { try movePurgeFence(of: table.name, to: fence) }
        if let number = marks.lastNumber, table.rules.autoIncrement { try skipNumbers(to: number, of: table.name) }
        if plan.steps.contains(where: { $0.row.updatedAt != nil }) {
            let last = raise(version: nil, stamp: nil, of: table.name)
            try connection.run(
                "UPDATE zumod_tables SET imported_through = ?1 WHERE name = ?2",
                [.integer(last.counter), .text(table.name.text)])
        }
        if let progress = batch.progress { try keep(progress, of: table.name) }
        return .written(plan.counts)
    }

    private func write(_ step: ImportPlan.Step, into table: Table) throws(TableError) {
        var renewal: Renewal
        if let version = step.row.version, let stamp = step.row.updatedAt {
            renewal = Renewal(version: version, stamp: stamp)
        } else {
            renewal = try self.renewal(of: table.name)
            renewal = Renewal(
                version: step.row.version ?? renewal.version, stamp: step.row.updatedAt ?? renewal.stamp)
        }
        if step.replaces {
            for statement in ReplaceStatements(step.row, renewal: renewal, in: table, dialect: dialect).all {
                try connection.run(statement)
            }
        } else {
            try connection.run(ImportStatement(step.row, renewal: renewal, into: table, dialect: dialect).sql)
        }
    }

    /// Numbers of rows that are gone are not given again. SQLite keeps the last one by the table's name as it was made.
    func skipNumbers(to number: Int64, of table: Identifier) throws(TableError) {
        try connection.run(
            """
            INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_master
            WHERE type = 'table' AND lower(name) = lower(?1)
                AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE lower(name) = lower(?1))
            """, [.text(table.text)])
        try connection.run(
            "UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE lower(name) = lower(?2)",
            [.integer(number), .text(table.text)])
    }

    private func keep(_ progress: TransferProgress, of table: Identifier) throws(TableError) {
        try connection.run(
            """
            INSERT INTO zumod_transfers (table_name, source, position, row_count) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (table_name, source) DO UPDATE SET position = excluded.position, row_count = excluded.row_count
            """,
            [.text(table.text), .text(progress.source), .text(progress.position), .integer(progress.rowCount)])
    }

    /// Takes note that tombstones are gone up to a stamp.
    func movePurgeFence(of table: Identifier, to stamp: Instant) throws(TableError) {
        try connection.run(
            "UPDATE zumod_tables SET purged_through = max(coalesce(purged_through, ?1), ?1) WHERE name = ?2",
            [.integer(stamp.milliseconds), .text(table.text)])
    }
}

/// What the writer's connection knows of rows in an import's way.
private struct SQLiteImportGround: ImportGround {
    let table: Table
    let connection: SQLiteConnection

    func stampsOfExisting(_ ids: [RowID]) throws(TableError) -> [Int: Instant] {
        var found: [Int: Instant] = [:]
        for (index, id) in ids.enumerated() {
            let statement = FindStampStatement(id, in: table, dialect: SQLiteDialect()).sql
            try connection.query(statement.text, statement.bindings) { row in
                found[index] = Instant(row.string(at: 0)) ?? Instant(milliseconds: .min)
            }
        }
        return found
    }

    func taken(_ stamps: [Instant]) throws(TableError) -> Set<Int> {
        var taken: Set<Int> = []
        for (index, stamp) in stamps.enumerated() {
            let statement = ListStampsStatement(
                from: stamp, isExact: true, limit: 1, in: table, dialect: SQLiteDialect()
            ).sql
            try connection.query(statement.text, statement.bindings) { _ in taken.insert(index) }
        }
        return taken
    }

    func stamps(from first: Instant, limit: Int) throws(TableError) -> [Instant] {
        let statement = ListStampsStatement(
            from: first, isExact: false, limit: limit, in: table, dialect: SQLiteDialect()
        ).sql
        var stamps: [Instant] = []
        try connection.query(statement.text, statement.bindings) { row in
            // What is no stamp sorts behind all of them and takes none.
            if let stamp = Instant(row.string(at: 0)) { stamps.append(stamp) }
        }
        return stamps
    }
}
