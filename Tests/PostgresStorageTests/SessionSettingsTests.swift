import Foundation
import OData
import PostgresStorage
import PostgresTesting
import Scalars
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Sessions of PostgreSQL are zumod's own` {
    /// What a role, a database or a server may have set, each to what zumod doesn't mean.
    private static let hostile = [
        ("TimeZone", "'Asia/Kathmandu'"), ("DateStyle", "'SQL, DMY'"), ("IntervalStyle", "iso_8601"),
        ("standard_conforming_strings", "off"), ("backslash_quote", "off"), ("escape_string_warning", "off"),
        ("quote_all_identifiers", "on"), ("transform_null_equals", "on"), ("array_nulls", "off"),
        ("extra_float_digits", "-15"), ("bytea_output", "escape"), ("xmlbinary", "hex"), ("xmloption", "document"),
        ("client_encoding", "LATIN1"), ("gin_fuzzy_search_limit", "1"),
        ("default_transaction_isolation", "serializable"), ("default_transaction_deferrable", "on"),
        ("default_text_search_config", "'pg_catalog.german'"), ("lc_monetary", "'C'"), ("row_security", "off"),
    ]

    private static let definition = """
        CREATE TABLE "Trip" (
            id text PRIMARY KEY, "at" timestamp, "day" date, instant timestamptz, ratio double precision, single real,
            price numeric, note text, raw bytea, span interval)
        """
    private static let rows = """
        INSERT INTO "Trip" VALUES
            ('a', '2026-03-29 02:30:00.123', '2026-03-29', '2026-03-29 01:30:00.5Z', 0.1::float8 + 0.2, 0.1, 1.10,
                E'a\\\\b ''ü''', '\\x00ff5c', '1 mon 2 days'),
            ('b', '1900-01-01 00:00', '1900-01-01', '1900-01-01 00:00Z', 1e-300, 3.4e38, -0.00, '', '\\x', '-1 day'),
            ('c', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
        """

    /// A role of its own with the settings, and a schema of its own that it finds.
    private struct Place {
        let backend: PostgresBackend
        let role: String

        init(schema: String? = nil, settings: [(String, String)], keepsSessions: Bool = true) throws {
            let base = try PostgresBackend.make()
            let schema = schema.map { "\(base.schema) \($0)" } ?? base.schema
            let quoted = "\"\(schema.replacing("\"", with: "\"\""))\""
            role = "role_\(base.schema)"
            let server = try RawSession(PostgresBackend.server ?? "")
            try server.runNow("CREATE SCHEMA IF NOT EXISTS \(quoted); CREATE ROLE \(role) LOGIN")
            try server.runNow("GRANT ALL ON SCHEMA \(quoted) TO \(role)")
            try server.runNow("ALTER ROLE \(role) SET search_path = \(quoted)")
            for (name, value) in settings { try server.runNow("ALTER ROLE \(role) SET \(name) = \(value)") }
            let url = (PostgresBackend.server ?? "").replacing("//zumod@", with: "//\(role)@")
            var settings = PostgresBackend.settings
            settings.keepsSessions = keepsSessions
            backend = PostgresBackend(url: url, schema: quoted, settings: settings)
        }

        func remove() {
            backend.remove()
            _ = try? RawSession(PostgresBackend.server ?? "").runNow("DROP OWNED BY \(role); DROP ROLE \(role)")
        }
    }

    /// All that a table holds but what each write changes, as a session that says what it means sees it.
    private static func contents(of backend: PostgresBackend) async throws -> [[String?]] {
        let session = try RawSession(backend.url)
        try await session.run(
            """
            SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET bytea_output = 'hex'; SET extra_float_digits = 1;
            SET IntervalStyle = 'postgres'
            """)
        return try await session.run(
            """
            SELECT id, "at", "day", instant, ratio, single, price, note, raw, span FROM "Trip" ORDER BY id
            """)
    }

    @Test(arguments: [true, false])
    func `whatever the role says, a row that is read and saved stays as it was`(keepsSessions: Bool) async throws {
        let place = try Place(settings: Self.hostile, keepsSessions: keepsSessions)
        defer { place.remove() }
        let plain = try RawSession(place.backend.url)
        try await plain.run("SET standard_conforming_strings = on; SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'")
        try await plain.run("\(Self.definition); \(Self.rows)")
        let before = try await Self.contents(of: place.backend)
        try await PostgresAdoption.plan("Trip", softDelete: true, url: place.backend.url).perform()
        #expect(try await Self.contents(of: place.backend) == before)
        let store = try await place.backend.open([TableDefinition(name: "Trip")])
        let table = try #require(store.table(named: "Trip"))
        let rows = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
        let first = try #require(rows.rows.first { $0["id"] == .text("a") })
        #expect(first["at"] == .text("2026-03-29T02:30:00.123Z"))
        #expect(first["day"] == .text("2026-03-29T00:00:00.000Z"))
        #expect(first["instant"] == .text("2026-03-29T01:30:00.500Z"))
        #expect(first["ratio"] == .number(0.1 + 0.2) && first["price"] == .decimal("1.10"))
        for row in rows.rows {
            guard case .text(let id) = row["id"] else { continue }
            let properties = table.columns.compactMap { column in
                row[column.name.text].map { Property(column.name.text, Self.value($0, of: column)) }
            }
            let written = try await store.update(.text(id), set: properties, in: table, into: RecordedRows())
            #expect(written.outcome == .written)
            for column in table.columns { #expect(written.row.row[column.name.text] == row[column.name.text]) }
        }
        #expect(try await Self.contents(of: place.backend) == before)
        try await place.backend.close(store)
        let snapshot = try await PostgresSnapshot.open(url: place.backend.url)
        let kept = try #require(try await snapshot.contents().tables.first { $0.table.name == "Trip" })
        let exported = try await snapshot.page(of: kept.table, after: nil, limit: 10, into: RecordedRows()).rows
        await snapshot.close()
        #expect(exported.rows.first?["at"] == first["at"] && exported.rows.first?["day"] == first["day"])
        #expect(try await Self.findings(in: place.backend, []).isEmpty)
    }

    /// What verification finds, but for the settings of a server for tests.
    private static func findings(
        in backend: PostgresBackend, _ tables: [TableDefinition]
    ) async throws -> [Finding] {
        try await PostgresVerification.findings(at: backend.url, tables: tables)
            .filter { !$0.problem.hasPrefix("the server's setting") }
    }

    /// A cell as the client that read it sends it back.
    private static func value(_ cell: Cell, of column: Column) -> Value {
        switch cell {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .integer(let whole): .integer(whole)
        case .number(let number): .number(number)
        case .decimal(let digits): DecimalNumber(digits).map { .decimal($0) } ?? .null
        case .version: .null
        case .text(let text): column.type == .date ? Instant(text).map { .date($0) } ?? .null : .text(text)
        }
    }

    @Test(arguments: [true, false])
    func `filters mean the same whatever the role says`(keepsSessions: Bool) async throws {
        let place = try Place(settings: Self.hostile, keepsSessions: keepsSessions)
        defer { place.remove() }
        let definition = TableDefinition(
            name: "Item",
            columns: [
                Column("text", .string), Column("at", .date), Column("day", .dateOnly), Column("number", .number),
            ], indexes: [["text"]])
        let store = try await place.backend.open([definition])
        let table = try #require(store.table(named: "Item"))
        // The types of days and times are found though names are written in quotes.
        #expect(table.columns == definition.columns)
        _ = try await store.insert(
            [
                Property("text", .text("Größe \\ 'x'")), Property("at", .date(Instant("2026-03-29T02:30:00.123Z")!)),
                Property("day", .text("2026-03-29")), Property("number", .number(0.1)),
            ], id: .text("a"), in: table, into: RecordedRows())
        for filter in [
            "hour(at) eq 2 and minute(at) eq 30 and second(at) eq 0", "contains(text, '\\')", "day eq 2026-03-29",
            "date(at) eq 2026-03-29", "at eq 2026-03-29T02:30:00.123Z", "startswith(text, 'größe')", "text ne null",
        ] {
            var query = TableQuery(limit: 10)
            query.filter = try QueryOptions.parse([("$filter", filter)], language: .datasync).filter
            let rows = try await store.list(query, in: table, into: RecordedRows()).rows
            #expect(rows.ids == ["a"], "\(filter)")
        }
        var query = TableQuery(limit: 10)
        query.filter = try QueryOptions.parse([("$filter", "concat(number, 'x') eq '0.1x'")], language: .apps).filter
        #expect(try await store.list(query, in: table, into: RecordedRows()).rows.ids == ["a"])
        // Another program's session compiles the functions of triggers and indexes by its own settings.
        let before = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
        try await place.backend.run(
            "INSERT INTO \"Item\" (id, text) VALUES ('b', 'ÄÖÜ é'); UPDATE \"Item\" SET number = 1")
        let after = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
        #expect(after.ids.count == 2 && Set(after.stamps).isDisjoint(with: before.stamps))
        let key = """
            SELECT encode(convert_to(\(place.backend.schema).zumod_sorted(text), 'UTF8'), 'hex')
            FROM \(place.backend.schema)."Item" ORDER BY id
            """
        let keys = try await RawSession(PostgresBackend.server ?? "").run(key)
        #expect(try await RawSession(place.backend.url).run(key) == keys && keys.count == 2)
        try await place.backend.close(store)
    }

    @Test(arguments: ["Mixed", "with blank", "with.dot", "with \"quotes\"", "UPPER.lower \"x\" ü"])
    func `a schema may have any name`(name: String) async throws {
        let place = try Place(schema: name, settings: [])
        defer { place.remove() }
        try await place.backend.run("\(Self.definition); \(Self.rows)")
        try await PostgresAdoption.plan("Trip", softDelete: true, url: place.backend.url).perform()
        let item = TableDefinition(
            name: "Item", columns: [Column("text", .string), Column("day", .dateOnly)], indexes: [["text"]])
        for _ in 1...2 {
            let store = try await place.backend.open([item, TableDefinition(name: "Trip")])
            let table = try #require(store.table(named: "Item"))
            #expect(table.columns == item.columns)
            _ = try await store.insert(
                [Property("text", .text("x"))], id: .text(UUID().uuidString), in: table, into: RecordedRows())
            try await place.backend.run("UPDATE \"Item\" SET text = 'y'; DELETE FROM \"Trip\" WHERE id = 'a'")
            let rows = try await store.list(TableQuery(limit: 10), in: table, into: RecordedRows()).rows
            #expect(rows.rows.allSatisfy { $0["text"] == .text("y") })
            _ = try await (store as? PostgresTableStore)?.rowCounts()
            try await place.backend.close(store)
        }
        #expect(try await Self.findings(in: place.backend, [item]).isEmpty)
        #expect(try await PostgresTableStore.pendingChanges(url: place.backend.url, tables: [item]).isEmpty)
    }

    @Test func `a trigger that sets the time zone for good sets it for its own transaction only`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run(
            """
            \(Self.definition); \(Self.rows);
            CREATE FUNCTION settle() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM set_config('TimeZone', 'Asia/Kathmandu', false); RETURN NEW; END $$;
            CREATE TRIGGER settle BEFORE UPDATE ON "Trip" FOR EACH ROW EXECUTE FUNCTION settle()
            """)
        let before = try await Self.contents(of: backend)
        try await PostgresAdoption.plan("Trip", softDelete: true, url: backend.url).perform()
        let store = try await backend.open([TableDefinition(name: "Trip")])
        let table = try #require(store.table(named: "Trip"))
        let instant = try #require(Instant("2026-03-29T02:30:00.123Z"))
        for _ in 1...4 {
            let written = try await store.update(
                .text("a"), set: [Property("at", .date(instant))], in: table, into: RecordedRows())
            #expect(written.row.row["at"] == .text("2026-03-29T02:30:00.123Z"))
        }
        #expect(try await Self.contents(of: backend) == before)
        try await backend.close(store)
    }

    @Test func `a trigger that sets the search path for good costs its session, and no other request`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.run("\(Self.definition); \(Self.rows)")
        try await PostgresAdoption.plan("Trip", softDelete: true, url: backend.url).perform()
        try await backend.run(
            """
            CREATE FUNCTION stray() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM set_config('search_path', 'public', false); RETURN NEW; END $$;
            CREATE TRIGGER stray BEFORE UPDATE ON "Trip" FOR EACH ROW EXECUTE FUNCTION stray()
            """)
        let store = try await backend.open([TableDefinition(name: "Trip")])
        let table = try #require(store.table(named: "Trip"))
        for number in 1...4 {
            let note = Property("note", .text("\(number)"))
            _ = try await store.update(.text("a"), set: [note], in: table, into: RecordedRows())
            #expect(try await store.list(TableQuery(limit: 9), in: table, into: RecordedRows()).rowCount == 3)
        }
        try await backend.close(store)
    }

    @Test func `functions that fire or read texts bring their settings with them`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        try await backend.close(try await backend.open([]))
        let functions = try await RawSession(backend.url).run(
            """
            SELECT p.proname, p.prosecdef, p.proconfig, p.prorettype = 'trigger'::regtype,
                has_function_privilege('public', p.oid, 'EXECUTE'),
                l.lanname = 'plpgsql' AND strpos(p.prosrc, chr(92)) > 0
            FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
            WHERE p.pronamespace = '\(backend.schema)'::regnamespace ORDER BY 1
            """)
        #expect(functions.count > 20)
        for function in functions {
            let (name, fires) = (function[0] ?? "", function[3] == "t")
            #expect(function[1] == (fires ? "t" : "f") && function[4] == (fires ? "f" : "t"), "\(name)")
            guard fires || function[5] == "t" else { continue }
            let settings = function[2] ?? ""
            #expect(settings.contains("search_path=pg_catalog, \(backend.schema), pg_temp"), "\(name): \(settings)")
            #expect(settings.contains("standard_conforming_strings=on"), "\(name): \(settings)")
        }
        #expect(
            Set(functions.filter { $0[3] == "t" }.map { $0[0] }) == ["zumod_keep", "zumod_renew", "zumod_take_turn"])
    }
}
