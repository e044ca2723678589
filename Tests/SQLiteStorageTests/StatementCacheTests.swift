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
        var cache = FindCache(capacity: 2)
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

@Suite struct `The queue between callers and threads` {
    @Test func `hands out what is there, up to a number and in order`() {
        let queue = BlockingQueue<Int>()
        for number in 1...5 { #expect(queue.push(number)) }
        #expect(queue.take(upTo: 3) == [1, 2, 3])
        #expect(queue.take(upTo: 3) == [4, 5])
    }

    @Test func `takes nothing more after its end, but hands out the rest`() {
        let queue = BlockingQueue<Int>()
        #expect(queue.push(1))
        queue.close()
        #expect(!queue.push(2))
        #expect(queue.take(upTo: 9) == [1])
        #expect(queue.take(upTo: 9) == nil)
    }

    @Test func `several threads take each element once`() async {
        let queue = BlockingQueue<Int>()
        let pool = WorkerPool(threads: 4)
        async let sums = withTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let sum = try? await pool.run(by: "", limit: .seconds(100)) { _ in
                        var sum = 0
                        while let taken = queue.take(upTo: 2) { sum += taken.reduce(0, +) }
                        return sum
                    }
                    return sum ?? 0
                }
            }
            return await group.reduce(0, +)
        }
        for number in 1...1_000 { #expect(queue.push(number)) }
        queue.close()
        #expect(await sums == 500_500)
    }
}
