public import Tables
import Testing

/// What becomes of scripts that take too long, on a store whose time limit is short.
public enum TransactLimits {
    /// The table of `check`.
    public static let definition = TableDefinition(
        name: "people", columns: [Column("name", .string), Column("age", .number)])

    /// Lets scripts run into the limit, while others write, and sees that nothing is left of them.
    public static func check(_ store: any TableStore) async throws {
        let table = try #require(store.table(named: "people"))
        let statements = try #require(store as? any StatementStore)
        for _ in 0..<3 {
            let rows = (0..<100).map { "('person \($0)')" }.joined(separator: ",")
            _ = try await run("INSERT INTO people (name) VALUES \(rows)", on: statements)
        }
        let endless = "(SELECT COUNT(*) FROM people a, people b, people c, people d WHERE a.id <> d.id)"
        for script in ["SELECT \(endless)", "UPDATE people SET name = 'gone'; UPDATE people SET age = \(endless)"] {
            for _ in 0..<2 {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        // On a busy machine it may be given up before it began.
                        for _ in 0..<200 {
                            let error = await #expect(throws: StatementError.self, "\(script)") {
                                _ = try await statements.run(StatementScript(script))
                            }
                            if error == .store(.busy) { continue }
                            #expect(error == .store(.timeout), "\(script)")
                            break
                        }
                    }
                    for _ in 0..<5 {
                        group.addTask {
                            await #expect(throws: Never.self) { try await insert(into: table, of: store) }
                        }
                    }
                }
            }
        }
        let count = try await run("SELECT COUNT(*), COUNT(name) FROM people WHERE age IS NULL", on: statements)
        #expect(count.first?.rows == [[320, 300]])
        let gone = try await run("SELECT COUNT(*) FROM people WHERE name = 'gone'", on: statements)
        #expect(gone.first?.rows == [[0]])
    }

    /// Lets a script run on a store whose time limit is long, while others write one row after the other.
    public static func checkYielding(_ store: any TableStore) async throws {
        let table = try #require(store.table(named: "people"))
        let statements = try #require(store as? any StatementStore)
        for _ in 0..<100 { try await insert(into: table, of: store) }
        let script = Task {
            _ = try await statements.run(
                StatementScript(
                    "UPDATE people SET age = (SELECT COUNT(*) FROM people a, people b, people c, people d, people e)"))
        }
        let writer = Task {
            while !Task.isCancelled { try await insert(into: table, of: store) }
        }
        let result = await script.result
        writer.cancel()
        #expect(throws: StatementError.store(.timeout)) { try result.get() }
        try await writer.value
    }

    /// Lets an operator's scripts run for longer and longer while others write one row after the other, until one has taken
    /// the time that a user's may not.
    /// - Parameter time: what a user's may keep others from writing.
    public static func checkOperators(_ store: any TableStore, beyond time: Duration) async throws {
        let table = try #require(store.table(named: "people"))
        let statements = try #require(store as? any StatementStore)
        let rows = (0..<256).map { "('old', \($0))" }.joined(separator: ",")
        _ = try await run("INSERT INTO people (name, age) VALUES \(rows)", on: statements)
        let writer = Task {
            while !Task.isCancelled {
                try await insert(into: table, of: store)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        defer { writer.cancel() }
        for power in 0..<16 {
            let more = power > 8 ? ", people d" : ""
            let pairs =
                "(SELECT COUNT(*) FROM people a, people b, people c\(more) WHERE a.age < \(1 << min(power, 8)) "
                + "AND b.age >= 0 AND c.age >= 0\(more.isEmpty ? "" : " AND d.age < \(1 << (power - 8))"))"
            var script = StatementScript("UPDATE people SET age = age + \(pairs) - \(pairs) WHERE name = 'old'")
            script.isOperators = true
            let start = ContinuousClock.now
            let results = try await statements.run(script)
            #expect(results.first?.affected == 256)
            if ContinuousClock.now - start > time { return }
        }
        Issue.record("no script took long enough")
    }

    /// Runs a script that takes little time, though on a busy machine perhaps more than the limit, before it began or then.
    private static func run(
        _ script: String, on statements: any StatementStore
    ) async throws -> [StatementResult] {
        for _ in 0..<200 {
            do {
                return try await statements.run(StatementScript(script))
            } catch StatementError.store(.timeout) {
            } catch StatementError.store(.busy) {}
        }
        throw TableError.busy
    }

    /// Inserts a row. On PostgreSQL a write that waits for the table's turn may reach its own limit first.
    private static func insert(into table: Table, of store: any TableStore) async throws {
        for _ in 0..<200 {
            do {
                try await store.insert(RandomID.make(), in: table)
                return
            } catch TableError.unavailable {}
        }
        throw TableError.busy
    }
}
