import OData
import Tables
import Testing

extension ConformanceCase {
    /// New rows, their ids, and reading them.
    public static let inserts: [ConformanceCase] = [
        ConformanceCase("an insert answers the whole row with stamps, a version and every column") { bench in
            let (store, table) = try await bench.open(.todo())
            let result = try await store.insert("a", ["text": .text("milk")], in: table)
            #expect(result.outcome == .written)
            #expect(result.row.names == ["id", "createdAt", "updatedAt", "version", "deleted", "text", "complete"])
            #expect(result.row.updatedAt == bench.clock.now)
            #expect(result.row.createdAt == bench.clock.now)
            #expect(result.row.version != nil)
            #expect(result.row.row["id"] == .text("a"))
            #expect(result.row.row["deleted"] == .boolean(false))
            #expect(result.row.row["text"] == .text("milk"))
            #expect(result.row.row["complete"] == .null)
            #expect(try await store.find("a", in: table) == result.row)
        },
        ConformanceCase("property names match columns in any case, and the last of two counts") { bench in
            let (store, table) = try await bench.open(.todo())
            let result = try await store.insert("a", ["TEXT": .text("one"), "Text": .text("two")], in: table)
            #expect(result.row.row["text"] == .text("two"))
        },
        ConformanceCase("a taken id answers the row that has it, unchanged") { bench in
            let (store, table) = try await bench.open(.todo())
            let first = try await store.insert("a", ["text": .text("first")], in: table)
            let second = try await store.insert("a", ["text": .text("second")], in: table)
            #expect(second.outcome == .duplicate)
            #expect(second.row == first.row)
        },
        ConformanceCase("a tombstone's id is taken") { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert("a", in: table)
            let tombstone = try await store.delete("a", in: table)
            let again = try await store.insert("a", in: table)
            #expect(again.outcome == .duplicate)
            #expect(again.row == tombstone.row)
        },
        ConformanceCase("a removed row's id is free again") { bench in
            let (store, table) = try await bench.open(.todo())
            let first = try await store.insert("a", in: table)
            try await store.delete("a", in: table)
            let second = try await store.insert("a", in: table)
            #expect(second.outcome == .written)
            #expect(try #require(second.row.version) > #require(first.row.version))
        },
        ConformanceCase("ids differ by case, by blanks and by digits that mean the same number") { bench in
            let (store, table) = try await bench.open(.todo())
            for id in ["a", "A", "a ", "5", "05", "5.0", "é", "e\u{301}", "'", "%", "null", "日本", "😀"] {
                #expect(try await store.insert(id, ["text": .text(id)], in: table).outcome == .written)
            }
            for id in ["a", "A", "a ", "5", "05", "5.0", "é", "e\u{301}", "'", "%", "null", "日本", "😀"] {
                let found = try #require(try await store.find(id, in: table))
                guard case .text(let stored) = found.row["text"] else { throw MissingCell() }
                #expect(Array(stored.utf8) == Array(id.utf8))
            }
            #expect(try await store.find("B", in: table) == nil)
        },
        ConformanceCase("an insert without an id into a table with text ids fails") { bench in
            let (store, table) = try await bench.open(.todo())
            await #expect(throws: TableError.self) { try await store.insert(nil, in: table) }
        },
        ConformanceCase("a table that numbers its rows gives each the next number and takes none twice") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.autoIncrement = true })
            var numbers: [Cell?] = []
            for _ in 1...3 {
                let row = try await store.insert([], id: nil, in: table, into: RecordedRows()).row
                numbers.append(row.row["id"])
            }
            #expect(numbers == [.integer(1), .integer(2), .integer(3)])
            let removed = try await store.delete(.integer(3), if: .none, in: table, into: RecordedRows())
            #expect(removed.outcome == .written)
            let next = try await store.insert([], id: nil, in: table, into: RecordedRows())
            #expect(next.row.row["id"] == .integer(4))
            let taken = try await store.insert([], id: .integer(2), in: table, into: RecordedRows())
            #expect(taken.outcome == .duplicate)
        },
        ConformanceCase("a number that a row came with is passed over by those that follow") { bench in
            let (store, table) = try await bench.open(.todo { $0.rules.autoIncrement = true })
            for (given, number) in [(nil, 1), (2, 2), (nil, 3), (9, 9), (5, 5), (nil, 10)] as [(Int64?, Int64)] {
                let row = try await store.insert([], id: given.map(RowID.integer), in: table, into: RecordedRows())
                #expect(row.outcome == .written && row.row.row["id"] == .integer(number))
            }
        },
        ConformanceCase("an id of the other kind finds nothing and writes nothing") { bench in
            let definition = TableDefinition.todo {
                $0.name = "numbered"
                $0.rules.autoIncrement = true
            }
            let store = try await bench.open([.todo(), definition])
            let text = try #require(store.table(named: "TodoItem"))
            let numbered = try #require(store.table(named: "numbered"))
            try await store.insert("1", in: text)
            _ = try await store.insert([], id: .integer(1), in: numbered, into: RecordedRows())
            #expect(try await store.find("1", in: numbered) == nil)
            #expect(try await store.update("1", ["text": .text("x")], in: numbered).outcome == .missing)
            #expect(try await store.update("1", [:], in: numbered).outcome == .missing)
            #expect(try await store.delete("1", in: numbered).outcome == .missing)
            let found = try await store.find(
                .integer(1), in: text, includeDeleted: true, into: RecordedRows())
            #expect(found == nil)
            await #expect(throws: TableError.self) { try await store.insert("1", in: numbered) }
        },
        ConformanceCase("find answers the selected columns in their order") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", ["text": .text("milk")], in: table)
            let found = try #require(try await store.find("a", in: table, select: ["text", "ID", "TEXT"]))
            #expect(found.names == ["text", "id"])
            #expect(found.row == ["text": .text("milk"), "id": .text("a")])
            await expectError(.query(QueryError("$select", at: 0, .unknownColumn("nothing")))) {
                _ = try await store.find("missing", in: table, select: ["nothing"])
            }
        },
        ConformanceCase("the store answers a sign of life") { bench in
            try await bench.open([]).ping()
        },
    ]
}

struct MissingCell: Error {}
