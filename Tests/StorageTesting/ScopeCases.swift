import OData
import Tables
import Testing

extension ConformanceCase {
    /// What a caller sees and can do whose rows are not all rows.
    public static let scopes: [ConformanceCase] = [
        ConformanceCase("a row out of scope is neither found, listed nor counted") { bench in
            let (store, table) = try await bench.open(.owned())
            for (id, owner) in [("a", "ann"), ("b", "bob"), ("c", "ann")] {
                try await store.insert(id, ["owner": .text(owner)], in: table)
            }
            try await store.insert("d", in: table)
            try await store.delete("c", in: table)
            #expect(try await store.find("a", in: table, scope: .ann)?.ids == ["a"])
            for id in ["b", "c", "d", "missing"] {
                #expect(try await store.find(id, in: table, scope: .ann) == nil)
            }
            #expect(try await store.find("c", in: table, includeDeleted: true, scope: .ann) != nil)
            var query = TableQuery(limit: 10)
            query.scope = .ann
            query.wantsCount = true
            query.filter = .binary(.notEqual, .column("id", at: 0), .literal(.text("x"), at: 0), at: 0)
            let page = try await store.list(query, in: table)
            #expect(page.rows.ids == ["a"])
            #expect(page.totalCount == 1)
            query.includeDeleted = true
            query.limit = 1
            #expect(try await store.list(query, in: table).hasMore)
            query.after = PageCursor(values: [], id: .text("a"))
            #expect(try await store.list(query, in: table).rows.ids == ["c"])
        },
        ConformanceCase("a write of a row out of scope misses it, though its version is right") { bench in
            let (store, table) = try await bench.open(.owned())
            let row = try await store.insert("b", ["owner": .text("bob")], in: table).row
            let tombstone = try await store.insert("t", ["owner": .text("bob")], deleted: true, in: table).row
            for (id, row) in [("b", row), ("t", tombstone)] {
                for precondition in [Precondition.none, .version(try #require(row.version)), .unmatchable] {
                    for result in [
                        try await store.update(id, ["text": .text("x")], if: precondition, scope: .ann, in: table),
                        try await store.update(id, [:], if: precondition, scope: .ann, in: table),
                        try await store.update(id, ["new": .text("x")], if: precondition, scope: .ann, in: table),
                        try await store.delete(id, if: precondition, scope: .ann, in: table),
                        try await store.undelete(id, if: precondition, scope: .ann, in: table),
                    ] {
                        #expect(result.outcome == .missing)
                    }
                }
                #expect(try await store.find(id, in: try store.current(table), includeDeleted: true) == row)
            }
            #expect(try store.current(table).columns == table.columns)
        },
        ConformanceCase("a write in scope does what it does without one") { bench in
            let (store, table) = try await bench.open(.owned())
            let first = try await store.insert("a", ["owner": .text("ann")], scope: .ann, in: table)
            #expect(first.outcome == .written)
            let version = Precondition.version(try #require(first.row.version))
            let updated = try await store.update("a", ["text": .text("x")], if: version, scope: .ann, in: table)
            #expect(updated.outcome == .written)
            let stale = try await store.update("a", ["text": .text("y")], if: version, scope: .ann, in: table)
            #expect(stale.outcome == .mismatch && stale.row == updated.row)
            #expect(try await store.delete("a", scope: .ann, in: table).outcome == .written)
            #expect(try await store.delete("a", scope: .ann, in: table).outcome == .tombstone)
            let undeleted = try await store.undelete("a", scope: .ann, in: table)
            #expect(undeleted.outcome == .written && undeleted.row.row["deleted"] == .boolean(false))
            let (hard, same) = try await bench.open(.owned { $0.name = "hard" })
            try await hard.insert("a", ["owner": .text("ann")], scope: .ann, in: same)
            #expect(try await hard.delete("a", scope: .ann, in: same).outcome == .written)
        },
        ConformanceCase("an id that a row out of scope has is taken, and the row is not shown") { bench in
            let (store, table) = try await bench.open(.owned())
            let row = try await store.insert("b", ["owner": .text("bob")], in: table).row
            let own: KeyValuePairs<String, Value> = ["owner": .text("ann")]
            #expect(try await store.insert("b", own, scope: .ann, in: table).outcome == .taken)
            let widening = try await store.insert(
                "b", ["owner": .text("ann"), "new": .text("x")], scope: .ann, in: table)
            #expect(widening.outcome == .taken)
            #expect(try store.current(table).columns == table.columns)
            let mine = try await store.insert("a", own, scope: .ann, in: table).row
            let again = try await store.insert("a", own, scope: .ann, in: table)
            #expect(again.outcome == .duplicate && again.row == mine)
            #expect(try await store.find("b", in: table) == row)
        },
        ConformanceCase("a row that would be out of scope is not written, nor are its columns added") { bench in
            let (store, table) = try await bench.open(.owned())
            let row = try await store.insert("a", ["owner": .text("ann")], in: table).row
            for values in [["owner": .text("bob")], [:], ["owner": .text("Ann")]] as [KeyValuePairs<String, Value>] {
                await expectError(.outsideScope) { try await store.insert("b", values, scope: .ann, in: table) }
            }
            await expectError(.outsideScope) {
                try await store.insert("b", ["owner": .text("bob"), "new": .text("x")], scope: .ann, in: table)
            }
            for values in [
                ["owner": .text("bob")], ["owner": .null], ["owner": .text("bob"), "new": .text("x")],
            ] as [KeyValuePairs<String, Value>] {
                await expectError(.outsideScope) { try await store.update("a", values, scope: .ann, in: table) }
            }
            #expect(try await store.find("b", in: table) == nil)
            #expect(try await store.find("a", in: table) == row)
            #expect(try store.current(table).columns == table.columns)
            // Not only is the catalog as it was: the column can be made, with another type.
            let next = try await store.insert(
                "c", ["owner": .text("ann"), "new": .boolean(true)], scope: .ann, in: table)
            #expect(next.row.row["new"] == .boolean(true))
        },
        ConformanceCase("a refused row costs the others of its batch nothing") { bench in
            let (store, table) = try await bench.open(.owned())
            let outcomes = try await inParallel(48) { number -> WriteOutcome? in
                let owner: Value = .text(number % 3 == 0 ? "bob" : "ann")
                let column = number % 4 == 0 ? "new\(number)" : "text"
                do {
                    return try await store.insert(
                        "\(number)", ["owner": owner, column: .text("x")], scope: .ann, in: table
                    ).outcome
                } catch TableError.outsideScope {
                    return nil
                }
            }
            #expect(outcomes.count { $0 == .written } == 32)
            #expect(try await store.list(TableQuery(limit: 100), in: try store.current(table)).rowCount == 32)
            #expect(try store.current(table).columns.count { $0.name.text.hasPrefix("new") } == 8)
        },
        ConformanceCase("a scope has v3's rules, whatever those of the query are") { bench in
            let (store, table) = try await bench.open(.owned())
            try await store.insert("a", ["owner": .text("ann")], in: table)
            try await store.insert("b", ["owner": .text("ANN")], in: table)
            try await store.insert("c", in: table)
            let others = RowScope(.binary(.notEqual, .column("owner", at: 0), .literal(.text("ann"), at: 0), at: 0))
            for comparison in TextComparison.allCases {
                for nulls in NullComparison.allCases {
                    var query = TableQuery(limit: 10)
                    query.textComparison = comparison
                    query.nullComparison = nulls
                    query.scope = others
                    #expect(try await store.list(query, in: table).rows.ids == ["b", "c"])
                    query.scope = .ann
                    #expect(try await store.list(query, in: table).rows.ids == ["a"])
                }
            }
            #expect(try await store.find("c", in: table, scope: others) != nil)
            #expect(try await store.update("c", ["text": .text("x")], scope: others, in: table).outcome == .written)
            #expect(try await store.update("b", ["owner": .null], scope: others, in: table).outcome == .written)
        },
        ConformanceCase("a column that the table has yet to gain is null to a scope") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("old", in: table)
            #expect(try await store.find("old", in: table, scope: .ann) == nil)
            let scope = RowScope(.binary(.equal, .column("owner", at: 0), .literal(.null, at: 0), at: 0))
            #expect(try await store.find("old", in: table, scope: scope) != nil)
            await expectError(.outsideScope) { try await store.insert("x", scope: .ann, in: table) }
            #expect(try await store.insert("a", ["owner": .text("ann")], scope: .ann, in: table).outcome == .written)
            var query = TableQuery(limit: 5)
            query.scope = .ann
            #expect(try await store.list(query, in: try store.current(table)).rows.ids == ["a"])
        },
        ConformanceCase("what is asked of a row is about the row as it is, and part of the write") { bench in
            let (store, table) = try await bench.open(.owned())
            try await store.insert("a", ["owner": .text("ann"), "text": .text("x")], in: table)
            try await store.insert("b", ["owner": .text("bob")], in: table)
            var asked = RowScope.ann
            asked.asked = try Self.condition(of: "text eq 'X'")
            #expect(try await store.update("b", ["text": .text("x")], scope: asked, in: table).outcome == .missing)
            // What it becomes is nobody's business.
            #expect(try await store.update("a", ["text": .text("y")], scope: asked, in: table).outcome == .written)
            #expect(try await store.update("a", ["text": .text("z")], scope: asked, in: table).outcome == .missing)
            #expect(try await store.delete("a", scope: asked, in: table).outcome == .missing)
            // Whoever is in its way finds no row, whatever its version.
            let stale = Precondition.version(Version(counter: 1 << 40))
            let versioned = try await store.update(
                .text("a"), RowUpdate([Property("text", .text("z"))]), if: stale, scope: asked, in: table,
                into: RecordedRows())
            #expect(versioned.outcome == .missing)
            // A column that is yet to come fulfils nothing.
            asked.asked = try Self.condition(of: "later ne 'x'")
            #expect(try await store.update("a", ["text": .text("z")], scope: asked, in: table).outcome == .missing)
            asked.asked = try Self.condition(of: "text eq 'Y'")
            #expect(try await store.delete("a", scope: asked, in: table).outcome == .written)
            #expect(try await store.update("b", ["text": .text("x")], in: table).outcome == .written)
        },
        ConformanceCase("of many writes that ask for the same state one is done") { bench in
            let (store, table) = try await bench.open(.owned())
            try await store.insert("a", ["text": .text("free")], in: table)
            var free = RowScope(.literal(.boolean(true), at: 0))
            free.asked = try Self.condition(of: "text eq 'free'")
            let outcomes = try await inParallel(24) { [free] number in
                try await store.update("a", ["text": .text("taken by \(number)")], scope: free, in: table).outcome
            }
            #expect(outcomes.count { $0 == .written } == 1)
            #expect(outcomes.count { $0 == .missing } == 23)
        },
        ConformanceCase("a table that numbers its rows does so in scope too") { bench in
            let (store, table) = try await bench.open(.owned { $0.rules.autoIncrement = true })
            let first = try await store.insert(nil, ["owner": .text("ann")], scope: .ann, in: table)
            #expect(first.outcome == .written && first.row.row["id"] == .integer(1))
            await expectError(.outsideScope) {
                try await store.insert(nil, ["owner": .text("bob")], scope: .ann, in: table)
            }
            await expectError(.outsideScope) {
                try await store.insert(nil, ["owner": .text("bob"), "new": .text("x")], scope: .ann, in: table)
            }
            #expect(try store.current(table).columns == table.columns)
        },
        ConformanceCase("a scope asks about new values of every type") { bench in
            let (store, table) = try await bench.open(.everyType)
            let scope = RowScope(try condition(of: everyTypeScope))
            let good: [Property] = properties([
                "a_string": .text("xyz"), "a_number": .number(1.5), "a_integer": .integer(7),
                "a_boolean": .boolean(true), "a_date": .text("2026-01-02T03:04:05.678Z"),
                "a_dateOnly": .text("2026-01-02"), "a_timeOnly": .text("10:11:12"),
            ])
            let bad: [String: Value] = [
                "a_string": .text("ayz"), "a_number": .number(1.25), "a_integer": .integer(8),
                "a_boolean": .boolean(false), "a_date": .text("2025-01-02T03:04:05.678Z"),
                "a_dateOnly": .text("2026-01-03"), "a_timeOnly": .text("09:11:12"),
            ]
            let written = try await store.insert(
                good, id: .text("a"), deleted: false, scope: scope, in: table, into: RecordedRows())
            #expect(written.outcome == .written)
            for (name, value) in bad {
                for value in [value, .null] {
                    let others = good.filter { $0.name != name } + [Property(name, value)]
                    await expectError(.outsideScope) {
                        _ = try await store.insert(
                            others, id: .text("b"), deleted: false, scope: scope, in: table, into: RecordedRows())
                    }
                    await expectError(.outsideScope) {
                        try await store.update("a", RowUpdate([Property(name, value)]), scope: scope, in: table)
                    }
                }
            }
            #expect(try await store.update("a", RowUpdate(good), scope: scope, in: table).outcome == .written)
        },
        ConformanceCase("a row in scope that may not be written is seen, and each write of it refused") { bench in
            let (store, table) = try await bench.open(.owned())
            try await store.insert("a", ["owner": .text("ann"), "complete": .boolean(true)], in: table)
            let row = try await store.insert("b", ["owner": .text("bob"), "complete": .boolean(true)], in: table).row
            let tombstone = try await store.insert(
                "t", ["owner": .text("bob"), "complete": .boolean(true)], deleted: true, in: table
            ).row
            try await store.insert("hidden", ["owner": .text("bob"), "complete": .boolean(false)], in: table)
            for (id, row) in [("b", row), ("t", tombstone)] {
                let found = try await store.find(id, in: table, includeDeleted: true, scope: .annWrites)
                #expect(found == row)
                for precondition in [Precondition.none, .version(try #require(row.version)), .unmatchable] {
                    for write in [
                        { try await store.update(id, ["text": .text("x")], if: precondition, scope: $0, in: table) },
                        { try await store.update(id, ["owner": .text("ann")], if: precondition, scope: $0, in: table) },
                        { try await store.update(id, [:], if: precondition, scope: $0, in: table) },
                        { try await store.update(id, ["new": .text("x")], if: precondition, scope: $0, in: table) },
                        { try await store.delete(id, if: precondition, scope: $0, in: table) },
                        { try await store.undelete(id, if: precondition, scope: $0, in: table) },
                    ] as [(RowScope) async throws -> Result] {
                        await expectError(.outsideScope) { _ = try await write(.annWrites) }
                    }
                }
                #expect(try await store.find(id, in: try store.current(table), includeDeleted: true) == row)
            }
            #expect(try store.current(table).columns == table.columns)
            #expect(try await store.delete("hidden", scope: .annWrites, in: table).outcome == .missing)
            let taken = try await store.insert("b", ["owner": .text("ann")], scope: .annWrites, in: table)
            #expect(taken.outcome == .duplicate && taken.row == row)
            let hidden = try await store.insert("hidden", ["owner": .text("ann")], scope: .annWrites, in: table)
            #expect(hidden.outcome == .taken)
            // Who could not write the row anyway learns nothing of its id.
            for id in ["hidden", "free"] {
                for values in [[:], ["new": .text("x")]] as [KeyValuePairs<String, Value>] {
                    await expectError(.outsideScope) {
                        try await store.insert(id, values, scope: .annWrites, in: table)
                    }
                }
            }
            #expect(try store.current(table).columns == table.columns)
            var query = TableQuery(limit: 9)
            query.scope = .annWrites
            query.wantsCount = true
            let page = try await store.list(query, in: table)
            #expect(page.rows.ids == ["a", "b"] && page.totalCount == 2)
            let (hard, same) = try await bench.open(.owned { $0.name = "hard" })
            try await hard.insert("b", ["owner": .text("bob"), "complete": .boolean(true)], in: same)
            await expectError(.outsideScope) { _ = try await hard.delete("b", scope: .annWrites, in: same) }
            #expect(try await hard.find("b", in: same) != nil)
        },
        ConformanceCase("a row has to be one that may be written before a write and after it") { bench in
            let (store, table) = try await bench.open(.owned())
            let shared: KeyValuePairs<String, Value> = ["owner": .text("ann"), "complete": .boolean(true)]
            let row = try await store.insert("a", shared, scope: .annWrites, in: table)
            #expect(row.outcome == .written)
            for values in [
                ["owner": .text("bob"), "complete": .boolean(true)], ["complete": .boolean(true)], [:],
                ["owner": .text("bob"), "complete": .boolean(true), "new": .text("x")],
            ] as [KeyValuePairs<String, Value>] {
                await expectError(.outsideScope) { try await store.insert("b", values, scope: .annWrites, in: table) }
            }
            for values in [["owner": .text("bob")], ["owner": .null]] as [KeyValuePairs<String, Value>] {
                await expectError(.outsideScope) { try await store.update("a", values, scope: .annWrites, in: table) }
            }
            let update = try await store.update("a", ["complete": .boolean(false)], scope: .annWrites, in: table)
            #expect(update.outcome == .written)
            let version = Precondition.version(try #require(row.row.version))
            let stale = try await store.update("a", ["text": .text("x")], if: version, scope: .annWrites, in: table)
            #expect(stale.outcome == .mismatch && stale.row == update.row)
            #expect(try await store.delete("a", scope: .annWrites, in: table).outcome == .written)
            #expect(try await store.delete("a", scope: .annWrites, in: table).outcome == .tombstone)
            #expect(try await store.undelete("a", scope: .annWrites, in: table).outcome == .written)
            #expect(try store.current(table).columns == table.columns)
            #expect(try await store.find("b", in: table) == nil)
        },
        ConformanceCase("a scope that can't be is the operator's error, not the query's") { bench in
            let (store, table) = try await bench.open(.todo())
            let scope = RowScope(.binary(.equal, .column("complete", at: 0), .literal(.text("x"), at: 0), at: 9))
            var query = TableQuery(limit: 5)
            query.scope = scope
            for body in [
                { _ = try await store.list(query, in: table) },
                { _ = try await store.find("a", in: table, scope: scope) },
                { try await store.insert("a", scope: scope, in: table) },
                { try await store.update("a", ["text": .text("x")], scope: scope, in: table) },
                { try await store.delete("a", scope: scope, in: table) },
            ] as [() async throws -> Void] {
                do {
                    try await body()
                    Issue.record("nothing was thrown")
                } catch TableError.definition {
                    continue
                } catch {
                    Issue.record(error)
                }
            }
        },
    ]

    private static let everyTypeScope = """
        startswith(a_string, 'x') and length(a_string) eq 3 and a_number eq 1.5 and a_integer mod 4 eq 3 and a_boolean \
        and year(a_date) eq 2026 and a_dateOnly eq 2026-01-02 and a_timeOnly gt 10:00:00
        """

    private static func condition(of filter: String) throws -> Expression {
        try #require(try QueryOptions.parse([("$filter", filter)], language: .datasync).filter)
    }
}

extension RowScope {
    private static func isAnns() -> Expression {
        .binary(.equal, .column("owner", at: 0), .literal(.text("ann"), at: 0), at: 0)
    }

    fileprivate static let ann = RowScope(isAnns())

    /// Ann sees her rows and what is complete, and writes her rows.
    fileprivate static let annWrites = RowScope(
        .binary(
            .or, isAnns(), .binary(.equal, .column("complete", at: 0), .literal(.boolean(true), at: 0), at: 0), at: 0),
        writable: isAnns())
}

extension TableDefinition {
    /// A table whose rows say whose they are.
    fileprivate static func owned(_ change: (inout TableDefinition) -> Void = { $0.rules.softDelete = true })
        -> TableDefinition
    {
        todo {
            $0.columns.append(Column("owner", .string))
            change(&$0)
        }
    }
}
