import OData
import Scalars
import Tables
import Testing

/// A store with the tables of an old backend, and short forms of what its scripts do.
struct TransactBench {
    let store: any TableStore
    let items: Table
    let users: Table

    static let itemColumns: [Column] = [
        Column("text", .string), Column("complete", .boolean), Column("price", .number), Column("amount", .integer),
        Column("due", .date), Column("userId", .string), Column("cost", .decimal), Column("day", .dateOnly),
    ]

    /// Opens a database whose items keep tombstones, and whose users don't.
    init(_ bench: Bench, filled: Bool = true) async throws {
        var soft = TableRules()
        soft.softDelete = true
        store = try await bench.open([
            TableDefinition(name: "TodoItem", columns: Self.itemColumns, rules: soft),
            TableDefinition(name: "people", columns: [Column("name", .string), Column("age", .number)]),
        ])
        items = try #require(store.table(named: "TodoItem"))
        users = try #require(store.table(named: "people"))
        if filled { try await fill() }
    }

    private func fill() async throws {
        func cost(_ text: String) throws -> Value { .decimal(try #require(DecimalNumber(text))) }
        try await store.insert(
            "a",
            [
                "text": "Milk", "complete": false, "price": 1.5, "amount": 2, "due": "2026-01-31T10:20:30.400Z",
                "userId": "U1", "cost": try cost("1.10"), "day": "2026-01-31",
            ], in: items)
        try await store.insert(
            "b",
            [
                "text": "bread", "complete": true, "price": 3, "amount": 5, "due": "2026-02-01T00:00:00.000Z",
                "userId": "u1", "cost": try cost("10.5"),
            ], in: items)
        try await store.insert("c", ["text": "Éclair", "price": 2, "amount": -7, "userId": "u2"], in: items)
        try await store.insert("d", ["complete": true, "amount": 9_007_199_254_740_993], in: items)
        try await store.insert("u1", ["name": "Ann", "age": 30], in: users)
        try await store.insert("u2", ["name": "Bob", "age": 40], in: users)
    }

    func run(
        _ sql: String, _ positional: [Value] = [], named: [String: Value] = [:], prefixesSystemColumns: Bool = false
    ) async throws -> [StatementResult] {
        let statements = try #require(store as? any StatementStore)
        return try await statements.run(
            StatementScript(
                sql, positional: positional, named: named, prefixesSystemColumns: prefixesSystemColumns, asker: "script"
            ))
    }

    /// The rows of the only statement that answers any.
    func rows(_ sql: String, _ positional: [Value] = [], named: [String: Value] = [:]) async throws -> [[Value]] {
        let results = try await run(sql, positional, named: named)
        return try #require(results.last).rows
    }

    /// How many rows the last statement wrote.
    func affected(_ sql: String, _ positional: [Value] = [], named: [String: Value] = [:]) async throws -> Int {
        try #require(try await run(sql, positional, named: named).last).affected
    }

    /// Expects rows of each statement.
    func expect(
        _ cases: KeyValuePairs<String, [[Value]]>, _ positional: [Value] = [], named: [String: Value] = [:],
        at location: SourceLocation = #_sourceLocation
    ) async {
        for (sql, expected) in cases {
            do {
                let rows = try await rows(sql, positional, named: named)
                #expect(rows == expected, "\(sql)", sourceLocation: location)
            } catch {
                Issue.record("\(sql): \(error)", sourceLocation: location)
            }
        }
    }

    /// Expects that nothing is done, and why.
    func refuses(
        _ sql: String, _ sentence: String, _ positional: [Value] = [], prefixesSystemColumns: Bool = false,
        at location: SourceLocation = #_sourceLocation
    ) async {
        do {
            _ = try await run(sql, positional, prefixesSystemColumns: prefixesSystemColumns)
            Issue.record("\(sql) was done", sourceLocation: location)
        } catch StatementError.refused(let fault) {
            #expect(fault.description.contains(sentence), "\(sql): \(fault)", sourceLocation: location)
        } catch {
            Issue.record("\(sql): \(error)", sourceLocation: location)
        }
    }

    /// The items that changed after a stamp, as a client pulls them.
    func pull(after stamp: Instant) async throws -> RecordedRows {
        var query = TableQuery(limit: 100)
        query.includeDeleted = true
        query.filter = .binary(
            .greater, .column("updatedAt", at: 0), .literal(.date(stamp), at: 0), at: 0)
        return try await store.list(query, in: items).rows
    }

    /// The newest stamp of the items.
    func lastStamp() async throws -> Instant {
        var query = TableQuery(limit: 100)
        query.includeDeleted = true
        let rows = try await store.list(query, in: items).rows
        return try #require(rows.stamps.compactMap { Instant($0) }.max())
    }
}
