import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// Rows of another database.
    public static let transfers: [ConformanceCase] = [
        ConformanceCase("an imported row keeps id, version, stamps and tombstone") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let rows = [row("a", stamp: 5_000, version: 70), row("b", stamp: 4_000, version: 60, isDeleted: true)]
            #expect(try await store.transfer.importRows(ImportBatch(rows: rows), into: table) == .inserted(2))
            let live = try #require(try await store.find("a", in: table))
            #expect(live.updatedAt == Instant(milliseconds: 5_000) && live.version == Version(counter: 70))
            #expect(live.createdAt == Instant(milliseconds: 1_000) && live.row["text"] == .text("a"))
            #expect(try await store.find("b", in: table) == nil)
            let dead = try #require(try await store.find("b", in: table, includeDeleted: true))
            #expect(dead.row["deleted"] == .boolean(true) && dead.version == Version(counter: 60))
            let stale = Precondition.version(Version(counter: 70))
            #expect(try await store.update("a", ["text": .text("x")], if: stale, in: table).outcome == .written)
        },
        ConformanceCase("writes after an import are newer than all that it brought") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let ahead = Instant(milliseconds: bench.clock.now.milliseconds + 3_600_000)
            let marks = TransferMarks(version: Version(counter: 900), lastStamp: ahead)
            let batch = ImportBatch(rows: [row("a", stamp: 5_000, version: 70)], marks: marks)
            #expect(try await store.transfer.importRows(batch, into: table) == .inserted(1))
            let next = try await store.insert("b", in: table).row
            #expect(next.version == Version(counter: 901))
            #expect(next.updatedAt == Instant(milliseconds: ahead.milliseconds + 1))
        },
        ConformanceCase("the numbers of an import outlive the store", needs: .persistence) { bench in
            var (store, table) = try await bench.open(.softTodo())
            let ahead = bench.clock.now.milliseconds + 3_600_000
            let rows = [row("a", stamp: ahead, version: 5_000)]
            _ = try await store.transfer.importRows(ImportBatch(rows: rows), into: table)
            (store, table) = try await bench.open(.softTodo())
            let next = try await store.insert("b", in: table).row
            #expect(next.version == Version(counter: 5_001))
            #expect(next.updatedAt == Instant(milliseconds: ahead + 1))
        },
        ConformanceCase("a second store on the database goes on behind an import", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.softTodo())
            let other = try await bench.openBeside([.softTodo()])
            try await other.insert("first", in: table)
            let ahead = bench.clock.now.milliseconds + 3_600_000
            _ = try await store.transfer.importRows(
                ImportBatch(rows: [row("a", stamp: ahead, version: 5_000)]), into: table)
            let next = try await other.insert("b", in: table).row
            #expect(next.version == Version(counter: 5_001))
            #expect(next.updatedAt == Instant(milliseconds: ahead + 1))
        },
        ConformanceCase("a stamp that another row has moves to the next free millisecond") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let same = (1...40).map { row("row \($0)", stamp: 5_000, version: Int64($0)) }
            var counts = ImportCounts()
            counts.inserted = 40
            counts.movedStamps = 39
            #expect(try await store.transfer.importRows(ImportBatch(rows: same), into: table) == .written(counts))
            let more = ImportBatch(rows: [
                row("more", stamp: 5_000, version: 41), row("gap", stamp: 5_041, version: 42),
            ])
            _ = try await store.transfer.importRows(more, into: table)
            let page = try await store.list(TableQuery(limit: 100), in: table)
            #expect(Set(page.rows.stamps).count == 42)
            let moved = try #require(try await store.find("more", in: table))
            #expect(moved.updatedAt == Instant(milliseconds: 5_040))
        },
        ConformanceCase("a row that is there already is refused, kept, replaced or compared by its stamp") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let first = ImportBatch(rows: [row("a", stamp: 5_000, version: 7), row("b", stamp: 6_000, version: 8)])
            _ = try await store.transfer.importRows(first, into: table)
            var again = ImportBatch(rows: [row("new", stamp: 1, version: 1), row("b", stamp: 5_500, version: 9)])
            #expect(try await store.transfer.importRows(again, into: table) == .taken(index: 1))
            #expect(try await store.find("new", in: table) == nil)
            #expect(try await store.transfer.firstTaken(of: again.rows.map(\.id), in: table) == 1)
            for rule in [ExistingRowRule.skip, .newer] {
                again.rule = rule
                _ = try await store.transfer.importRows(again, into: table)
                #expect(try await store.find("b", in: table)?.version == Version(counter: 8))
            }
            #expect(try await store.find("new", in: table) != nil)
            again.rule = .newer
            again.rows = [row("b", stamp: 6_001, version: 10)]
            _ = try await store.transfer.importRows(again, into: table)
            #expect(try await store.find("b", in: table)?.version == Version(counter: 10))
            again.rule = .replace
            again.rows = [row("b", stamp: 6_001, version: 10, text: "again"), row("b", stamp: 5, version: 11)]
            _ = try await store.transfer.importRows(again, into: table)
            let replaced = try #require(try await store.find("b", in: table))
            #expect(replaced.version == Version(counter: 11) && replaced.updatedAt == Instant(milliseconds: 5))
            #expect(replaced.row["complete"] == .null)
        },
        ConformanceCase("a row that replaces its like keeps the stamp and version that it brings") { bench in
            let (store, table) = try await bench.open(.softTodo())
            var batch = ImportBatch(rows: [row("a", stamp: 5_000, version: 7)])
            _ = try await store.transfer.importRows(batch, into: table)
            batch.rule = .replace
            _ = try await store.transfer.importRows(batch, into: table)
            let found = try #require(try await store.find("a", in: table))
            #expect(found.version == Version(counter: 7) && found.updatedAt == Instant(milliseconds: 5_000))
        },
        ConformanceCase("renewed rows get versions and stamps of their own, in order") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let before = try await store.insert("before", in: table).row
            let rows = ["c", "a", "b"].map { row($0, stamp: 5_000, version: 7) }
            _ = try await store.transfer.importRows(ImportBatch(rows: rows, renews: true), into: table)
            var last = try #require(before.version)
            var lastStamp = try #require(before.updatedAt)
            for id in ["c", "a", "b"] {
                let found = try #require(try await store.find(id, in: table))
                #expect(try #require(found.version) > last && #require(found.updatedAt) > lastStamp)
                #expect(found.createdAt == Instant(milliseconds: 1_000))
                (last, lastStamp) = (try #require(found.version), try #require(found.updatedAt))
            }
        },
        ConformanceCase("tombstones for a table without soft delete are left out") { bench in
            let (store, table) = try await bench.open(.todo())
            let batch = ImportBatch(rows: [row("a", stamp: 5_000, version: 7, isDeleted: true)])
            var counts = ImportCounts()
            counts.tombstonesLeftOut = 1
            #expect(try await store.transfer.importRows(batch, into: table) == .written(counts))
            #expect(try await store.find("a", in: table) == nil)
        },
        ConformanceCase("an import adds the columns that it needs") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let price = Column("price", .integer)
            var row = row("a", stamp: 5_000, version: 7)
            row.assignments += try table.adding([price]).changes(
                from: [Property("price", .integer(.max))], for: .insert
            ).assignments
            _ = try await store.transfer.importRows(ImportBatch(rows: [row], columns: [price]), into: table)
            let wider = try store.current(table)
            #expect(wider.column("price") == price)
            #expect(try await store.find("a", in: wider)?.row["price"] == .integer(.max))
        },
        ConformanceCase("a table that numbers its rows goes on behind imported ones") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.autoIncrement = true })
            var numbered = row("", stamp: 5_000, version: 7)
            numbered.id = .integer(41)
            _ = try await store.transfer.importRows(ImportBatch(rows: [numbered]), into: table)
            #expect(try await store.insert(nil, in: table).row.row["id"] == .integer(42))
            await #expect(throws: TableError.self) {
                _ = try await store.transfer.importRows(
                    ImportBatch(rows: [row("text", stamp: 1, version: 1)]), into: table)
            }
        },
        ConformanceCase("a copy's progress is kept with its rows") { bench in
            let (store, table) = try await bench.open(.softTodo())
            #expect(try await store.transfer.transferProgress(of: table, from: "http://a") == nil)
            var batch = ImportBatch(rows: [row("a", stamp: 5_000, version: 7)])
            batch.progress = TransferProgress(source: "http://a", position: "here", rowCount: 1)
            _ = try await store.transfer.importRows(batch, into: table)
            #expect(try await store.transfer.transferProgress(of: table, from: "http://a") == batch.progress)
            batch.progress?.position = "there"
            #expect(try await store.transfer.importRows(batch, into: table) == .taken(index: 0))
            #expect(try await store.transfer.transferProgress(of: table, from: "http://a")?.position == "here")
            #expect(try await store.transfer.transferProgress(of: table, from: "http://b") == nil)
        },
    ]

    /// What is left of deleted rows.
    public static let tombstones: [ConformanceCase] = [
        ConformanceCase("a purge removes tombstones of an age, in steps, and no live row") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let old = (1...25).map { row("dead \($0)", stamp: Int64($0) * 1_000, version: Int64($0), isDeleted: true) }
            let others = [
                row("live", stamp: 500, version: 30), row("young", stamp: 90_000, version: 31, isDeleted: true),
            ]
            _ = try await store.transfer.importRows(ImportBatch(rows: old + others), into: table)
            let before = Instant(milliseconds: 60_000)
            #expect(try await store.graves.countTombstones(of: table, before: before) == 25)
            var removed: [Int] = []
            var start: Instant?
            repeat {
                let step = try await store.graves.purgeTombstones(of: table, from: start, before: before, limit: 10)
                removed.append(step.removed)
                start = step.next
            } while start != nil
            #expect(removed == [10, 10, 5])
            #expect(try await store.graves.countTombstones(of: table, before: before) == 0)
            var all = TableQuery(limit: 100)
            all.includeDeleted = true
            #expect(try await store.list(all, in: table).rows.ids.sorted() == ["live", "young"])
        },
        ConformanceCase("a tombstone that was undeleted is not purged") { bench in
            let (store, table) = try await bench.open(.softTodo())
            for id in ["a", "b"] {
                try await store.insert(id, in: table)
                try await store.delete(id, in: table)
            }
            try await store.undelete("a", in: table)
            bench.clock.move(byMilliseconds: 1_000)
            let step = try await store.graves.purgeTombstones(
                of: table, from: nil, before: bench.clock.now, limit: 10)
            #expect(step == PurgeStep(removed: 1, next: nil))
            #expect(try await store.find("a", in: table) != nil)
            #expect(try await store.find("b", in: table, includeDeleted: true) == nil)
        },
    ]
}

/// A row of another database.
private func row(
    _ id: String, stamp: Int64, version: Int64, isDeleted: Bool = false, text: String? = nil
) -> ImportRow {
    ImportRow(
        id: .text(id), createdAt: Instant(milliseconds: 1_000), updatedAt: Instant(milliseconds: stamp),
        version: Version(counter: version), isDeleted: isDeleted,
        assignments: [RowChanges.Assignment(column: Column("text", .string), value: .text(text ?? id))])
}

extension ImportOutcome {
    fileprivate static func inserted(_ count: Int) -> ImportOutcome {
        var counts = ImportCounts()
        counts.inserted = count
        return .written(counts)
    }
}

extension TableStore {
    var transfer: any TransferStore {
        get throws { try #require(self as? any TransferStore) }
    }

    var graves: any TombstoneStore {
        get throws { try #require(self as? any TombstoneStore) }
    }
}
