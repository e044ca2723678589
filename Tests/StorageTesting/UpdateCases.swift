import Tables
import Testing

extension ConformanceCase {
    /// Updates and preconditions.
    public static let updates: [ConformanceCase] = [
        ConformanceCase("an update sets the given columns and renews version and stamp, not createdAt") { bench in
            let (store, table) = try await bench.open(.todo())
            let before = try await store.insert("a", ["text": .text("milk"), "complete": .boolean(false)], in: table)
            bench.clock.move(byMilliseconds: 5_000)
            let after = try await store.update("a", ["complete": .boolean(true)], in: table)
            #expect(after.outcome == .written)
            #expect(after.row.row["text"] == .text("milk"))
            #expect(after.row.row["complete"] == .boolean(true))
            #expect(after.row.createdAt == before.row.createdAt)
            #expect(after.row.updatedAt == bench.clock.now)
            #expect(try #require(after.row.version) > #require(before.row.version))
            #expect(try await store.find("a", in: table) == after.row)
        },
        ConformanceCase("an update can set null") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            #expect(try await store.update("a", ["text": .null], in: table).row.row["text"] == .null)
        },
        ConformanceCase("an update without properties renews nothing but keeps its conditions") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let row = try await store.insert("a", ["text": .text("milk")], in: table).row
            let version = try #require(row.version)
            for precondition in [Precondition.none, .version(version)] {
                let result = try await store.update("a", [:], if: precondition, in: table)
                #expect(result.outcome == .written)
                #expect(result.row == row)
            }
            let stale = Precondition.version(Version(counter: version.counter + 1))
            #expect(try await store.update("a", [:], if: stale, in: table).outcome == .mismatch)
            #expect(try await store.update("a", [:], if: .unmatchable, in: table).outcome == .mismatch)
            #expect(try await store.update("b", [:], in: table).outcome == .missing)
            try await store.delete("a", in: table)
            #expect(try await store.update("a", [:], in: table).outcome == .tombstone)
        },
        ConformanceCase("a precondition that doesn't hold answers the current row and writes nothing") { bench in
            let (store, table) = try await bench.open(.todo())
            let old = try await store.insert("a", ["text": .text("one")], in: table)
            let current = try await store.update("a", ["text": .text("two")], in: table)
            let stale = Precondition.version(try #require(old.row.version))
            for precondition in [stale, .unmatchable] {
                for result in [
                    try await store.update("a", ["text": .text("three")], if: precondition, in: table),
                    try await store.delete("a", if: precondition, in: table),
                    try await store.undelete("a", if: precondition, in: table),
                ] {
                    #expect(result.outcome == .mismatch)
                    #expect(result.row == current.row)
                }
            }
            #expect(try await store.find("a", in: table) == current.row)
        },
        ConformanceCase("a precondition that holds lets the write through") { bench in
            let (store, table) = try await bench.open(.todo())
            let row = try await store.insert("a", in: table).row
            let updated = try await store.update(
                "a", ["text": .text("x")], if: .version(try #require(row.version)), in: table)
            #expect(updated.outcome == .written)
            let deleted = try await store.delete("a", if: .version(try #require(updated.row.version)), in: table)
            #expect(deleted.outcome == .written)
        },
        ConformanceCase("a missing row is missing whatever the precondition") { bench in
            let (store, table) = try await bench.open(.softTodo())
            for precondition in [Precondition.none, .version(Version(counter: 1)), .unmatchable] {
                #expect(
                    try await store.update("a", ["text": .text("x")], if: precondition, in: table).outcome == .missing)
                #expect(try await store.delete("a", if: precondition, in: table).outcome == .missing)
                #expect(try await store.undelete("a", if: precondition, in: table).outcome == .missing)
            }
        },
    ]

    /// Deletes and undeletes.
    public static let deletes: [ConformanceCase] = [
        ConformanceCase("a delete without soft delete removes the row and answers it as it was") { bench in
            let (store, table) = try await bench.open(.todo())
            let row = try await store.insert("a", ["text": .text("milk")], in: table).row
            let result = try await store.delete("a", in: table)
            #expect(result.outcome == .written)
            #expect(result.row == row)
            #expect(try await store.find("a", in: table, includeDeleted: true) == nil)
            #expect(try await store.delete("a", in: table).outcome == .missing)
        },
        ConformanceCase("a soft delete leaves a tombstone with a new version and stamp") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let row = try await store.insert("a", ["text": .text("milk")], in: table).row
            let result = try await store.delete("a", in: table)
            #expect(result.outcome == .written)
            #expect(result.row.row["deleted"] == .boolean(true))
            #expect(result.row.row["text"] == .text("milk"))
            #expect(try #require(result.row.version) > #require(row.version))
            #expect(try #require(result.row.updatedAt) > #require(row.updatedAt))
            #expect(try await store.find("a", in: table) == nil)
            #expect(try await store.find("a", in: table, includeDeleted: true) == result.row)
        },
        ConformanceCase("a tombstone is one before its version is looked at") { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", in: table)
            let tombstone = try await store.delete("a", in: table).row
            let right = Precondition.version(try #require(tombstone.version))
            for precondition in [Precondition.none, right, .version(Version(counter: 1)), .unmatchable] {
                for result in [
                    try await store.update("a", ["text": .text("x")], if: precondition, in: table),
                    try await store.delete("a", if: precondition, in: table),
                ] {
                    #expect(result.outcome == .tombstone)
                    #expect(result.row == tombstone)
                }
            }
        },
        ConformanceCase("an undelete makes a tombstone live again, and renews a live row") { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            let tombstone = try await store.delete("a", in: table).row
            let stale = try await store.undelete("a", if: .version(Version(counter: 1)), in: table)
            #expect(stale.outcome == .mismatch)
            #expect(stale.row == tombstone)
            let live = try await store.undelete("a", if: .version(try #require(tombstone.version)), in: table)
            #expect(live.outcome == .written)
            #expect(live.row.row["deleted"] == .boolean(false))
            #expect(live.row.row["text"] == .text("milk"))
            #expect(try #require(live.row.version) > #require(tombstone.version))
            let again = try await store.undelete("a", in: table)
            #expect(again.outcome == .written)
            #expect(try #require(again.row.version) > #require(live.row.version))
            #expect(try #require(again.row.updatedAt) > #require(live.row.updatedAt))
        },
        ConformanceCase("an update can make a row a tombstone, or live, with the columns that it sets") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let row = try await store.insert("a", ["text": .text("milk")], in: table).row
            var update = RowUpdate([Property("complete", .boolean(true))])
            update.deleted = true
            let tombstone = try await store.update("a", update, if: .version(try #require(row.version)), in: table)
            #expect(tombstone.outcome == .written)
            #expect(tombstone.row.row["deleted"] == .boolean(true))
            #expect(tombstone.row.row["complete"] == .boolean(true))
            #expect(try #require(tombstone.row.version) > #require(row.version))
            #expect(try await store.find("a", in: table) == nil)
            #expect(try await store.update("a", update, in: table).outcome == .tombstone)
            update.includesTombstones = true
            update.deleted = nil
            let edited = try await store.update("a", update, in: table)
            #expect(edited.outcome == .written && edited.row.row["deleted"] == .boolean(true))
            update.properties = [Property("text", .text("bread"))]
            update.deleted = false
            let live = try await store.update("a", update, in: table)
            #expect(live.row.row["deleted"] == .boolean(false) && live.row.row["text"] == .text("bread"))
            #expect(try await store.find("a", in: table) == live.row)
        },
        ConformanceCase("an update that sets nothing reads a tombstone where it may, and renews where it must") {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            let tombstone = try await store.insert("a", ["text": .text("milk")], deleted: true, in: table).row
            var update = RowUpdate()
            #expect(try await store.update("a", update, in: table).outcome == .tombstone)
            update.includesTombstones = true
            let read = try await store.update("a", update, in: table)
            #expect(read.outcome == .written && read.row == tombstone)
            #expect(try await store.update("a", update, if: .unmatchable, in: table).outcome == .mismatch)
            update.renewsAlways = true
            let renewed = try await store.update("a", update, in: table)
            #expect(renewed.outcome == .written && renewed.row.row["deleted"] == .boolean(true))
            #expect(try #require(renewed.row.version) > #require(tombstone.version))
            #expect(try #require(renewed.row.updatedAt) > #require(tombstone.updatedAt))
        },
        ConformanceCase("without soft delete no row becomes a tombstone") { bench in
            let (store, table) = try await bench.open(.todo())
            let row = try await store.insert("a", deleted: true, in: table).row
            #expect(row.row["deleted"] == .boolean(false))
            var update = RowUpdate()
            update.deleted = true
            let read = try await store.update("a", update, in: table)
            #expect(read.outcome == .written && read.row == row)
            update.properties = [Property("text", .text("x"))]
            let written = try await store.update("a", update, in: table)
            #expect(written.row.row["deleted"] == .boolean(false) && written.row.row["text"] == .text("x"))
        },
        ConformanceCase("a row can begin as a tombstone where the table has them") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let result = try await store.insert("a", ["text": .text("milk")], deleted: true, in: table)
            #expect(result.outcome == .written && result.row.row["deleted"] == .boolean(true))
            #expect(try await store.find("a", in: table) == nil)
            #expect(try await store.find("a", in: table, includeDeleted: true) == result.row)
            #expect(try await store.insert("a", in: table).outcome == .duplicate)
            #expect(try await store.undelete("a", in: table).outcome == .written)
        },
    ]
}
