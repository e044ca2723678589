import Tables

/// The reference store as the conformance suite opens it: a second opinion has to keep the contract itself.
struct ReferenceBackend: StorageBackend {
    func open(
        _ tables: [TableDefinition], servesClientTables: Bool, clock: @escaping Clock
    ) async throws -> any TableStore {
        try ReferenceStore(tables, clock: clock)
    }

    func close(_ store: any TableStore) async throws {
        (store as? ReferenceStore)?.close()
    }

    func run(_ sql: String) async throws {}

    func runUnseen(_ sql: String) async throws {}

    func remove() {}
}

extension BackendKind {
    /// Lives no longer than the store, and nobody else writes to it.
    public static let reference = BackendKind(
        "reference", isPersistent: false, isShared: false, isLooselyTyped: false, runsStatements: false
    ) { ReferenceBackend() }
}
