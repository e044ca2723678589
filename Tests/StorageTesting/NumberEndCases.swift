import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// Numbers where no others follow them.
    public static let numberEnds: [ConformanceCase] = [
        ConformanceCase("a table whose stamps are at their end is read, and refuses writes", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            try await bench.run("UPDATE zumod_tables SET last_stamp = 253402300799999")
            await #expect(throws: TableError.self) { try await store.insert("b", in: table) }
            await #expect(throws: TableError.self) { try await store.update("a", ["text": .text("x")], in: table) }
            await #expect(throws: TableError.self) { try await store.delete("a", in: table) }
            await #expect(throws: (any Error).self) {
                try await bench.run(#"INSERT INTO "TodoItem" ("id") VALUES ('c')"#)
            }
            #expect(try await store.list(TableQuery(limit: 10), in: table).rows.ids == ["a"])
            #expect(try await store.find("a", in: table)?.row["text"] == .text("milk"))
        },
        ConformanceCase("a last stamp beyond the end can't be written", needs: .otherPrograms) { bench in
            _ = try await bench.open(.todo())
            for stamp in ["253402300800000", "9223372036854775807", "-1"] {
                await #expect(throws: (any Error).self) {
                    try await bench.run("UPDATE zumod_tables SET last_stamp = \(stamp)")
                }
            }
        },
        ConformanceCase("an id without room behind it is refused from every program", needs: .otherPrograms) { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.autoIncrement = true })
            await #expect(throws: (any Error).self) {
                try await bench.run(#"INSERT INTO "TodoItem" ("id") VALUES (9223372036854775807)"#)
            }
            await #expect(throws: (any Error).self) {
                try await bench.run(#"INSERT INTO "TodoItem" ("id") VALUES (\#(RowID.highestNumber + 1))"#)
            }
            try await store.insert(nil, in: table)
            let rows = try await store.list(TableQuery(limit: 10), in: table).rows.rows
            #expect(rows.map { $0["id"] } == [.integer(1)])
        },
        ConformanceCase("numbers move on as far as there is room", needs: .otherPrograms) { bench in
            let numbered = TableDefinition.todo { $0.rules.autoIncrement = true }
            let store = try #require(try await bench.open([numbered]) as? any NumberedStore)
            let lead = NumberGap(versions: 1_000, ids: 1_000_000, milliseconds: 3_600_000)
            #expect(try await store.moveNumbersOn(by: lead) == [])
            try await bench.run(#"INSERT INTO "TodoItem" ("id") VALUES (\#(RowID.highestNumber))"#)
            try await bench.run("UPDATE zumod_tables SET last_stamp = 253402300799998")
            for _ in 1...2 {
                let full = try await store.moveNumbersOn(by: lead)
                #expect(full.count == 2)
                #expect(full.contains { $0.contains("ids of the table TodoItem") })
                #expect(full.contains { $0.contains("stamps of the table TodoItem") })
            }
        },
        ConformanceCase("no tombstone is older than the first instant") { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", in: table)
            try await store.delete("a", in: table)
            let purging = try #require(store as? any TombstoneStore)
            for milliseconds in [Int64.min, -86_400_000_000_000_000, -62_135_596_800_000] {
                let before = Instant(milliseconds: milliseconds)
                #expect(try await purging.countTombstones(of: table, before: before) == 0)
                let step = try await purging.purgeTombstones(of: table, from: nil, before: before, limit: 10)
                #expect(step.removed == 0)
            }
        },
    ]
}
