import StorageTesting
import Testing

@Suite struct `SQLite beside the reference` {
    @Test(arguments: SQLiteBackend.kinds)
    func `random queries answer the same rows in the same order`(_ kind: BackendKind) async throws {
        let difference = try await QueryComparison.run(on: kind, ComparisonSize(5_000, variable: "ZUMOD_TEST_QUERIES"))
        #expect(difference == nil)
    }

    @Test(arguments: SQLiteBackend.kinds)
    func `random operations are answered alike`(_ kind: BackendKind) async throws {
        let difference = try await StoreComparison.run(on: kind, ComparisonSize(4_000, variable: "ZUMOD_TEST_OPERATIONS"))
        #expect(difference == nil)
    }
}
