public import Scalars
public import Tables

/// Decides what an import writes: which rows, whether they replace others, and with which stamps.
public struct ImportPlan: Sendable {
    /// A row to write.
    private struct Step {
        /// The row; `updatedAt` and `version` are nil if new ones are to be assigned.
        let row: ImportRow
        /// Whether it replaces a row of the table with its id.
        let replaces: Bool
    }

    /// Columns to be added to the table first.
    let newColumns: [Column]

    /// The rows to write, in order.
    private var steps: [Step] = []
    /// The number of rows by result.
    private(set) var counts = ImportCounts()
    /// The index of the first row that already exists, if the rule refuses that; then nothing is to be written.
    private(set) var takenIndex: Int?
    /// The table's own counters that are imported.
    private let marks: TransferMarks
    /// The highest imported version.
    public private(set) var highestVersion: Version?
    /// The latest imported stamp.
    public private(set) var latestStamp: Instant?
    private var given: Set<Instant> = []
    /// Where to continue the search for a free stamp, by the stamp that was wanted.
    private var nextFree: [Instant: Instant] = [:]

    private static let searchedAtOnce = 1_000

    /// Examines the table and decides.
    init<Connection: SQLConnection>(
        _ batch: ImportBatch, for table: Table, on connection: Connection
    ) throws(Connection.Failure) {
        guard batch.rows.allSatisfy({ $0.id.fits(table) }) else {
            throw .table(.failed(detail: "rows for \(table.name) with ids of another kind"))
        }
        newColumns = batch.columns.filter { table.column($0.name) == nil }
        guard table.columns.count + newColumns.count <= Table.maximumColumns else {
            throw .table(.tooManyColumns(limit: Table.maximumColumns))
        }
        marks = batch.renews ? TransferMarks() : batch.marks
        (highestVersion, latestStamp) = (marks.version, marks.lastStamp)
        let existing = try connection.stamps(of: batch.rows.map(\.id), in: table)
        let stamps = batch.rows.map { batch.renews ? nil : $0.updatedAt }
        let wanted = stamps.indices.filter { stamps[$0] != nil && (existing[$0] == nil || batch.rule != .skip) }
        let taken = Set(try connection.taken(wanted.compactMap { stamps[$0] }, in: table).map { wanted[$0] })
        var seen: [RowID: Instant] = [:]
        for (index, row) in batch.rows.enumerated() {
            if row.isDeleted, !table.rules.softDelete {
                counts.tombstonesLeftOut += 1
                continue
            }
            let before = seen[row.id] ?? existing[index]
            if let before {
                switch batch.rule {
                case .refuse:
                    takenIndex = index
                    return
                case .skip:
                    counts.skipped += 1
                    continue
                case .newer where before >= row.updatedAt ?? before:
                    counts.skipped += 1
                    continue
                case .replace, .newer: break
                }
            }
            var row = row
            if batch.renews {
                row.updatedAt = nil
                row.version = nil
            } else if let stamp = row.updatedAt {
                // A replaced row may keep its own stamp.
                let isTaken = given.contains(stamp) || (taken.contains(index) && existing[index] != stamp)
                if isTaken {
                    row.updatedAt = try free(after: stamp, in: table, on: connection)
                    counts.movedStamps += 1
                }
                if let kept = row.updatedAt { given.insert(kept) }
            }
            seen[row.id] = row.updatedAt ?? .distantFuture
            highestVersion = [highestVersion, row.version].compactMap(\.self).max()
            latestStamp = [latestStamp, row.updatedAt].compactMap(\.self).max()
            if before == nil { counts.inserted += 1 } else { counts.replaced += 1 }
            steps.append(Step(row: row, replaces: before != nil))
        }
    }

    /// The number of versions to assign.
    public var newVersions: Int { steps.count { $0.row.version == nil } }
    /// The number of stamps to assign.
    public var newStamps: Int { steps.count { $0.row.updatedAt == nil } }

    /// Returns the statements that write the rows; nil if there are too few numbers.
    func writes(
        _ versions: [Version], _ stamps: [Instant], into table: Table, dialect: any SQLDialect
    ) -> [SQLText]? {
        var (versions, stamps) = (versions[...], stamps[...])
        var statements: [SQLText] = []
        for step in steps {
            guard let version = step.row.version ?? versions.popFirst(),
                let stamp = step.row.updatedAt ?? stamps.popFirst()
            else { return nil }
            let renewal = VersionBump(version: version, stamp: stamp)
            if step.replaces {
                statements += step.row.replacement(renewal, in: table, dialect: dialect)
            } else {
                statements.append(step.row.insertion(renewal, into: table, dialect: dialect))
            }
        }
        return statements
    }

