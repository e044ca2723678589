public import Scalars
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

    /// Nobody waits for a purge: it has its turn when others have had theirs.
    private static let purgeLimit = Duration.seconds(60)
}

/// What became of a tombstone that was to go.
private enum PurgeOutcome {
    case gone
    case kept(reason: String)
    /// It is a live row again, or gone already.
    case noTombstone
}

extension WriteSession {
    /// A row that the database won't let go, as a trigger of another program may have it, is no trouble to the others.
    fileprivate func purge(
        _ id: RowID, before: Instant, unless references: [RowReference], in table: Table
    ) throws(TableError) -> PurgeOutcome {
        let remove = TombstoneStatement.remove(
            id, before: before, unless: references, in: table, dialect: dialect)
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
        let why = TombstoneStatement.reference(to: id, before: before, by: references, in: table, dialect: dialect)
        var reference: RowReference?
        try connection.query(why.text, why.bindings) { reference = references[Int($0.integer(at: 0))] }
        return reference.map { .kept(reason: RetainedTombstone(id: id, referredToBy: $0.table).reason) } ?? .noTombstone
    }
}

extension SQLiteConnection {
    /// The foreign keys by which rows refer to rows of a table, whether SQLite is told to look after them or not.
    fileprivate func references(to table: Identifier) throws(TableError) -> [RowReference] {
        var columns: [String] = []
        try query(PragmaStatement.allColumns(of: table.text)) { columns.append($0.string(at: 1).lowercased()) }
        var names: [String] = []
        try query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
            names.append($0.string(at: 0))
        }
        var found = RowReference.Gathering()
        for name in names {
            try query(PragmaStatement.foreignKeys(of: name)) { row in
                let other = row.kind(at: 4) == .null ? "id" : row.string(at: 4)
                // A key of a column that isn't there refers to no row.
                guard Identifier(row.string(at: 2)) == table, columns.contains(other.lowercased()) else { return }
                found.add(
                    schema: nil, table: name, isOwn: Identifier(name) == table, number: row.integer(at: 0),
                    own: row.string(at: 3), other: other)
            }
        }
        return found.references
    }
}
