import Scalars
import Tables

extension ReferenceStore: TransferStore, TombstoneStore {
    func importRows(_ batch: ImportBatch, into table: Table) async throws(TableError) -> ImportOutcome {
        let (now, marks) = (clock(), batch.renews ? TransferMarks() : batch.marks)
        return try access(table) { state, stored throws(TableError) in
            var (draft, counts) = (stored, ImportCounts())
            draft.table = draft.table.adding(batch.columns.filter { stored.table.column($0.name) == nil })
            let kept = batch.renews ? [] : batch.rows
            let versions = [marks.version] + kept.map(\.version)
            var lastVersion = versions.reduce(state.lastVersion) { max($0, $1?.counter ?? 0) }
            draft.lastStamp = ([marks.lastStamp] + kept.map(\.updatedAt)).reduce(draft.lastStamp) { max($0, $1 ?? $0) }
            draft.lastNumber = max(draft.lastNumber, marks.lastNumber ?? 0)
            for (index, row) in batch.rows.enumerated() {
                guard row.id.fits(table) else { throw .failed(detail: "no such id") }
                let before = draft.rows[row.id]
                if row.isDeleted, !table.rules.softDelete {
                    counts.tombstonesLeftOut += 1
                    continue
                } else if before != nil, batch.rule == .refuse {
                    return .taken(index: index)
                } else if let before,
                    batch.rule == .skip || batch.rule == .newer && before.updatedAt >= row.updatedAt ?? before.updatedAt
                {
                    counts.skipped += 1
                    continue
                }
                let (version, stamp) = batch.renews ? (nil, nil) : (row.version, row.updatedAt)
                if version == nil { lastVersion += 1 }
                if stamp == nil { draft.lastStamp = Stamp.next(after: draft.lastStamp, now: now) }
                let wanted = stamp ?? draft.lastStamp
                let free = draft.free(wanted, for: row.id)
                var new = ReferenceRow(
                    id: row.id, createdAt: row.createdAt ?? before?.createdAt ?? free, updatedAt: free,
                    version: version ?? Version(counter: lastVersion))
                new.isDeleted = before.map { row.saysWhetherDeleted ? row.isDeleted : $0.isDeleted } ?? row.isDeleted
                new.values = before?.values ?? [:]
                for assignment in row.assignments { new.values[assignment.column.name] = assignment.value }
                draft.rows[row.id] = new
                draft.lastStamp = max(draft.lastStamp, free)
                if case .integer(let number) = row.id { draft.lastNumber = max(draft.lastNumber, number) }
                if free != wanted { counts.movedStamps += 1 }
                if before == nil { counts.inserted += 1 } else { counts.replaced += 1 }
            }
            if let progress = batch.progress { draft.progress[progress.source] = progress }
            (stored, state.lastVersion) = (draft, lastVersion)
            return .written(counts)
        }
    }

    func firstTaken(of ids: [RowID], in table: Table) async throws(TableError) -> Int? {
        try access(table) { _, stored in ids.firstIndex { stored.rows[$0] != nil } }
    }

    func transferProgress(of table: Table, from source: String) async throws(TableError) -> TransferProgress? {
        try access(table) { _, stored in stored.progress[source] }
    }

    func countTombstones(of table: Table, before: Instant) async throws(TableError) -> Int64 {
        try access(table) { _, stored in Int64(stored.tombstones(before: before).count) }
    }

    func purgeTombstones(
        of table: Table, from start: Instant?, before: Instant, limit: Int
    ) async throws(TableError) -> PurgeStep {
        try access(table) { _, stored in
            let old = stored.tombstones(before: before)
            for row in old.prefix(limit) { stored.rows[row.id] = nil }
            return PurgeStep(removed: min(limit, old.count), next: old.dropFirst(limit).first?.updatedAt)
        }
    }
}

extension ReferenceTable {
    /// The first stamp from one on that no other row has.
    fileprivate func free(_ stamp: Instant, for id: RowID) -> Instant {
        let taken = Set(rows.values.filter { $0.id != id }.map(\.updatedAt))
        return taken.contains(stamp) ? free(stamp.next, for: id) : stamp
    }

    /// Those that were deleted before an instant, the oldest first.
    fileprivate func tombstones(before: Instant) -> [ReferenceRow] {
        rows.values.filter { $0.isDeleted && $0.updatedAt < before }.sorted { $0.updatedAt < $1.updatedAt }
    }
}
