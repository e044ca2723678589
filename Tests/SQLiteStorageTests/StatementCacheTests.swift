import StorageTesting
import Tables
import Testing

@testable import SQLiteStorage

@Suite struct `The statement cache` {
    @Test func `keeps as many statements as it may, and drops the one unused for longest`() throws {
        let connection = try SQLiteConnection(.memory, role: .writer)
        var cache = StatementCache(capacity: 3)
        for text in ["SELECT 1", "SELECT 2", "SELECT 3"] { cache.keep(try connection.prepared(text), for: text) }
        #expect(cache.statement(for: "SELECT 1") != nil)
        cache.keep(try connection.prepared("SELECT 4"), for: "SELECT 4")
        #expect(cache.count == 3)
        #expect(cache.statement(for: "SELECT 2") == nil)
        #expect(cache.statement(for: "SELECT 1") != nil)
        #expect(cache.statement(for: "SELECT 4") != nil)
    }

    @Test func `a connection runs more statements than it keeps`() throws {
        let connection = try SQLiteConnection(.memory, role: .writer)
        for number in 0..<1_000 {
            var answer: Int64 = -1
            try connection.query("SELECT \(number)") { answer = $0.integer(at: 0) }
            #expect(answer == Int64(number))
        }
    }

    @Test func `a find of a table that gained columns answers them`() throws {
        let connection = try SQLiteConnection(.memory, role: .writer)
        var cache = FindStatementCache(capacity: 2)
        let tables = (0..<5).map { number in
            Table(
                name: "t", columns: (0..<number).map { Column(Identifier(stringLiteral: "c\($0)"), .number) },
                rules: TableRules())
        }
        for table in tables {
            #expect(cache[table, includeDeleted: true] == nil)
            cache.keep(try connection.prepared("SELECT 1"), for: table, includeDeleted: true)
            #expect(cache[table, includeDeleted: true] != nil)
            #expect(cache[table, includeDeleted: false] == nil)
        }
        #expect(cache[tables[0], includeDeleted: true] == nil)
    }
}
