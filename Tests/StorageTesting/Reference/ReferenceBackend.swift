import Scalars
import Tables

/// The reference store as the conformance suite opens it: a second opinion has to keep the contract itself.
struct ReferenceBackend: StorageBackend {
    func open(
        _ tables: [TableDefinition], servesClientTables: Bool, clock: @escaping @Sendable () -> Instant
    ) async throws -> any TableStore {
        ReferenceStore(tables, clock: clock)
    }

    func close(_ store: any TableStore) async throws {}

    func run(_ sql: String) async throws {}

    func remove() {}
}

extension BackendKind {
    /// Lives no longer than the store, and nobody else writes to it.
    public static let reference = BackendKind("reference", isPersistent: false, isShared: false, isLooselyTyped: false)
    {
        ReferenceBackend()
    }
}
