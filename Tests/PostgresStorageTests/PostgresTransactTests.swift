import PostgresStorage
import StorageTesting
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct PostgresTransactTests {
    @Test(arguments: Trial.all(of: ConformanceCase.transactReads, on: PostgresBackend.kinds))
    func reads(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactNames, on: PostgresBackend.kinds))
    func names(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactWrites, on: PostgresBackend.kinds))
    func writes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactFunctions, on: PostgresBackend.kinds))
    func functions(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactFlows, on: PostgresBackend.kinds))
    func flows(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactSizes, on: PostgresBackend.kinds))
    func sizes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactSearches, on: PostgresBackend.limitedKinds))
    func searches(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transactRefusals, on: PostgresBackend.kinds))
    func refusals(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: [true, false])
    func `a script over the time limit is undone, and undoes nothing else`(keepsSessions: Bool) async throws {
        var backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        backend.settings.statementTimeout = .milliseconds(400)
        backend.settings.keepsSessions = keepsSessions
        let store = try await backend.open([TransactLimits.definition])
        try await TransactLimits.check(store)
        try await backend.close(store)
    }

    @Test func `an operator's script that writes has more time`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([TransactLimits.definition])
        try await TransactLimits.checkOperators(store, beyond: .milliseconds(3200))
        try await backend.close(store)
    }
}
