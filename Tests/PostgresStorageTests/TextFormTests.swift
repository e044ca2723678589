import OData
import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing

/// Columns whose texts are UUIDs or JSON in the database.
@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Columns of uuid and json in adopted tables` {
    private static let low = "01234567-89ab-cdef-0123-456789abcdef"
    private static let high = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
    private static let array = "[1, 2]"
    private static let object = "{\"a\": 1}"

    /// A store with the rows a, b and c, of which c has nothing but its id.
    private func adopted(
        _ change: (inout TableDefinition) -> Void = { _ in },
        _ body: (any TableStore, Table, PostgresBackend) async throws -> Void
    ) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await backend.run("CREATE TABLE kinds (id text PRIMARY KEY, mark uuid, told json, kept text)")
        try await backend.run(
            """
            INSERT INTO kinds VALUES ('a', '\(Self.high)', '\(Self.object)', 'x'),
                ('b', '\(Self.low)', '\(Self.array)', 'y'), ('c', NULL, NULL, NULL)
            """)
        try await PostgresAdoption.plan("kinds", softDelete: false, url: backend.url).perform()
        var definition = TableDefinition(name: "kinds")
        change(&definition)
        let store = try await backend.open([definition])
        try await body(store, try #require(store.table(named: "kinds")), backend)
        try await backend.close(store)
    }

    private static func query(
        _ options: [(String, String)], _ language: QueryLanguage = .apps, limit: Int = 10
    ) throws -> TableQuery {
        let parsed = try QueryOptions.parse(options, language: language)
        var query = TableQuery(limit: limit)
        (query.filter, query.order, query.select) = (parsed.filter, parsed.order, parsed.select)
        if language == .datasync { (query.textComparison, query.nullComparison) = (.ordinal, .value) }
        return query
    }

    @Test(arguments: [
        ("mark eq '\(high)'", "a"), ("mark ne '\(high)'", "b"), ("startswith(mark, 'a0ee')", "a"),
        ("substringof('89ab', mark)", "b"), ("mark gt '\(low)'", "a"), ("mark eq null", "c"), ("told eq '[1, 2]'", "b"),
        ("length(told) eq 8", "a"), ("concat(mark, kept) eq '\(low)y'", "b"), ("toupper(mark) eq mark", "a b"),
    ]) func `filter and find by their text`(filter: String, ids: String) async throws {
        try await adopted { store, table, _ in
            let query = try Self.query([("$filter", filter)])
            #expect(try await store.list(query, in: table, into: RecordedRows()).rows.ids.joined(separator: " ") == ids)
        }
    }

    @Test func `a filter of v3 compares by code point, and a UUID as the database has it`() async throws {
        try await adopted { store, table, _ in
            for (filter, ids) in [
                ("mark eq '\(Self.high)'", ["a"]), ("mark eq '\(Self.high.uppercased())'", ["a"]),
                ("mark in ('\(Self.low)', 'x')", ["b"]), ("mark ne '\(Self.low)'", ["a", "c"]),
                ("contains(told, '1, 2')", ["b"]), ("mark lt told", ["a", "b"]),
            ] {
                let query = try Self.query([("$filter", filter)], .datasync)
                #expect(try await store.list(query, in: table, into: RecordedRows()).rows.ids == ids, "\(filter)")
            }
            let upper = try Self.query([("$filter", "mark eq '\(Self.high.uppercased())'")])
            #expect(try await store.list(upper, in: table, into: RecordedRows()).rows.ids == ["a"])
        }
    }

    @Test(arguments: [QueryLanguage.apps, .datasync], [nil, "id,kept"])
    func `order and walk by them`(language: QueryLanguage, select: String?) async throws {
        try await adopted { store, table, _ in
            for (order, ids) in [
                ("mark", ["c", "b", "a"]), ("mark desc", ["a", "b", "c"]), ("told", ["c", "b", "a"]),
                ("told desc,mark", ["a", "b", "c"]), ("kept desc,mark desc", ["b", "a", "c"]),
            ] {
                let options = [("$orderby", order)] + (select.map { [("$select", $0)] } ?? [])
                var query = try Self.query(options, language, limit: 1)
                var seen: [String] = []
                for _ in 1...3 {
                    let page = try await store.list(query, in: table, into: RecordedRows())
                    seen += page.rows.ids
                    #expect(page.hasMore == (page.cursor != nil), "\(order)")
                    query.after = page.cursor
                }
                #expect(seen == ids, "\(order)")
            }
        }
    }

    @Test func `inserts, updates and replacements write them`() async throws {
        try await adopted { store, table, _ in
            let new = [Property("mark", .text("{\(Self.high.uppercased())}")), Property("told", .text(" \"a\" "))]
            let inserted = try await store.insert(new, id: .text("d"), in: table, into: RecordedRows())
            #expect(inserted.row.row["mark"] == .text(Self.high) && inserted.row.row["told"] == .text(" \"a\" "))
            let digits = [Property("mark", .text(Self.low.replacing("-", with: "").uppercased()))]
            let updated = try await store.update(.text("d"), set: digits, in: table, into: RecordedRows())
            #expect(updated.row.row["mark"] == .text(Self.low) && updated.row.row["told"] == .text(" \"a\" "))
            let none = [Property("mark", .null), Property("told", .null)]
            let emptied = try await store.update(.text("d"), set: none, in: table, into: RecordedRows())
            #expect(emptied.row.row["mark"] == .null && emptied.row.row["told"] == .null)
            var replacement = RowUpdate([Property("told", .text("[]"))])
            replacement.replaces = true
            let replaced = try await store.update(.text("a"), replacement, in: table, into: RecordedRows())
            #expect(replaced.row.row["told"] == .text("[]") && replaced.row.row["mark"] == .null)
        }
    }

    @Test(arguments: [
        ("mark", "x"), ("mark", ""), ("mark", "\(low)0"), ("mark", " \(low)"), ("mark", "0-\(low.dropFirst())"),
        ("mark", "{\(low)"), ("mark", "０1234567-89ab-cdef-0123-456789abcdef"), ("told", "{"), ("told", ""),
        ("told", "\u{FEFF}1"), ("told", "01"), ("told", "'a'"),
    ]) func `a text of another form is refused`(column: String, text: String) async throws {
        try await adopted { store, table, _ in
            let refusal = TableError.typeMismatch(property: column, column: .string, found: .text(text))
            let values = [Property(column, .text(text))]
            await #expect(throws: refusal) {
                _ = try await store.insert(values, id: .text("d"), in: table, into: RecordedRows())
            }
            await #expect(throws: refusal) {
                _ = try await store.update(.text("a"), set: values, in: table, into: RecordedRows())
            }
            let rows = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
            #expect(rows.ids == ["a", "b", "c"])
        }
    }

    @Test func `an import writes and replaces them`() async throws {
        try await adopted { store, table, _ in
            let transfer = try #require(store as? any TransferStore)
            let (mark, told) = (try #require(table.column(named: "mark")), try #require(table.column(named: "told")))
            let rows = ["a", "d"].map { id in
                ImportRow(
                    id: .text(id), createdAt: nil, updatedAt: nil, version: nil, isDeleted: false,
                    assignments: [
                        .init(column: mark, value: .text(Self.low)),
                        .init(column: told, value: id == "a" ? .text("1") : .null),
                    ])
            }
            let batch = ImportBatch(rows: rows, rule: .replace)
            guard case .written(let counts) = try await transfer.importRows(batch, into: table) else {
                Issue.record("nothing was written")
                return
            }
            #expect(counts.inserted == 1 && counts.replaced == 1)
            let found = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows.rows
            #expect(found.map { $0["mark"] } == [.text(Self.low), .text(Self.low), .null, .text(Self.low)])
            #expect(found.map { $0["told"] } == [.text("1"), .text(Self.array), .null, .null])
        }
    }

    @Test func `a user's rows are known by them`() async throws {
        try await adopted { store, table, _ in
            let own = Expression.binary(.equal, .column("mark", at: 0), .literal(.text(Self.high), at: 0), at: 0)
            for scope in [RowScope(own), RowScope(.literal(.boolean(true), at: 0), writable: own)] {
                var query = try Self.query([("$orderby", "mark desc")])
                query.scope = RowScope(own)
                #expect(try await store.list(query, in: table, into: RecordedRows()).rows.ids.first == "a")
                #expect(
                    try await store.find(
                        .text("a"), in: table, select: nil, includeDeleted: false, scope: scope,
                        into: RecordedRows()) != nil)
                let id = scope.writable == nil ? "d" : "e"
                let values = [Property("mark", .text(Self.high.uppercased())), Property("told", .text("1"))]
                let inserted = try await store.insert(
                    values, id: .text(id), scope: scope, in: table, into: RecordedRows())
                #expect(inserted.outcome == .written)
                let change = RowUpdate([Property("told", .text("2")), Property("mark", .text(Self.high))])
                let updated = try await store.update(
                    .text(id), change, scope: scope, in: table, into: RecordedRows())
                #expect(updated.row.row["told"] == .text("2"))
                await #expect(throws: TableError.outsideScope) {
                    let moved = RowUpdate([Property("mark", .text(Self.low))])
                    _ = try await store.update(.text(id), moved, scope: scope, in: table, into: RecordedRows())
                }
            }
        }
    }

    @Test func `indexes hold them, and definitions may name them`() async throws {
        try await adopted {
            $0.columns = [Column("mark", .string)]
            $0.indexes = [["mark"], ["told", "kept"]]
        } _: { store, table, backend in
            #expect(table.column(named: "mark") == Column("mark", .string, form: .uuid))
            let query = try Self.query([("$filter", "mark eq '\(Self.low)'"), ("$orderby", "told")])
            #expect(try await store.list(query, in: table, into: RecordedRows()).rows.ids == ["b"])
            try await backend.run(
                """
                SET enable_seqscan = off; SET enable_bitmapscan = off;
                -- While older snapshots are in use, a new index may not be used for rows that changed before.
                CREATE TABLE empty (LIKE kinds INCLUDING ALL);
                CREATE FUNCTION plan(query text) RETURNS text LANGUAGE plpgsql AS $$
                DECLARE line text; lines text := '';
                BEGIN
                    FOR line IN EXECUTE 'EXPLAIN ' || query LOOP lines := lines || line; END LOOP;
                    RETURN lines;
                END $$;
                DO $$ BEGIN
                    ASSERT plan('SELECT 1 FROM empty WHERE "mark"::text = ''x'' COLLATE "C"') LIKE '%Index Cond%';
                    ASSERT plan('SELECT 1 FROM empty WHERE zumod_sorted("mark"::text) = ''x'' COLLATE "C"')
                        LIKE '%Index Cond%';
                END $$
                """)
        }
    }

    @Test func `scripts read and write them`() async throws {
        try await adopted { store, table, _ in
            let statements = try #require(store as? any StatementStore)
            func run(_ text: String) async throws -> [[Value]] {
                try await statements.run(StatementScript(text)).last?.rows ?? []
            }
            #expect(try await run("SELECT id FROM kinds WHERE mark = '\(Self.high.uppercased())'") == [[.text("a")]])
            #expect(try await run("SELECT id FROM kinds ORDER BY mark DESC") == [["a"], ["b"], ["c"]])
            #expect(
                try await run("SELECT mark, COUNT(*) FROM kinds WHERE mark LIKE 'a0%' GROUP BY mark")
                    == [[.text(Self.high), .integer(1)]])
            #expect(try await run("SELECT MAX(mark), MIN(told) FROM kinds") == [[.text(Self.high), .text(Self.array)]])
            _ = try await run("INSERT INTO kinds (id, mark, told) VALUES ('d', '\(Self.low)', NULL), ('e', NULL, '1')")
            _ = try await run("UPDATE kinds SET mark = UPPER('\(Self.high)'), told = '2' WHERE id = 'd'")
            _ = try await run(
                "UPDATE k SET k.mark = o.mark, k.told = o.told FROM kinds k JOIN kinds o ON o.id = 'a' WHERE k.id = 'e'"
            )
            _ = try await run("INSERT INTO kinds (id, mark, told) SELECT 'f', mark, told FROM kinds WHERE id = 'b'")
            let output = try await run(
                "UPDATE kinds SET mark = NULL OUTPUT deleted.mark, inserted.told WHERE mark = '\(Self.low)' AND id='f'"
            )
            #expect(output == [[.text(Self.low), .text(Self.array)]])
            #expect(
                try await run("SELECT mark, told FROM kinds WHERE id IN ('d', 'e', 'f') ORDER BY id") == [
                    [.text(Self.high), .text("2")], [.text(Self.high), .text(Self.object)], [.null, .text(Self.array)],
                ])
            await #expect {
                _ = try await run("UPDATE kinds SET mark = 'x'")
            } throws: {
                if case .refused? = $0 as? StatementError { true } else { false }
            }
        }
    }

    @Test func `a column that becomes one of text, or no longer is one, is used as it is now`() async throws {
        try await adopted { store, table, backend in
            _ = try await store.update(.text("a"), set: [Property("told", .text("3"))], in: table, into: RecordedRows())
            try await backend.run("ALTER TABLE kinds ALTER mark TYPE text, ALTER kept TYPE uuid USING NULL")
            let new = [Property("mark", .text("x")), Property("kept", .text(Self.low))]
            let query = try Self.query([("$filter", "mark eq '\(Self.low)'"), ("$orderby", "kept")])
            #expect(try await store.list(query, in: table, into: RecordedRows()).rows.ids == ["b"])
            let updated = try await store.update(.text("a"), set: new, in: table, into: RecordedRows())
            #expect(updated.row.row["mark"] == .text("x") && updated.row.row["kept"] == .text(Self.low))
        }
    }
}
