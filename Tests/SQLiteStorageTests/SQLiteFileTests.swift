import Foundation
import StorageTesting
import Tables
import Testing

@testable import SQLiteStorage

/// What holds for a SQLite file beside the contract of every store.
@Suite struct `A SQLite file` {
    private let backend = SQLiteBackend.inFile()

    private func definition(_ change: (inout TableDefinition) -> Void = { _ in }) -> TableDefinition {
        var definition = TableDefinition(
            name: "TodoItem", columns: [Column("text", .string), Column("rank", .number)])
        change(&definition)
        return definition
    }

    private func withStore(
        _ definition: TableDefinition, _ body: (SQLiteTableStore, Table) async throws -> Void
    ) async throws {
        let store = try SQLiteTableStore.open(backend.location, tables: [definition], servesClientTables: true)
        do {
            try await body(store, try #require(store.table(named: definition.name)))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func insert(_ id: String, _ text: String, in table: Table, of store: SQLiteTableStore) async throws {
        let result = try await store.insert(
            [Property("text", .text(text))], id: .text(id), in: table, into: RecordedRows())
        #expect(result.outcome == .written)
    }

    @Test func `commits are synced to a write-ahead log`() async throws {
        defer { backend.remove() }
        try await withStore(definition()) { store, _ in
            let settings = try await store.writer.read { connection throws(TableError) in
                var settings: [String] = []
                for name in ["journal_mode", "synchronous"] {
                    try connection.query("PRAGMA \(name)") { settings.append($0.string(at: 0)) }
                }
                return settings
            }
            #expect(settings == ["wal", "2"])
        }
    }

    @Test func `after the end of the store everything is in the one file`() async throws {
        defer { backend.remove() }
        try await withStore(definition()) { store, table in try await insert("a", "milk", in: table, of: store) }
        guard case .file(let path) = backend.location else { return }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["zumod.db"])
        #expect(try backend.query("SELECT id, text, length(updatedAt) FROM TodoItem") == [["a", "milk", "24"]])
    }

    @Test func `a second start changes nothing in the schema`() async throws {
        defer { backend.remove() }
        let indexed = definition { $0.indexes = [["rank"], ["text", "rank"]] }
        try await withStore(indexed) { _, _ in }
        let before = try backend.query("PRAGMA schema_version; SELECT * FROM zumod_migrations")
        try await withStore(indexed) { _, _ in }
        #expect(try backend.query("PRAGMA schema_version; SELECT * FROM zumod_migrations") == before)
    }

    @Test func `triggers of an older text are made anew`() async throws {
        defer { backend.remove() }
        try await withStore(definition()) { _, _ in }
        let sql = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'TodoItem' ORDER BY name"
        let before = try backend.query(sql)
        _ = try backend.query(
            """
            DROP TRIGGER "zumod_TodoItem.updated"; DROP TRIGGER "zumod_TodoItem.inserted";
            CREATE TRIGGER "zumod_TodoItem.updated" AFTER UPDATE ON TodoItem BEGIN SELECT 1; END
            """)
        try await withStore(definition()) { _, _ in }
        #expect(before.count == 2)
        #expect(try backend.query(sql) == before)
    }

    @Test func `sync and case-blind equality read by an index`() async throws {
        defer { backend.remove() }
        try await withStore(definition { $0.indexes = [["text"]] }) { _, _ in }
        let plans = [
            "SELECT * FROM TodoItem WHERE updatedAt > '2026' ORDER BY updatedAt, id LIMIT 50",
            "SELECT * FROM TodoItem WHERE text = 'MILK' COLLATE NOCASE",
        ].map { try? backend.query("EXPLAIN QUERY PLAN \($0)") }
        #expect(plans[0]?.count == 1 && plans[0]?.first?.last??.contains("zumod_TodoItem.updatedAt.id") == true)
        #expect(plans[1]?.count == 1 && plans[1]?.first?.last??.contains("zumod_TodoItem.text") == true)
    }

    @Test func `indexes whose names run together are all made`() async throws {
        defer { backend.remove() }
        let tables: [TableDefinition] = [
            TableDefinition(
                name: "a", columns: [Column("b_c", .string), Column("b", .string), Column("c", .string)],
                indexes: [["b_c"], ["b", "c"]]),
            TableDefinition(name: "a_b", columns: [Column("c", .string)], indexes: [["c"]]),
        ]
        let store = try SQLiteTableStore.open(backend.location, tables: tables, servesClientTables: false)
        await store.close()
        let count = try backend.query(
            "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('a', 'a_b')")
        #expect(count == [["12"]])
    }

    @Test func `a full database refuses the write that doesn't fit, and takes the next that does`() async throws {
        defer { backend.remove() }
        try await withStore(definition()) { store, table in
            _ = try await store.writer.read { connection throws(TableError) in
                try connection.run("PRAGMA max_page_count = 40")
            }
            let long = String(repeating: "x", count: 1_000_000)
            await #expect(throws: TableError.full) { try await insert("a", long, in: table, of: store) }
            try await insert("b", "short", in: table, of: store)
            let found = try await store.find(
                .text("a"), in: table, includeDeleted: false, into: RecordedRows())
            #expect(found == nil)
        }
    }

    @Test func `a database that another program has locked is unavailable, and serves again after that`() async throws {
        defer { backend.remove() }
        try await withStore(definition()) { store, table in
            _ = try await store.writer.read { connection throws(TableError) in
                try connection.run("PRAGMA busy_timeout = 20")
            }
            let other = try SQLiteConnection(backend.location, role: .writer)
            try other.run("BEGIN IMMEDIATE")
            let error = await #expect(throws: TableError.self) { try await insert("a", "x", in: table, of: store) }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            // Readers don't wait for writers.
            try await store.ping()
            try other.run("ROLLBACK")
            try await insert("a", "x", in: table, of: store)
        }
    }

    @Test func `a place where no database can be is unavailable`() {
        let error = #expect(throws: TableError.self) {
            _ = try SQLiteTableStore.open(.file("/proc/nowhere/zumod.db"), tables: [], servesClientTables: false)
        }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a file that is no database is refused and left alone`() throws {
        defer { backend.remove() }
        guard case .file(let path) = backend.location else { return }
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let text = String(repeating: "This is a letter, not a database. ", count: 100)
        try text.write(to: file, atomically: true, encoding: .utf8)
        #expect(throws: TableError.self) {
            _ = try SQLiteTableStore.open(backend.location, tables: [], servesClientTables: false)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `a file with text in UTF-16 is named, with how to convert it`() throws {
        defer { backend.remove() }
        guard case .file(let path) = backend.location else { return }
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try backend.query("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (x)")
        let error = #expect(throws: TableError.self) {
            _ = try SQLiteTableStore.open(backend.location, tables: [], servesClientTables: false)
        }
        let words = "keeps its text in UTF-16le, and zumod needs UTF-8: `sqlite3 "
        #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
        let read = #expect(throws: TableError.self) {
            _ = try SQLiteVerification.findings(in: path, tables: [])
        }
        #expect(read == error)
        let checked = #expect(throws: TableError.self) {
            _ = try SQLiteTableStore.check(backend.location, tables: [], servesClientTables: false)
        }
        #expect(checked == error)
    }

    @Test func `a table that zumod did not make is refused and left alone`() async throws {
        defer { backend.remove() }
        try await withStore(definition()) { _, _ in }
        _ = try backend.query("CREATE TABLE Foreign_ (x); INSERT INTO Foreign_ VALUES (1)")
        #expect(throws: TableError.self) {
            _ = try SQLiteTableStore.open(
                backend.location, tables: [TableDefinition(name: "foreign_")], servesClientTables: false)
        }
        #expect(try backend.query("SELECT * FROM Foreign_") == [["1"]])
    }

    @Test func `a failed start leaves no half-made tables`() async throws {
        defer { backend.remove() }
        let bad = TableDefinition(name: "bad", indexes: [["nowhere"]])
        #expect(throws: TableError.self) {
            _ = try SQLiteTableStore.open(backend.location, tables: [definition(), bad], servesClientTables: false)
        }
        #expect(try backend.query("SELECT name FROM zumod_tables") == [])
        #expect(try backend.query("SELECT name FROM sqlite_master WHERE name = 'TodoItem'") == [])
    }
}