    /// Returns the statements to run once the rows are written and the last version is in the database.
    func endings(of batch: ImportBatch, into table: Table, dialect: any SchemaDialect) -> [SQLText] {
        var statements: [SQLText] = []
        let numbers = steps.map { step -> Int64 in if case .integer(let number) = step.row.id { number } else { 0 } }
        if table.rules.autoIncrement, let number = (numbers + [marks.lastNumber ?? 0]).max(), number > 0 {
            // Numbers of removed rows are not reused.
            statements += dialect.raiseNumber(to: number, of: table.name)
        }
        if let fence = marks.purgedThrough {
            statements.append(SQLText(TombstoneStatements.moveFence(of: table.name, to: fence), dialect))
        }
        if steps.contains(where: { $0.row.updatedAt != nil }) {
            // Data recovered from a damaged file may lack the last version.
            statements.append(
                SQLText(
                    """
                    UPDATE zumod_tables SET imported_through = coalesce((\(dialect.lastVersion)), imported_through) \
                    WHERE name = \(.text(table.name.text))
                    """, dialect))
        }
        if let progress = batch.progress { statements.append(progress.keep(of: table.name, dialect: dialect)) }
        return statements
    }

    /// Returns the first millisecond after a stamp that no row has. Later is safe: clients just read such a row again.
    private mutating func free<Connection: SQLConnection>(
        after stamp: Instant, in table: Table, on connection: Connection
    ) throws(Connection.Failure) -> Instant {
        var candidate = nextFree[stamp] ?? stamp.next
        search: while true {
            let taken = try connection.stamps(from: candidate, limit: Self.searchedAtOnce, in: table)
            var others = taken[...]
            while others.first == candidate || given.contains(candidate) {
                while others.first == candidate { others.removeFirst() }
                candidate = candidate.next
                if others.isEmpty, taken.count == Self.searchedAtOnce { continue search }
            }
            nextFree[stamp] = candidate.next
            return candidate
        }
    }
}

extension SQLConnection {
    /// Returns the stamps of those rows that a table already has, by index among the ids; a stamp that can't be parsed
    /// counts as the earliest.
    public func stamps(of ids: [RowID], in table: Table) throws(Failure) -> [Int: Instant] {
        let found = try rows(of: ids.map { "SELECT \"updatedAt\" FROM \(table.name) WHERE \"id\" = \($0.value)" })
        var stamps: [Int: Instant] = [:]
        for (index, rows) in found.enumerated() {
            if let row = rows.first { stamps[index] = row.date(0) ?? Instant(milliseconds: .min) }
        }
        return stamps
    }

    /// Returns the indexes of the stamps that rows of the table have.
    fileprivate func taken(_ stamps: [Instant], in table: Table) throws(Failure) -> [Int] {
        let found = try rows(
            of: stamps.map {
                "SELECT \"updatedAt\" FROM \(table.name) WHERE \"updatedAt\" = \(.date($0)) LIMIT 1"
            })
        return found.indices.filter { !found[$0].isEmpty }
    }

    /// Returns stamps of the table's rows, from one on in order, up to a limit. Invalid ones are left out.
    fileprivate func stamps(from first: Instant, limit: Int, in table: Table) throws(Failure) -> [Instant] {
        try rows(
            of: """
                SELECT "updatedAt" FROM \(table.name) WHERE "updatedAt" >= \(.date(first)) ORDER BY "updatedAt" \
                LIMIT \(.integer(Int64(limit)))
                """
        ).compactMap { $0.date(0) }
    }
}

extension TransferProgress {
    /// Returns the statement that stores the progress of a copy.
    fileprivate func keep(of table: Identifier, dialect: any SQLDialect) -> SQLText {
        SQLText(
            """
            INSERT INTO zumod_transfers (table_name, source, position, row_count) \
            VALUES (\(.text(table.text)), \(.text(source)), \(.text(position)), \(.integer(rowCount))) \
            ON CONFLICT (table_name, source) \
            DO UPDATE SET position = excluded.position, row_count = excluded.row_count
            """, dialect)
    }
}

extension Instant {
    fileprivate static let distantFuture = Instant(milliseconds: .max)
}
