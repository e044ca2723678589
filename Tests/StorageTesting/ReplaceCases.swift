import Tables
import Testing

extension ConformanceCase {
    /// Updates that take the place of the whole row (v3's PUT).
    public static let replacements: [ConformanceCase] = [
        ConformanceCase("a replacement nulls the columns that it leaves out, and keeps createdAt") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let before = try await store.insert("a", ["text": .text("milk"), "complete": .boolean(true)], in: table).row
            bench.clock.move(byMilliseconds: 5_000)
            let after = try await store.update("a", .replacement(["text": .text("bread")]), in: table)
            #expect(after.outcome == .written)
            #expect(after.row.row["text"] == .text("bread") && after.row.row["complete"] == .null)
            #expect(after.row.createdAt == before.createdAt && after.row.updatedAt == bench.clock.now)
            #expect(try #require(after.row.version) > #require(before.version))
            #expect(try await store.find("a", in: table) == after.row)
        },
        ConformanceCase("a replacement that sets nothing empties the row, and renews it") { bench in
            let (store, table) = try await bench.open(.todo())
            let before = try await store.insert("a", ["text": .text("milk")], in: table).row
            let after = try await store.update("a", .replacement([:]), in: table)
            #expect(after.outcome == .written && after.row.row["text"] == .null)
            #expect(try #require(after.row.version) > #require(before.version))
            #expect(try await store.find("a", in: table) == after.row)
        },
        ConformanceCase("a replacement adds the columns that the table lacks") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.dynamicSchema = true })
            try await store.insert("a", ["text": .text("milk")], in: table)
            let row = try await store.update("a", .replacement(["price": .number(2)]), in: table).row
            #expect(row.row["price"] == .number(2) && row.row["text"] == .null)
        },
        ConformanceCase("a replacement that is refused leaves every column, and adds none") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.dynamicSchema = true })
            let row = try await store.insert("a", ["text": .text("milk")], in: table).row
            let update = RowUpdate.replacement(["price": .number(2)])
            for precondition in [Precondition.version(Version(counter: 999)), .unmatchable] {
                let refused = try await store.update("a", update, if: precondition, in: table)
                #expect(refused.outcome == .mismatch && refused.row == row)
            }
            #expect(try await store.update("b", update, in: table).outcome == .missing)
            #expect(try store.current(table).column("price") == nil)
            #expect(try await store.find("a", in: table) == row)
        },
        ConformanceCase("a replacement can bring a tombstone back, and refuses it otherwise") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let dead = try await store.insert("a", ["complete": .boolean(true)], deleted: true, in: table).row
            var update = RowUpdate.replacement(["text": .text("bread")])
            let refused = try await store.update("a", update, in: table)
            #expect(refused.outcome == .tombstone && refused.row == dead)
            update.includesTombstones = true
            update.deleted = false
            let live = try await store.update("a", update, in: table).row
            #expect(live.row["complete"] == .null && live.row["deleted"] == .boolean(false))
        },
        ConformanceCase(
            "a replacement nulls a column that another server added a moment ago", needs: .otherPrograms
        ) { bench in
            let (first, table) = try await bench.open(.todo { $0.rules.dynamicSchema = true })
            let second = try await bench.openBeside([.todo { $0.rules.dynamicSchema = true }])
            let same = try #require(second.table(named: table.name))
            try await first.insert("a", ["text": .text("milk")], in: table)
            try await second.update("a", ["extra": .number(1)], in: same)
            // The first server has no reason yet to know the column.
            let row = try await first.update("a", .replacement(["text": .text("bread")]), in: table).row
            #expect(row.row["text"] == .text("bread") && (row.row["extra"] ?? .null) == .null)
            let read = try #require(try await second.find("a", in: second.current(same)))
            #expect(read.row["extra"] == .null && read.version == row.version)
        },
        ConformanceCase(
            "replacements between updates that add columns, by two servers, come out as if one after another",
            needs: .otherPrograms
        ) { bench in
            let (first, table) = try await bench.open(.todo { $0.rules.dynamicSchema = true })
            let second = try await bench.openBeside([.todo { $0.rules.dynamicSchema = true }])
            let same = try #require(second.table(named: table.name))
            let inserted = try await first.insert("a", in: table).row
            let written = try await inParallel(48) { number in
                let (store, table) = number.isMultiple(of: 2) ? (first, table) : (second, same)
                let value = Value.number(Double(number))
                let update: RowUpdate =
                    number % 3 == 0
                    ? .replacement(["n": value]) : RowUpdate([Property("c\(number % 8)", value)])
                let result = try await store.update("a", update, in: table)
                #expect(result.outcome == .written)
                return (row: result.row, update: update)
            }
            // Versions tell the order. Each row is the one before it with what its update set.
            var expected: [String: Cell] = [:]
            var previous = try #require(inserted.version)
            for (row, update) in written.sorted(by: { ($0.row.version ?? previous) < ($1.row.version ?? previous) }) {
                if update.replaces { expected = [:] }
                for property in update.properties {
                    guard case .number(let number) = property.value else { continue }
                    expected[property.name] = .number(number)
                }
                let cells = row.row.filter { $0.key == "n" || $0.key.hasPrefix("c") && $0.key.count == 2 }
                #expect(cells.filter { $0.value != .null } == expected)
                #expect(try #require(row.version) > previous)
                previous = try #require(row.version)
            }
            let last = try #require(try await second.find("a", in: same))
            #expect(last.version == previous)
        },
    ]
}

extension RowUpdate {
    fileprivate static func replacement(_ values: KeyValuePairs<String, Value>) -> RowUpdate {
        var update = RowUpdate(values.map { Property($0.key, $0.value) })
        update.replaces = true
        return update
    }
}
