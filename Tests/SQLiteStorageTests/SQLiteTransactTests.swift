import Foundation
import SQLiteStorage
import StorageTesting
import Tables
import Testing

struct SQLiteTransactTests {
    @Test(arguments: Trial.all(of: ConformanceCase.transactReads, on: SQLiteBackend.kinds))
    func reads(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactNames, on: SQLiteBackend.kinds))
    func names(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactWrites, on: SQLiteBackend.kinds))
    func writes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactFunctions, on: SQLiteBackend.kinds))
    func functions(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactFlows, on: SQLiteBackend.kinds))
    func flows(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactSizes, on: SQLiteBackend.kinds))
    func sizes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactSearches, on: SQLiteBackend.limitedKinds))
    func searches(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactRefusals, on: SQLiteBackend.kinds))
    func refusals(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: [true, false])
    func `a script over the time limit is undone, and undoes nothing else`(inFile: Bool) async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(
            inFile ? backend.location : .memory, tables: [TransactLimits.definition], servesClientTables: false,
            queryTimeLimit: .milliseconds(400))
        try await TransactLimits.check(store)
        await store.close()
    }

    @Test func `a script that writes ends for those who wait to write`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(
            backend.location, tables: [TransactLimits.definition], servesClientTables: false,
            queryTimeLimit: .seconds(600))
        try await TransactLimits.checkYielding(store)
        await store.close()
    }

    @Test func `an operator's script that writes has more time while others wait`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        let store = try SQLiteTableStore.open(
            backend.location, tables: [TransactLimits.definition], servesClientTables: false)
        try await TransactLimits.checkOperators(store, beyond: .milliseconds(700))
        await store.close()
    }

    @Test func `what one large script makes of the log is given back`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        guard case .file(let path) = backend.location else { return }
        let store = try SQLiteTableStore.open(
            backend.location, tables: [TransactLimits.definition], servesClientTables: false,
            queryTimeLimit: .seconds(600))
        let long = Value.text(String(repeating: "t", count: 900_000))
        _ = try await store.run(
            StatementScript(
                "INSERT INTO people (name) VALUES (?)"
                    + String(repeating: "; INSERT INTO people (name) SELECT name FROM people", count: 5),
                positional: [long]))
        func logBytes() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
        }
        #expect(try logBytes() > 20 << 20)
        for _ in 0..<3 { _ = try await store.run(StatementScript("INSERT INTO people (age) VALUES (1)")) }
        #expect(try logBytes() <= 16 << 20)
        await store.close()
    }
}
