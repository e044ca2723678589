public import Scalars
import TableSQL
public import Tables

extension SQLiteTableStore: TombstoneStore {
    /// Counts on a thread of the pool.
    public func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64 {
        let statement = TombstoneStatement.count(before: before, in: table, dialect: SQLiteDialect())
        return try await readSlowly { connection throws(TableError) in
            try connection.rows(of: statement).first?.integer(0) ?? 0
        }
    }

    /// Searches for tombstones outside the writer, which then only removes those that were found.
    public func purgeTombstones(
        of table: Table, from start: Instant?, before: Instant, limit: Int
    ) async throws(TableError) -> PurgeStep {
        let list = TombstoneStatement.list(
            from: start, before: before, limit: limit, in: table, dialect: SQLiteDialect())
        let found = try await readSlowly { connection throws(TableError) in
            Tombstone.all(of: try connection.rows(of: list), in: table)
        }
        guard let last = found.last?.stamp else { return PurgeStep(removed: 0, next: nil) }
        return try await writer.write { session throws(TableError) in
            let references = try session.connection.references(to: table.name)
            var free: Set<RowID> = []
            if !references.isEmpty {
                let list = TombstoneStatement.list(
                    from: start, before: before, limit: limit, unless: references, in: table, dialect: session.dialect)
                free = Set(Tombstone.all(of: try session.connection.rows(of: list), in: table).map(\.id))
            }
            var removed = 0
            var fence: Instant?
            var kept: [RetainedTombstone] = []
            try session.removing(from: table.name) { () throws(TableError) in
                for tombstone in found {
                    let (id, stamp) = (tombstone.id, tombstone.stamp)
                    let isFree = free.contains(id)
                    switch try session.purge(id, before: before, unless: isFree ? [] : references, in: table) {
                    case .gone:
                        removed += 1
                        fence = max(fence ?? stamp, stamp)
                    case .kept(let reason): kept.append(RetainedTombstone(id: id, reason: reason))
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

    /// A purge isn't urgent: it gets its turn after others.
    private static let purgeLimit = Duration.seconds(60)
}

/// The outcome for a tombstone that was to be removed.
private enum PurgeOutcome {
    case gone
    case kept(reason: String)
    /// It is a live row again, or has been removed already.
    case noTombstone
}

extension WriteSession {
    /// Removes a tombstone. If the database refuses, such as by another program's trigger, the others can still go.
    fileprivate func purge(
        _ id: RowID, before: Instant, unless references: [RowReference], in table: Table
    ) throws(TableError) -> PurgeOutcome {
        let remove = TombstoneStatement.remove(
            id, before: before, unless: references, in: table, dialect: dialect)
        var isGone = false
        do throws(TableError) {
            isGone = try !savepoint { session throws(TableError) in try session.connection.rows(of: remove) }.isEmpty
        } catch {
            guard case .failed(let detail) = error, connection.isInTransaction else { throw error }
            return .kept(reason: detail)
        }
        if isGone { return .gone }
        guard !references.isEmpty else { return .noTombstone }
        let why = TombstoneStatement.reference(to: id, before: before, by: references, in: table, dialect: dialect)
        guard let place = try connection.rows(of: why).first?.integer(0) else { return .noTombstone }
        return .kept(reason: RetainedTombstone(id: id, referredToBy: references[Int(place)].table).reason)
    }
}

extension SQLiteConnection {
    /// Returns the foreign keys by which rows refer to rows of a table, whether or not SQLite enforces them.
    fileprivate func references(to table: Identifier) throws(TableError) -> [RowReference] {
        let columns = try rows(PragmaStatement.allColumns(of: table.text)).map { $0.words(1).lowercased() }
        let tables = try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        var found: [RowReference] = []
        for name in tables.map({ $0.words(0) }) {
            for row in try rows(PragmaStatement.foreignKeys(of: name)) {
                let other = row.text(4) ?? "id"
                // A key to a column that doesn't exist refers to no row.
                guard Identifier(row.words(2)) == table, columns.contains(other.lowercased()) else { continue }
                found.add(
                    schema: nil, table: name, isOwn: Identifier(name) == table, number: row.integer(0) ?? 0,
                    own: row.words(3), other: other)
            }
        }
        return found
    }
}
