import Tables
import Testing

extension ConformanceCase {
    /// Many callers, and many servers, at once.
    public static let concurrency: [ConformanceCase] = [
        ConformanceCase("of any number of inserts of one id, one wins and the others see its row") { bench in
            let (store, table) = try await bench.open(.todo())
            let results = try await inParallel(32) { number in
                try await store.insert("same", ["text": .text("\(number)")], in: table)
            }
            let winners = results.filter { $0.outcome == .written }
            #expect(winners.count == 1)
            #expect(results.filter { $0.outcome == .duplicate }.count == 31)
            #expect(results.allSatisfy { $0.row == winners.first?.row })
        },
        ConformanceCase("of any number of writers with one version, one wins") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let version = try #require(try await store.insert("a", in: table).row.version)
            let results = try await inParallel(32) { number in
                switch number % 4 {
                case 0: try await store.delete("a", if: .version(version), in: table).outcome
                case 1: try await store.undelete("a", if: .version(version), in: table).outcome
                default:
                    try await store.update("a", ["text": .text("\(number)")], if: .version(version), in: table).outcome
                }
            }
            #expect(results.count { $0 == .written } == 1)
            #expect(results.allSatisfy { [.written, .mismatch, .tombstone].contains($0) })
        },
        ConformanceCase("a bad write among many fails alone") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.dynamicSchema = true })
            let failures = try await inParallel(64) { number -> Bool in
                do {
                    // The column is a number to whoever comes second, and text to none.
                    let value: Value = number == 20 ? .text("bad") : .number(Double(number))
                    try await store.insert("row \(number)", ["n": value, "m\(number)": .number(1)], in: table)
                    return false
                } catch is TableError {
                    return true
                }
            }
            let written = try await inParallel(64) { number in
                try await store.find("row \(number)", in: table) != nil
            }
            for (failed, isThere) in zip(failures, written) { #expect(failed != isThere) }
        },
        ConformanceCase("writers beside readers keep every stamp and version distinct") { bench in
            let (store, table) = try await bench.open(.todo())
            let rows = try await inParallel(100) { number in
                let row = try await store.insert("row \(number)", in: table).row
                // What was acknowledged is there for everybody.
                #expect(try await store.find("row \(number)", in: table) == row)
                return row
            }
            #expect(Set(rows.compactMap(\.version)).count == 100)
            #expect(Set(rows.compactMap(\.updatedAt)).count == 100)
            let byVersion = rows.sorted { ($0.version?.counter ?? 0) < ($1.version?.counter ?? 0) }
            let stamps = byVersion.compactMap(\.updatedAt)
            #expect(stamps == stamps.sorted())
        },
        ConformanceCase("two servers on one database share stamps, versions and preconditions", needs: .otherPrograms) {
            bench in
            let (first, table) = try await bench.open(.todo())
            let second = try await bench.openBeside([.todo()])
            let same = try #require(second.table(named: table.name))
            let rows = try await inParallel(40) { number in
                number.isMultiple(of: 2)
                    ? try await first.insert("row \(number)", in: table).row
                    : try await second.insert("row \(number)", in: same).row
            }
            #expect(Set(rows.compactMap(\.version)).count == 40)
            #expect(Set(rows.compactMap(\.updatedAt)).count == 40)
            let version = try #require(rows[0].version)
            let outcomes = try await inParallel(8) { number in
                let (store, table) = number.isMultiple(of: 2) ? (first, table) : (second, same)
                return try await store.update(
                    "row 0", ["text": .text("\(number)")], if: .version(version), in: table
                ).outcome
            }
            #expect(outcomes.count { $0 == .written } == 1)
        },
        ConformanceCase("two servers on one database add columns beside each other", needs: .otherPrograms) { bench in
            let (first, table) = try await bench.open(.todo())
            let second = try await bench.openBeside([.todo()])
            let same = try #require(second.table(named: table.name))
            let outcomes = try await inParallel(20) { number in
                let (store, table) = number.isMultiple(of: 2) ? (first, table) : (second, same)
                return try await store.insert(
                    "row \(number)", ["extra": .number(1), "c\(number / 4)": .text("x")], in: table
                ).outcome
            }
            #expect(outcomes.allSatisfy { $0 == .written })
            for (store, id) in [(first, "first"), (second, "second")] {
                try await store.insert(id, in: table)
                #expect(
                    Set(try store.current(table).columns.dropFirst(2).map(\.name.text))
                        == ["extra", "c0", "c1", "c2", "c3", "c4"])
            }
        },
        ConformanceCase("reads are answered however fast clients add columns, with those that were there before") {
            bench in
            let (store, table) = try await bench.open(.todo())
            let query = TableQuery(limit: 50)
            _ = try await inParallel(8) { number in
                for turn in 0..<40 {
                    if number < 4 {
                        let id = "row \(number) \(turn)"
                        try await store.insert(id, ["c\(number)x\(turn)": .number(1)], in: table)
                    } else {
                        let current = try store.current(table)
                        let names = try await store.list(query, in: current, into: RecordedRows()).rows.names
                        // Without rows PostgreSQL has no word of a newer schema, and nothing lacks a column.
                        let known = Set(current.columns.map(\.name.text))
                        if !names.isEmpty { #expect(known.isSubset(of: names)) }
                    }
                }
            }
        },
    ]
}
