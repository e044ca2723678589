import StorageTesting
import Testing

@Suite struct `SQLite keeps the store's contract` {
    @Test(arguments: Trial.all(of: ConformanceCase.inserts, on: SQLiteBackend.kinds))
    func inserts(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.updates, on: SQLiteBackend.kinds))
    func updates(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.replacements, on: SQLiteBackend.kinds))
    func replacements(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.deletes, on: SQLiteBackend.kinds))
    func deletes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.scopes, on: SQLiteBackend.kinds))
    func scopes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.repeats, on: SQLiteBackend.kinds))
    func repeats(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.values, on: SQLiteBackend.kinds))
    func values(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.decimals, on: SQLiteBackend.kinds))
    func decimals(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.stamps, on: SQLiteBackend.kinds))
    func stamps(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.schema, on: SQLiteBackend.kinds))
    func schema(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.concurrency, on: SQLiteBackend.kinds))
    func concurrency(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.opening, on: SQLiteBackend.kinds))
    func opening(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.seenStamps, on: SQLiteBackend.kinds))
    func seenStamps(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.lists, on: SQLiteBackend.kinds))
    func lists(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.agreements, on: SQLiteBackend.kinds))
    func agreements(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.textOrder, on: SQLiteBackend.kinds))
    func textOrder(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.walks, on: SQLiteBackend.kinds))
    func walks(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.numberEnds, on: SQLiteBackend.kinds))
    func numberEnds(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.times, on: SQLiteBackend.kinds))
    func times(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.rawEdits, on: SQLiteBackend.kinds))
    func rawEdits(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.rawVersions, on: SQLiteBackend.kinds))
    func rawVersions(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.liveSchema, on: SQLiteBackend.kinds))
    func liveSchema(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.away, on: SQLiteBackend.kinds))
    func away(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.rawDeletes, on: SQLiteBackend.kinds))
    func rawDeletes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.lookAlikes, on: SQLiteBackend.kinds))
    func lookAlikes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.names, on: SQLiteBackend.kinds))
    func names(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transfers, on: SQLiteBackend.kinds))
    func transfers(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.lostTriggers, on: SQLiteBackend.kinds))
    func lostTriggers(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.keptRows, on: SQLiteBackend.kinds))
    func keptRows(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.tombstones, on: SQLiteBackend.kinds))
    func tombstones(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.devices, on: SQLiteBackend.kinds))
    func devices(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.jobs, on: SQLiteBackend.kinds))
    func jobs(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.keptQueries, on: SQLiteBackend.kinds))
    func keptQueries(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.statistics, on: SQLiteBackend.kinds))
    func statistics(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.frequentValues, on: SQLiteBackend.kinds))
    func frequentValues(_ trial: Trial) async throws { try await trial.run() }
}
