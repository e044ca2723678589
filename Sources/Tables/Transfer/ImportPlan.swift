public import OData

/// What a store knows of the rows that stand in an import's way.
public protocol ImportGround {
    /// Why the database couldn't tell.
    associatedtype Failure: Error

    /// The stamps of those of the rows that the table has already, by their place among the ids; a stamp that can't be
    /// read counts as the earliest.
    func stampsOfExisting(_ ids: [RowID]) throws(Failure) -> [Int: Instant]

    /// Which of the stamps a row of the table has, by their place.
    func taken(_ stamps: [Instant]) throws(Failure) -> Set<Int>

    /// Stamps that rows of the table have, from one on and in order, up to a number.
    func stamps(from first: Instant, limit: Int) throws(Failure) -> [Instant]
}

/// Decides what an import writes: which rows, in whose place, and with which stamps.
public struct ImportPlan: Sendable {
    /// A row to write.
    public struct Step: Sendable {
        /// The row; `updatedAt` and `version` are nil where new ones are to be given.
        public var row: ImportRow
        /// Whether the table has a row of its id by then, which is to say what this one says.
        public let replaces: Bool
    }

    /// The rows to write, in order.
    public private(set) var steps: [Step] = []
    /// What becomes of the rows.
    public private(set) var counts = ImportCounts()
    /// The place of the first row that is there already, where the rule refuses that; nothing is to be written then.
    public private(set) var takenIndex: Int?
    /// The highest version that is kept.
    public private(set) var highestVersion: Version?
    /// The latest stamp that is kept.
    public private(set) var latestStamp: Instant?
    private var given: Set<Instant> = []
    /// Where the search for a free stamp goes on, by the stamp that was wanted.
    private var nextFree: [Instant: Instant] = [:]

    private static let searchedAtOnce = 1_000

    /// Looks at the table and decides.
    public init<Ground: ImportGround>(
        _ batch: ImportBatch, for table: Table, on ground: borrowing Ground
    ) throws(Ground.Failure) {
        let existing = try ground.stampsOfExisting(batch.rows.map(\.id))
        let stamps = batch.rows.map { batch.renews ? nil : $0.updatedAt }
        let wanted = stamps.indices.filter { stamps[$0] != nil && (existing[$0] == nil || batch.rule != .skip) }
        let taken = Set(try ground.taken(wanted.compactMap { stamps[$0] }).map { wanted[$0] })
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
                // A row that is replaced may keep the stamp that it has itself.
                let isTaken = given.contains(stamp) || (taken.contains(index) && existing[index] != stamp)
                if isTaken {
                    row.updatedAt = try free(after: stamp, on: ground)
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

    /// The first millisecond after a stamp that no row has. Later is safe: clients read such a row once more.
    private mutating func free<Ground: ImportGround>(
        after stamp: Instant, on ground: borrowing Ground
    ) throws(Ground.Failure) -> Instant {
        var candidate = nextFree[stamp] ?? stamp.next
        search: while true {
            let taken = try ground.stamps(from: candidate, limit: Self.searchedAtOnce)
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

extension Instant {
    fileprivate static let distantFuture = Instant(milliseconds: .max)
}
