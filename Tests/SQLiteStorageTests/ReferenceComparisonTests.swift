import StorageTesting
import Testing

/// Each prints its seed and what to look at where the answers differ; docs of `ComparisonSize` tell how to try more.
@Suite struct `SQLite beside the reference` {
    @Test(arguments: SQLiteBackend.kinds)
    func `random queries answer the same rows in the same order`(_ kind: BackendKind) async throws {
        let size = ComparisonSize(5_000, variable: "ZUMOD_TEST_QUERIES")
        #expect(try await QueryComparison.run(on: kind, size) == nil)
    }

    @Test(arguments: SQLiteBackend.kinds)
    func `random operations are answered alike`(_ kind: BackendKind) async throws {
        let size = ComparisonSize(10_000, variable: "ZUMOD_TEST_OPERATIONS")
        #expect(try await StoreComparison.run(on: kind, size) == nil)
    }
}
