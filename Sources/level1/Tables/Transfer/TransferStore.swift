public import Scalars

/// A store that imports whole rows as another database had them: id, version, stamps and tombstones.
public protocol TransferStore: TableStore {
    /// Writes rows of one table, all or none, in one transaction.
    ///
    /// The database's version counter and the table's last stamp move past everything written, so that every later
    /// write is newer. Columns of the batch that the table lacks are added.
    func importRows(_ batch: ImportBatch, into table: Table) async throws(TableError) -> ImportOutcome

    /// Returns the index of the first of the ids that the table has, live or tombstone; nil if it has none of them.
    func firstTaken(of ids: [RowID], in table: Table) async throws(TableError) -> Int?

    /// Returns how far a copy from another server has come; nil if none was started.
    func transferProgress(of table: Table, from source: String) async throws(TableError) -> TransferProgress?
}

/// A row from another database.
public struct ImportRow: Sendable, Equatable {
    /// The id.
    public var id: RowID
    /// When the row was created; nil uses its stamp, or keeps that of an existing row.
    public var createdAt: Instant?
    /// The stamp to keep; nil for a new one. If another row has the stamp, the next free millisecond is used.
    public var updatedAt: Instant?
    /// The version to keep; nil for a new one.
    public var version: Version?
    /// Whether the row is a tombstone.
    public var isDeleted: Bool
    /// Whether `isDeleted` is known; if it isn't, an existing row keeps its state.
    public var saysWhetherDeleted = true
    /// The columns that the row has values for. Others are null in a new row, and unchanged in an existing one.
    public var assignments: [RowChanges.Assignment]

    /// Creates a row.
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

    /// The latest stamp that is accepted: beyond it there would be no room for the stamps of later writes.
    public static let latestStamp = Instant(milliseconds: 221_845_392_000_000)  // 9000-01-01

    /// The highest version that is accepted: beyond it there would be no room for the versions of later writes.
    public static let highestVersion = Version(counter: 1 << 62)
}

/// What to do with a row whose id the table already has.
public enum ExistingRowRule: Sendable {
    /// Nothing is written, and the first such row is reported.
    case refuse
    /// The table's row is kept.
    case skip
    /// The table's row gets the values of this one.
    case replace
    /// The row with the later stamp is kept.
    case newer
}

/// Rows for one table.
public struct ImportBatch: Sendable {
    /// The rows, in the order in which new stamps and versions are assigned.
    public var rows: [ImportRow]
    /// Columns that the table must have.
    public var columns: [Column]
    /// What to do with rows that already exist.
    public var rule: ExistingRowRule
    /// Whether every row gets a new version and stamp, instead of its own.
    public var renews: Bool
    /// The other database's counters, if known.
    public var marks: TransferMarks
    /// The progress of a copy, to be stored in the same transaction.
    public var progress: TransferProgress?

    /// Creates a batch.
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

/// The counters of a database.
public struct TransferMarks: Sendable, Equatable {
    /// The highest version given to any row of any table.
    public var version: Version?
    /// The table's last stamp.
    public var lastStamp: Instant?
    /// The stamp up to which tombstones of the table were purged; nil if none were.
    public var purgedThrough: Instant?

    /// The last number given to a row of a table that numbers its rows.
    public var lastNumber: Int64?

    /// Creates marks.
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
    /// Where to continue, in the copier's own format.
    public var position: String
    /// The number of rows read so far.
    public var rowCount: Int64

    /// Creates a progress.
    public init(source: String, position: String, rowCount: Int64) {
        self.source = source
        self.position = position
        self.rowCount = rowCount
    }
}

/// The result of importing a batch.
public enum ImportOutcome: Sendable, Equatable {
    case written(ImportCounts)
    /// The row at this index of the batch already exists; nothing was written.
    case taken(index: Int)
}

/// The number of rows by result.
public struct ImportCounts: Sendable, Equatable {
    /// New rows.
    public var inserted = 0
    /// Rows that replaced existing ones.
    public var replaced = 0
    /// Rows skipped because their ids exist.
    public var skipped = 0
    /// Tombstones left out because the table has no soft delete, so that they would be live rows.
    public var tombstonesLeftOut = 0
    /// Rows whose stamp another row already had.
    public var movedStamps = 0

    /// Creates zero counts.
    public init() {}

    /// Adds counts.
    public static func += (left: inout ImportCounts, right: ImportCounts) {
        left.inserted += right.inserted
        left.replaced += right.replaced
        left.skipped += right.skipped
        left.tombstonesLeftOut += right.tombstonesLeftOut
        left.movedStamps += right.movedStamps
    }
}
