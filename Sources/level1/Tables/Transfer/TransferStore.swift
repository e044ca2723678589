public import Scalars

/// A store that takes whole rows as another database had them: id, version, stamps and tombstones.
public protocol TransferStore: TableStore {
    /// Writes rows of one table, all of them or none, in one transaction.
    ///
    /// The database's version counter and the table's last stamp move past all that is written, so that every later
    /// write is newer. Columns of the batch that the table lacks are added.
    func importRows(_ batch: ImportBatch, into table: Table) async throws(TableError) -> ImportOutcome

    /// The position of the first of the ids that the table has, live or tombstone; nil if it has none of them.
    func firstTaken(of ids: [RowID], in table: Table) async throws(TableError) -> Int?

    /// How far a copy from another server has come; nil if none was begun.
    func transferProgress(of table: Table, from source: String) async throws(TableError) -> TransferProgress?
}

/// A row as it comes from another database.
public struct ImportRow: Sendable, Equatable {
    /// The id.
    public var id: RowID
    /// When the row was created; nil takes its stamp, or keeps that of an existing row.
    public var createdAt: Instant?
    /// The stamp to keep; nil for a new one. Where another row has the stamp, the next free millisecond is taken.
    public var updatedAt: Instant?
    /// The version to keep; nil for a new one.
    public var version: Version?
    /// Whether the row is a tombstone.
    public var isDeleted: Bool
    /// Whether that is known; an existing row stays what it is if it isn't.
    public var saysWhetherDeleted = true
    /// The columns that the row says something of. Others are null in a new row, and stay in one that is there already.
    public var assignments: [RowChanges.Assignment]

    /// Puts a row together.
    public init(
        id: RowID, createdAt: Instant?, updatedAt: Instant?, version: Version?, isDeleted: Bool,
        assignments: [RowChanges.Assignment]
    ) {
        self.id = id
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
        self.isDeleted = isDeleted
        self.assignments = assignments
    }

    /// The latest stamp that is taken over: beyond it there would be no room for the stamps of later writes.
    public static let latestStamp = Instant(milliseconds: 221_845_392_000_000)  // 9000-01-01

    /// The highest version that is taken over: beyond it there would be no room for the versions of later writes.
    public static let highestVersion = Version(counter: 1 << 62)
}

/// What happens to a row whose id the table already has.
public enum ExistingRowRule: Sendable {
    /// Nothing is written, and the first such row is reported.
    case refuse
    /// The table's row stays.
    case skip
    /// The table's row says what this one says.
    case replace
    /// The row with the later stamp stays.
    case newer
}

/// Rows for one table.
public struct ImportBatch: Sendable {
    /// The rows, in the order in which new stamps and versions are given.
    public var rows: [ImportRow]
    /// Columns that the table has to have.
    public var columns: [Column]
    /// What happens to rows that are there already.
    public var rule: ExistingRowRule
    /// Every row gets a new version and stamp, instead of its own.
    public var renews: Bool
    /// How far the other database's numbers have come, if it tells.
    public var marks: TransferMarks
    /// What to remember of a copy, in the same transaction.
    public var progress: TransferProgress?

    /// Puts a batch together.
    public init(
        rows: [ImportRow], columns: [Column] = [], rule: ExistingRowRule = .refuse, renews: Bool = false,
        marks: TransferMarks = TransferMarks(), progress: TransferProgress? = nil
    ) {
        self.rows = rows
        self.columns = columns
        self.rule = rule
        self.renews = renews
        self.marks = marks
        self.progress = progress
    }
}

/// The numbers of a database besides its rows.
public struct TransferMarks: Sendable, Equatable {
    /// The highest version that was given to any row of any table.
    public var version: Version?
    /// The table's last stamp.
    public var lastStamp: Instant?
    /// The stamp up to which tombstones of the table were purged; nil if none were.
    public var purgedThrough: Instant?

    /// The last number that was given to a row of a table that numbers its rows.
    public var lastNumber: Int64?

    /// Puts marks together.
    public init(
        version: Version? = nil, lastStamp: Instant? = nil, purgedThrough: Instant? = nil, lastNumber: Int64? = nil
    ) {
        self.version = version
        self.lastStamp = lastStamp
        self.purgedThrough = purgedThrough
        self.lastNumber = lastNumber
    }
}

/// How far a copy from another server has come.
public struct TransferProgress: Sendable, Equatable {
    /// Where the rows come from.
    public var source: String
    /// Where to continue, in the copier's own words.
    public var position: String
    /// Rows that were read so far.
    public var rowCount: Int64

    /// Puts a progress together.
    public init(source: String, position: String, rowCount: Int64) {
        self.source = source
        self.position = position
        self.rowCount = rowCount
    }
}

/// What became of a batch.
public enum ImportOutcome: Sendable, Equatable {
    case written(ImportCounts)
    /// The row at this place of the batch is there already; nothing was written.
    case taken(index: Int)
}

/// Rows by what became of them.
public struct ImportCounts: Sendable, Equatable {
    /// New rows.
    public var inserted = 0
    /// Rows that replaced others with their ids.
    public var replaced = 0
    /// Rows whose ids the table already has.
    public var skipped = 0
    /// Tombstones for a table without soft delete, where they would be live rows.
    public var tombstonesLeftOut = 0
    /// Rows whose stamp another row had.
    public var movedStamps = 0

    /// Nothing yet.
    public init() {}

    /// Both together.
    public static func += (left: inout ImportCounts, right: ImportCounts) {
        left.inserted += right.inserted
        left.replaced += right.replaced
        left.skipped += right.skipped
        left.tombstonesLeftOut += right.tombstonesLeftOut
        left.movedStamps += right.movedStamps
    }
}
