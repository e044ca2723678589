import StorageTesting
import Testing

@Suite struct `The reference store keeps the store's contract` {
    @Test(arguments: Trial.all(of: ConformanceCase.inserts, on: [.reference]))
    func inserts(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.updates, on: [.reference]))
    func updates(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.deletes, on: [.reference]))
    func deletes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.decimals, on: [.reference]))
    func decimals(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.values, on: [.reference]))
    func values(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.stamps, on: [.reference]))
    func stamps(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.schema, on: [.reference]))
    func schema(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.concurrency, on: [.reference]))
    func concurrency(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.seenStamps, on: [.reference]))
    func seenStamps(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.lists, on: [.reference]))
    func lists(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.agreements, on: [.reference]))
    func agreements(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.textOrder, on: [.reference]))
    func textOrder(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.differences, on: [.reference]))
    func differences(_ trial: Trial) async throws { try await trial.run() }
}
