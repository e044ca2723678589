public import OData
import TableSQL
public import Tables

extension SQLiteTableStore: TombstoneStore {
    /// Counts on a thread of the pool.
    public func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64 {
        let statement = TombstoneStatement.count(before: before, in: table, dialect: SQLiteDialect())
        return try await readSlowly { connection throws(TableError) in
            try connection.withStatement(statement) { row throws(TableError) in
                try row.step() ? row.integer(at: 0) : 0
            }
        }
    }

    /// Looks for tombstones beside the writer, which then only removes those that were found.
    public func purgeTombstones(
        of table: Table, from start: Instant?, before: Instant, limit: Int
    ) async throws(TableError) -> PurgeStep {
        let list = TombstoneStatement.list(
            from: start, before: before, limit: limit, in: table, dialect: SQLiteDialect())
        let isIntegral = table.rules.autoIncrement
        let found = try await readSlowly { connection throws(TableError) in
            var found: [(id: RowID, stamp: Instant)] = []
            try connection.query(list.text, list.bindings) { row in
                // What a SQL shell left as a stamp tells no age.
                guard let stamp = Instant(row.string(at: 1)) else { return }
                found.append((isIntegral ? .integer(row.integer(at: 0)) : .text(row.string(at: 0)), stamp))
            }
            return found
        }
        guard let last = found.last?.stamp else { return PurgeStep(removed: 0, next: nil) }
        return try await writer.write { session throws(TableError) in
            let references = try session.connection.references(to: table.name)
            var removed = 0
            var fence: Instant?
            var kept: [KeptTombstone] = []
            try session.removing(from: table.name) { () throws(TableError) in
                for (id, stamp) in found {
                    switch try session.purge(id, before: before, unless: references, in: table) {
                    case .gone:
                        removed += 1
                        fence = max(fence ?? stamp, stamp)
                    case .kept(let reason): kept.append(KeptTombstone(id: id, reason: reason))
                    case .noTombstone: continue
                    }
                }
            }
            if let fence { try session.movePurgeFence(of: table.name, to: fence) }
            return PurgeStep(removed: removed, next: found.count < limit ? nil : last, kept: kept)
        }
    }

    private func readSlowly<Success: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(TableError) -> Success
    ) async throws(TableError) -> Success {
        guard let readers else { return try await writer.read(body) }
        return try await pool.run(by: "", limit: Self.purgeLimit) { _ throws(TableError) in try readers.read(body) }
    }

    /// Nobody waits for a purge: it has its turn when others have had theirs.
    private static let purgeLimit = Duration.seconds(60)
}

/// What became of a tombstone that was to go.
private enum Purged {
    case gone
    case kept(reason: String)
    /// It is a live row again, or gone already.
    case noTombstone
}

extension WriteSession {
    /// A row that the database won't let go, as a trigger of another program may have it, is no trouble to the others.
    fileprivate func purge(
        _ id: RowID, before: Instant, unless references: [RowReference], in table: Table
    ) throws(TableError) -> Purged {
        let remove = RemoveStatement(
            id, tombstoneBefore: before, unless: references, in: table, dialect: dialect
        ).sql
        var isGone = false
        do throws(TableError) {
            try savepoint { session throws(TableError) in
                try session.connection.query(remove.text, remove.bindings) { _ in isGone = true }
            }
        } catch {
            guard case .failed(let detail) = error, connection.isInTransaction else { throw error }
            return .kept(reason: detail)
        }
        if isGone { return .gone }
        guard !references.isEmpty else { return .noTombstone }
        let why = ReferredTombstoneStatement(id, before: before, by: references, in: table, dialect: dialect).sql
        var reference: RowReference?
        try connection.query(why.text, why.bindings) { reference = references[Int($0.integer(at: 0))] }
        return reference.map { .kept(reason: KeptTombstone(id: id, referredToBy: $0.table).reason) } ?? .noTombstone
    }
}

extension SQLiteConnection {
    /// The foreign keys by which rows refer to rows of a table, whether SQLite is told to look after them or not.
    fileprivate func references(to table: Identifier) throws(TableError) -> [RowReference] {
        var found = RowReference.Gathering()
        // A key of a column that isn't there refers to no row.
        try query(
            """
            SELECT m.name, lower(m.name) = lower(?1), k.id, k."from", coalesce(k."to", 'id')
            FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS k
            WHERE m.type = 'table' AND lower(k."table") = lower(?1)
                AND lower(coalesce(k."to", 'id')) IN (SELECT lower(name) FROM pragma_table_xinfo(?1))
            ORDER BY m.name, k.id, k.seq
            """, [.text(table.text)]
        ) { row in
            found.add(
                schema: nil, table: row.string(at: 0), isOwn: row.integer(at: 1) != 0, number: row.integer(at: 2),
                own: row.string(at: 3), other: row.string(at: 4))
        }
        return found.references
    }
}
