import OData
import Tables
import Testing

/// A word in two spellings of one look, which a `String` takes for equal and no database does.
private let composed = "caf\u{E9}"
private let apart = "cafe\u{301}"

extension RecordedRows {
    /// The bytes of a text of the only row.
    fileprivate func bytes(_ name: String) -> [UInt8]? {
        if case .text(let text) = row[name] { Array(text.utf8) } else { nil }
    }
}

extension ConformanceCase {
    /// What becomes of texts that look the same and aren't.
    public static let lookAlikes: [ConformanceCase] = [
        ConformanceCase("rows whose ids look alike are two rows") { bench in
            let (store, table) = try await bench.open(.softTodo())
            try await store.insert(composed, ["text": "one"], in: table)
            #expect(try await store.find(apart, in: table) == nil)
            #expect(try await store.insert(apart, ["text": "two"], in: table).outcome == .written)
            #expect(try await store.update(apart, ["text": "changed"], in: table).outcome == .written)
            #expect(try await store.find(composed, in: table)?.row["text"] == .text("one"))
            #expect(try await store.find(apart, in: table)?.row["text"] == .text("changed"))
            #expect(try await store.delete(composed, in: table).outcome == .written)
            let rows = try await store.list(TableQuery(limit: 10), in: table).rows
            #expect(rows.rows.count == 1 && rows.bytes("id") == Array(apart.utf8))
        },
        ConformanceCase("reads and writes of look-alike ids at one time are of their own rows") { bench in
            let (store, table) = try await bench.open(.softTodo())
            for id in [composed, apart] { try await store.insert(id, ["text": .text(id)], in: table) }
            try await withThrowingTaskGroup { group in
                for turn in 0..<40 {
                    let id = turn.isMultiple(of: 2) ? composed : apart
                    group.addTask {
                        let found = try await store.find(id, in: table)
                        #expect(found?.bytes("id") == Array(id.utf8))
                        var query = TableQuery(limit: 10)
                        query.filter = .binary(.equal, .column("id", at: 0), .literal(.text(id), at: 0), at: 0)
                        #expect(try await store.list(query, in: table).rows.bytes("id") == Array(id.utf8))
                        let written = try await store.update(id, ["text": .text("\(id) \(turn)")], in: table)
                        #expect(written.row.bytes("id") == Array(id.utf8))
                    }
                }
                try await group.waitForAll()
            }
            for id in [composed, apart] {
                let text = try #require(try await store.find(id, in: table)?.bytes("text"))
                #expect(text.starts(with: id.utf8))
            }
        },
        ConformanceCase("an import takes look-alike ids for two") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let rows = [composed, apart].enumerated().map { index, id in
                ImportRow(
                    id: .text(id), createdAt: nil, updatedAt: nil, version: nil, isDeleted: false,
                    assignments: [RowChanges.Assignment(column: table.columns[0], value: .text("\(index)"))])
            }
            var counts = ImportCounts()
            counts.inserted = 2
            #expect(try await store.transfer.importRows(ImportBatch(rows: rows), into: table) == .written(counts))
            #expect(try await store.find(composed, in: table)?.row["text"] == .text("0"))
            #expect(try await store.find(apart, in: table)?.row["text"] == .text("1"))
        },
        ConformanceCase("T-SQL: parameters that look alike are two", needs: .statements) { bench in
            let transact = try await TransactBench(bench, filled: false)
            for id in [composed, apart] { try await transact.store.insert(id, ["text": "t"], in: transact.items) }
            let both = try await transact.rows(
                "SELECT id FROM TodoItem WHERE id = ? OR id = ? ORDER BY id", [.text(composed), .text(apart)])
            #expect(both == [[.text(apart)], [.text(composed)]])
            let output = try await transact.rows(
                "UPDATE TodoItem SET text = id + '!' OUTPUT inserted.id, inserted.text WHERE amount IS NULL")
            #expect(output.count == 2)
            for row in output { #expect(row[1] == .text((row[0].textValue ?? "") + "!")) }
        },
    ]
}
