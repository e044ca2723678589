import StorageTesting
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `PostgreSQL keeps the contract of the store` {
    @Test(arguments: Trial.all(of: ConformanceCase.inserts, on: PostgresBackend.kinds))
    func inserts(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.updates, on: PostgresBackend.kinds))
    func updates(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.replacements, on: PostgresBackend.kinds))
    func replacements(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.deletes, on: PostgresBackend.kinds))
    func deletes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.scopes, on: PostgresBackend.kinds))
    func scopes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.repeats, on: PostgresBackend.kinds))
    func repeats(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.values, on: PostgresBackend.kinds))
    func values(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.decimals, on: PostgresBackend.kinds))
    func decimals(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.stamps, on: PostgresBackend.kinds))
    func stamps(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.schema, on: PostgresBackend.kinds))
    func schema(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.concurrency, on: PostgresBackend.kinds))
    func concurrency(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.opening, on: PostgresBackend.emptyKinds))
    func opening(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.seenStamps, on: PostgresBackend.kinds))
    func seenStamps(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.lists, on: PostgresBackend.kinds))
    func lists(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.agreements, on: PostgresBackend.kinds))
    func agreements(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.textOrder, on: PostgresBackend.kinds))
    func textOrder(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.walks, on: PostgresBackend.kinds))
    func walks(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.numberEnds, on: PostgresBackend.kinds))
    func numberEnds(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.times, on: PostgresBackend.kinds))
    func times(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.rawEdits, on: PostgresBackend.kinds))
    func rawEdits(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.rawVersions, on: PostgresBackend.kinds))
    func rawVersions(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.liveSchema, on: PostgresBackend.kinds))
    func liveSchema(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.away, on: PostgresBackend.kinds))
    func away(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.rawDeletes, on: PostgresBackend.kinds))
    func rawDeletes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.lookAlikes, on: PostgresBackend.kinds))
    func lookAlikes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.names, on: PostgresBackend.kinds))
    func names(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transfers, on: PostgresBackend.kinds))
    func transfers(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.lostTriggers, on: PostgresBackend.kinds))
    func lostTriggers(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.keptRows, on: PostgresBackend.kinds))
    func keptRows(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.tombstones, on: PostgresBackend.kinds))
    func tombstones(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.devices, on: PostgresBackend.kinds))
    func devices(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.jobs, on: PostgresBackend.kinds))
    func jobs(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.keptQueries, on: PostgresBackend.kinds))
    func keptQueries(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.statistics, on: PostgresBackend.kinds))
    func statistics(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.frequentValues, on: PostgresBackend.kinds))
    func frequentValues(_ trial: Trial) async throws { try await trial.run() }
}
