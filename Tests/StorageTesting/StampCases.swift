import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// Stamps and versions.
    public static let stamps: [ConformanceCase] = [
        ConformanceCase("every write of a table has a later stamp and version, though the clock stands still") {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            var written: [RecordedRows] = []
            for number in 1...20 {
                written.append(try await store.insert("row \(number)", in: table).row)
            }
            written.append(try await store.update("row 1", ["text": .text("x")], in: table).row)
            written.append(try await store.delete("row 1", in: table).row)
            written.append(try await store.undelete("row 1", in: table).row)
            try expectRising(written)
            #expect(written.last?.updatedAt?.milliseconds == bench.clock.now.milliseconds + 22)
        },
        ConformanceCase("tables have stamps of their own but share the versions") { bench in
            let store = try await bench.open([.todo(), .todo { $0.name = "other" }])
            let todo = try #require(store.table(named: "TodoItem"))
            let other = try #require(store.table(named: "other"))
            let first = try await store.insert("a", in: todo).row
            let second = try await store.insert("a", in: other).row
            #expect(first.updatedAt == second.updatedAt)
            #expect(try #require(first.version) < #require(second.version))
        },
        ConformanceCase("stamps rise while the clock is an hour back, and follow it when it is ahead") { bench in
            let (store, table) = try await bench.open(.todo())
            let first = try await store.insert("a", in: table).row
            bench.clock.move(byMilliseconds: -3_600_000)
            let second = try await store.insert("b", in: table).row
            bench.clock.move(byMilliseconds: 3_600_000 * 2)
            let third = try await store.insert("c", in: table).row
            try expectRising([first, second, third])
            #expect(third.updatedAt == bench.clock.now)
        },
        ConformanceCase("stamps and versions go on after a reopen with the clock back", needs: .persistence) { bench in
            let (store, table) = try await bench.open(.todo())
            let first = try await store.insert("a", in: table).row
            try await store.insert("b", in: table)
            let removed = try await store.update("b", ["text": .text("x")], in: table).row
            try await store.delete("b", in: table)
            bench.clock.move(byMilliseconds: -3_600_000)
            let (reopened, same) = try await bench.open(.todo())
            let next = try await reopened.insert("c", in: same).row
            try expectRising([first, removed, next])
        },
        ConformanceCase(
            "stamps rise through every leap of the clock, across restarts and edits by other programs",
            needs: .otherPrograms
        ) { bench in
            let hour: Int64 = 3_600_000
            let tenYears: Int64 = 3_652 * 24 * hour
            var (store, table) = try await bench.open(.softTodo())
            var written: [RecordedRows] = []
            for (number, leap) in [0, -hour, tenYears, -tenYears - hour, hour, -tenYears, 3 * tenYears].enumerated() {
                bench.clock.move(byMilliseconds: leap)
                for isReopened in [false, true] {
                    if isReopened { (store, table) = try await bench.open(.softTodo()) }
                    let id = "row \(number) \(isReopened)"
                    written.append(try await store.insert(id, ["text": .text("new")], in: table).row)
                    try await bench.run("UPDATE \"TodoItem\" SET \"text\" = 'edited' WHERE \"id\" = '\(id)'")
                    written.append(try #require(try await store.find(id, in: table)))
                    written.append(try await store.delete(id, in: table).row)
                    written.append(try await store.undelete(id, in: table).row)
                }
            }
            try expectRising(written)
            #expect(Set(written.compactMap(\.version)).count == written.count)
        },
        ConformanceCase(
            "the last stamp of each table is told, with those of other programs",
            needs: .otherPrograms
        ) { bench in
            let store = try await bench.open([.softTodo(), .todo { $0.name = "other" }])
            let table = try #require(store.table(named: "TodoItem"))
            let stamps = try #require(store as? any StampStore)
            #expect(try await stamps.lastStamps() == ["TodoItem": .epoch, "other": .epoch])
            bench.clock.move(byMilliseconds: 3_600_000)
            try await store.insert("a", in: table)
            try await store.delete("a", in: table)
            let last = Instant(milliseconds: bench.clock.now.milliseconds + 1)
            #expect(try await stamps.lastStamps() == ["TodoItem": last, "other": .epoch])
            let second = try await bench.openBeside([.softTodo()])
            bench.clock.move(byMilliseconds: -3_600_000)
            let row = try await second.insert("b", in: table).row
            #expect(row.updatedAt == Instant(milliseconds: last.milliseconds + 1))
            #expect(try await stamps.lastStamps()["TodoItem"] == row.updatedAt)
            // What isn't served isn't told.
            #expect(try await (second as? any StampStore)?.lastStamps().keys.map(\.text) == ["TodoItem"])
        },
        ConformanceCase("a refused write's version and stamp are given to nobody else's row twice") { bench in
            let (store, table) = try await bench.open(.todo())
            let first = try await store.insert("a", in: table).row
            try await store.insert("a", in: table)
            try await store.update("a", ["text": .text("x")], if: .version(Version(counter: 999)), in: table)
            try await store.update("nobody", ["text": .text("x")], in: table)
            try expectRising([first, try await store.insert("b", in: table).row])
        },
    ]

    private static func expectRising(_ rows: [RecordedRows]) throws {
        for (earlier, later) in zip(rows, rows.dropFirst()) {
            #expect(try #require(earlier.updatedAt) < #require(later.updatedAt))
            #expect(try #require(earlier.version) < #require(later.version))
        }
    }
}

extension Instant {
    fileprivate static let epoch = Instant(milliseconds: 0)
}
