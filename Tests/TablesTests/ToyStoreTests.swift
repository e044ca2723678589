import StorageTesting
import Tables
import Testing

/// The toy as the conformance suite opens it.
private struct ToyBackend: StorageBackend {
    func open(
        _ tables: [TableDefinition], servesClientTables: Bool, clock: @escaping Clock
    ) async throws -> any TableStore {
        try ToyStore(tables, clock: clock)
    }

    func close(_ store: any TableStore) async throws {}
    func run(_ sql: String) async throws {}
    func remove() {}
}

extension BackendKind {
    fileprivate static let toy = BackendKind("toy", isPersistent: false, isShared: false, isLooselyTyped: false) {
        ToyBackend()
    }
}

@Suite struct `A store that decides nothing keeps the contract of writes` {
    @Test(arguments: Trial.all(of: ConformanceCase.inserts, on: [.toy]))
    func inserts(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.updates, on: [.toy]))
    func updates(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.replacements, on: [.toy]))
    func replacements(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.deletes, on: [.toy]))
    func deletes(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: Trial.all(of: ConformanceCase.repeats, on: [.toy]))
    func repeats(_ trial: Trial) async throws { try await trial.run() }
}
