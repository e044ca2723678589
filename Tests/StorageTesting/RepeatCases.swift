import OData
import Tables
import Testing

extension ConformanceCase {
    /// Writes that their clients send again.
    public static let repeats: [ConformanceCase] = [
        ConformanceCase("an insert sent again is answered as before, and only with its own receipt") { bench in
            let (store, table) = try await bench.open(.todo())
            let first = try await store.insert("a", ["text": .text("x")], receipt: .of(1), in: table)
            #expect(first.outcome == .written && !first.isRepeat)
            let again = try await store.insert("a", ["text": .text("x")], receipt: .of(1), in: table)
            #expect(again.outcome == .written && again.isRepeat && again.row == first.row)
            for receipt in [nil, .of(2)] as [WriteReceipt?] {
                let other = try await store.insert("a", ["text": .text("x")], receipt: receipt, in: table)
                #expect(other.outcome == .duplicate && !other.isRepeat)
            }
            #expect(try await store.find("a", in: table) == first.row)
        },
        ConformanceCase("an update sent again is answered as before until somebody else writes the row") { bench in
            let (store, table) = try await bench.open(.todo())
            let old = Precondition.version(try #require(try await store.insert("a", in: table).row.version))
            let values: KeyValuePairs<String, Value> = ["text": .text("x")]
            let first = try await store.update("a", values, if: old, receipt: .of(1), in: table)
            for _ in 1...2 {
                let again = try await store.update("a", values, if: old, receipt: .of(1), in: table)
                #expect(again.outcome == .written && again.isRepeat && again.row == first.row)
            }
            let others = try await store.update("a", ["complete": .boolean(true)], in: table)
            let refused = try await store.update("a", values, if: old, receipt: .of(1), in: table)
            #expect(refused.outcome == .mismatch && refused.row == others.row)
        },
        ConformanceCase("a delete sent again is answered as before, with or without soft delete") { bench in
            for isSoft in [true, false] {
                let (store, table) = try await bench.open(
                    .todo {
                        $0.name = isSoft ? "soft" : "hard"
                        $0.rules.softDelete = isSoft
                    })
                let row = try await store.insert("a", ["text": .text("\u{0}é")], in: table).row
                let old = Precondition.version(try #require(row.version))
                let first = try await store.delete("a", if: old, receipt: .of(1), in: table)
                for _ in 1...2 {
                    let again = try await store.delete("a", if: old, receipt: .of(1), in: table)
                    #expect(again.outcome == .written && again.isRepeat && again.row == first.row)
                }
                let other = try await store.delete("a", if: old, receipt: .of(2), in: table)
                #expect(other.outcome == (isSoft ? .tombstone : .missing) && !other.isRepeat)
            }
        },
        ConformanceCase("what is not refused is done as often as it is sent") { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", in: table)
            var versions: Set<Version> = []
            for (number, text) in [(1, "one"), (2, "two"), (1, "one"), (1, "one")] {
                let row = try await store.update(
                    "a", ["text": .text(text)], receipt: .of(UInt8(number)), in: table)
                #expect(row.outcome == .written && !row.isRepeat && row.row.row["text"] == .text(text))
                versions.insert(try #require(row.row.version))
            }
            #expect(versions.count == 4)
            for _ in 1...2 {
                let dead = try await store.delete("a", receipt: .of(3), in: table)
                #expect(dead.outcome == .written && !dead.isRepeat && dead.row.row["deleted"] == .boolean(true))
                let live = try await store.update("a", .undelete, receipt: .of(4), in: table)
                #expect(live.outcome == .written && !live.isRepeat && live.row.row["deleted"] == .boolean(false))
            }
        },
        ConformanceCase("a row that was removed and made anew is not the one of before") { bench in
            let (store, table) = try await bench.open(.todo())
            for _ in 1...2 {
                let made = try await store.insert("a", receipt: .of(1), in: table)
                #expect(made.outcome == .written && !made.isRepeat)
                let gone = try await store.delete("a", receipt: .of(2), in: table)
                #expect(gone.outcome == .written && !gone.isRepeat && gone.row == made.row)
            }
            let old = Precondition.version(Version(counter: 1))
            try await store.insert("a", in: table)
            #expect(try await store.delete("a", if: old, receipt: .of(2), in: table).outcome == .mismatch)
        },
        ConformanceCase("an insert of an id that has become a tombstone is refused") { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", receipt: .of(1), in: table)
            let tombstone = try await store.delete("a", in: table)
            let again = try await store.insert("a", receipt: .of(1), in: table)
            #expect(again.outcome == .duplicate && again.row == tombstone.row)
        },
        ConformanceCase("a refused write leaves no receipt") { bench in
            let (store, table) = try await bench.open(.todo())
            let row = try await store.insert("a", in: table).row
            for _ in 1...2 {
                let refused = try await store.update(
                    "a", ["text": .text("x")], if: .unmatchable, receipt: .of(1), in: table)
                #expect(refused.outcome == .mismatch && refused.row == row)
                #expect(try await store.delete("b", receipt: .of(2), in: table).outcome == .missing)
                #expect(try await store.insert("a", receipt: .of(3), in: table).outcome == .duplicate)
            }
        },
        ConformanceCase("a write is known again within its window, and a clock that goes back ends nothing") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", receipt: .of(1), in: table)
            for (step, outcome) in [(59_000, .written), (-120_000, .written), (122_000, .duplicate)]
                as [(Int64, WriteOutcome)]
            {
                bench.clock.move(byMilliseconds: step)
                #expect(try await store.insert("a", receipt: .of(1), in: table).outcome == outcome)
            }
        },
        ConformanceCase("a write is known again within its window, however many come after it") { bench in
            let (store, table) = try await bench.open(.todo())
            let numbers = 0..<UInt8(70)
            for number in numbers {
                bench.clock.move(byMilliseconds: 10)
                try await store.insert("\(number)", receipt: .of(number), in: table)
            }
            for number in numbers {
                #expect(try await store.insert("\(number)", receipt: .of(number), in: table).isRepeat)
            }
        },
        ConformanceCase("a write is known again after a restart", needs: .persistence) { bench in
            let (store, table) = try await bench.open(.todo())
            let first = try await store.insert("a", ["text": .text("x")], receipt: .of(1), in: table)
            let (reopened, same) = try await bench.open(.todo())
            let again = try await reopened.insert("a", ["text": .text("x")], receipt: .of(1), in: same)
            #expect(again.outcome == .written && again.isRepeat && again.row == first.row)
        },
        ConformanceCase("a row that has left the scope is not shown again") { bench in
            let (store, table) = try await bench.open(.todo())
            let scope = RowScope(.binary(.equal, .column("text", at: 0), .literal(.text("x"), at: 0), at: 0))
            let values: KeyValuePairs<String, Value> = ["text": .text("x")]
            try await store.insert("a", values, scope: scope, receipt: .of(1), in: table)
            try await store.update("a", ["text": .text("y")], in: table)
            #expect(try await store.insert("a", values, scope: scope, receipt: .of(1), in: table).outcome == .taken)
        },
        ConformanceCase("what is to be done once is done once, whatever became of the row") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.autoIncrement = true })
            let once = WriteReceipt.of(1, isOnce: true)
            let first = try await store.insert(nil, ["text": .text("x")], receipt: once, in: table)
            #expect(first.row.row["id"] == .integer(1) && !first.isRepeat)
            _ = try await store.update(
                .integer(1), set: [Property("text", .text("y"))], in: table, into: RecordedRows())
            let again = try await store.insert(nil, ["text": .text("x")], receipt: once, in: table)
            #expect(again.outcome == .written && again.isRepeat && again.row == first.row)
            _ = try await store.delete(.integer(1), in: table, into: RecordedRows())
            #expect(try await store.insert(nil, ["text": .text("x")], receipt: once, in: table).row == first.row)
            let second = try await store.insert(
                nil, ["text": .text("x")], receipt: .of(2, isOnce: true), in: table)
            #expect(second.row.row["id"] == .integer(2))
            bench.clock.move(byMilliseconds: 61_000)
            let late = try await store.insert(nil, ["text": .text("x")], receipt: once, in: table)
            #expect(!late.isRepeat)
        },
        ConformanceCase("of any number of writes with one receipt, one is done and all have its answer") { bench in
            let store = try await bench.open([
                .todo { $0.rules.autoIncrement = true }, .todo { $0.name = "named" },
            ])
            let table = try #require(store.table(named: "TodoItem"))
            let named = try #require(store.table(named: "named"))
            for isOnce in [true, false] {
                let results = try await inParallel(24) { number in
                    let receipt = WriteReceipt.of(isOnce ? 1 : 2, isOnce: isOnce)
                    let column = number % 2 == 0 ? "text" : "new"
                    return isOnce
                        ? try await store.insert(nil, [column: .text("x")], receipt: receipt, in: table)
                        : try await store.insert("a", ["text": .text("x")], receipt: receipt, in: named)
                }
                #expect(results.count { !$0.isRepeat } == 1)
                #expect(results.allSatisfy { $0.outcome == .written && $0.row == results[0].row })
            }
            #expect(try await store.list(TableQuery(limit: 100), in: try store.current(table)).rowCount == 1)
        },
        ConformanceCase("a repeat is told before it is made, and nothing else is") { bench in
            for isSoft in [true, false] {
                let (store, table) = try await bench.open(
                    .todo {
                        $0.name = isSoft ? "soft" : "hard"
                        $0.rules.softDelete = isSoft
                    })
                func recall(
                    _ action: RowWrite.Action, if precondition: Precondition = .none, scope: RowScope? = nil,
                    _ receipt: WriteReceipt
                ) async throws -> RecordedRows? {
                    let write = RowWrite(
                        action, of: .text("a"), in: table.name, if: precondition, scope: scope, receipt: receipt)
                    let known = try await store.recall(write, in: table, into: RecordedRows())
                    #expect(known.map { $0.outcome == .written && $0.isRepeat && $0.row.faults.isEmpty } ?? true)
                    return known?.row
                }
                let isText = RowScope(.binary(.equal, .column("text", at: 0), .literal(.text("x"), at: 0), at: 0))
                let isOther = RowScope(.binary(.equal, .column("text", at: 0), .literal(.text("y"), at: 0), at: 0))
                let isSeen = RowScope(.literal(.boolean(true), at: 0), writable: isOther.condition)
                #expect(try await recall(.insert, .of(1)) == nil)
                let made = try await store.insert("a", ["text": .text("x")], receipt: .of(1), in: table)
                for scope in [nil, isText, isSeen] {
                    #expect(try await recall(.insert, scope: scope, .of(1)) == made.row)
                }
                #expect(try await recall(.insert, scope: isOther, .of(1)) == nil)
                #expect(try await recall(.insert, .of(2)) == nil)

                let change = RowWrite.Action.update
                let old = Precondition.version(try #require(made.row.version))
                let changed = try await store.update(
                    "a", ["complete": .boolean(true)], if: old, receipt: .of(3), in: table)
                #expect(try await recall(.insert, .of(1)) == nil)
                #expect(try await recall(change, if: old, .of(3)) == changed.row)
                #expect(try await recall(change, if: old, scope: isText, .of(3)) == changed.row)
                for (precondition, scope) in [(.none, nil), (old, isOther), (old, isSeen)]
                    as [(Precondition, RowScope?)]
                {
                    #expect(try await recall(change, if: precondition, scope: scope, .of(3)) == nil)
                }

                let new = Precondition.version(try #require(changed.row.version))
                #expect(try await recall(.delete, if: new, .of(4)) == nil)
                let gone = try await store.delete("a", if: new, receipt: .of(4), in: table)
                #expect(try await recall(.delete, if: new, .of(4)) == gone.row)
                #expect(try await recall(.delete, .of(5)) == nil)
                bench.clock.move(byMilliseconds: 61_000)
                #expect(try await recall(.delete, if: new, .of(4)) == nil)
            }
        },
        ConformanceCase("what was done once is told before it is made again, whatever became of the row") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.autoIncrement = true })
            let once = WriteReceipt.of(1, isOnce: true)
            let write = RowWrite(.insert, of: nil, in: table.name, receipt: once)
            #expect(try await store.recall(write, in: table, into: RecordedRows())?.row == nil)
            let first = try await store.insert(nil, ["text": .text("x")], receipt: once, in: table)
            _ = try await store.delete(.integer(1), in: table, into: RecordedRows())
            let known = try #require(try await store.recall(write, in: table, into: RecordedRows()))
            #expect(known.outcome == .written && known.isRepeat && known.row == first.row)
        },
    ]
}

extension WriteReceipt {
    /// A receipt that is good for a minute.
    fileprivate static func of(_ number: UInt8, isOnce: Bool = false) -> WriteReceipt {
        WriteReceipt(key: Array(repeating: number, count: 16), isOnce: isOnce, window: .seconds(60))
    }
}
