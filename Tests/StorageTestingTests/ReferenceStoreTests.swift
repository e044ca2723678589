import StorageTesting
import Testing

/// All that can be asked of a store in memory to which no other program writes.
@Suite struct `The reference store keeps the store's contract` {
    @Test(arguments: Trial.all(of: ConformanceCase.inserts, on: [.reference]))
    func inserts(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.updates, on: [.reference]))
    func updates(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.replacements, on: [.reference]))
    func replacements(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.deletes, on: [.reference]))
    func deletes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.scopes, on: [.reference]))
    func scopes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.repeats, on: [.reference]))
    func repeats(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.values, on: [.reference]))
    func values(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.decimals, on: [.reference]))
    func decimals(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.stamps, on: [.reference]))
    func stamps(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.schema, on: [.reference]))
    func schema(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.concurrency, on: [.reference]))
    func concurrency(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.opening, on: [.reference]))
    func opening(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.seenStamps, on: [.reference]))
    func seenStamps(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.lists, on: [.reference]))
    func lists(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.agreements, on: [.reference]))
    func agreements(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.textOrder, on: [.reference]))
    func textOrder(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.walks, on: [.reference]))
    func walks(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.numberEnds, on: [.reference]))
    func numberEnds(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.times, on: [.reference]))
    func times(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.away, on: [.reference]))
    func away(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.lookAlikes, on: [.reference]))
    func lookAlikes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.names, on: [.reference]))
    func names(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.transfers, on: [.reference]))
    func transfers(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.keptRows, on: [.reference]))
    func keptRows(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.tombstones, on: [.reference]))
    func tombstones(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.devices, on: [.reference]))
    func devices(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.jobs, on: [.reference]))
    func jobs(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.keptQueries, on: [.reference]))
    func keptQueries(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.statistics, on: [.reference]))
    func statistics(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.frequentValues, on: [.reference]))
    func frequentValues(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.differences, on: [.reference]))
    func differences(_ trial: Trial) async throws { try await trial.run() }
}
