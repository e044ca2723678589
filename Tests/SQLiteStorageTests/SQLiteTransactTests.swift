import SQLiteStorage
import StorageTesting
import Testing

struct SQLiteTransactTests {
    @Test(arguments: Trial.all(of: ConformanceCase.transactReads, on: SQLiteBackend.kinds))
    func reads(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactWrites, on: SQLiteBackend.kinds))
    func writes(_ trial: Trial) async throws { try await trial.run() }

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
}
