import StorageTesting
import Testing

/// Each prints its seed and what to look at where the answers differ; docs of `ComparisonSize` tell how to try more.
@Suite struct `SQLite beside the reference` {
    @Test(arguments: zip(SQLiteBackend.kinds, [1, 10]))
    func `random queries are answered and refused alike`(_ kind: BackendKind, _ divisor: Int) async throws {
        let size = ComparisonSize(10_000, dividedBy: divisor, variable: "ZUMOD_TEST_QUERIES")
        let difference = try await QueryComparison.run(on: kind, size)
        #expect(difference == nil)
    }

    @Test(arguments: SQLiteBackend.kinds)
    func `random operations are answered alike`(_ kind: BackendKind) async throws {
        let size = ComparisonSize(6_000, variable: "ZUMOD_TEST_OPERATIONS")
        let difference = try await StoreComparison.run(on: kind, size)
        #expect(difference == nil)
    }

    @Test(arguments: Trial.all(of: ConformanceCase.differences, on: SQLiteBackend.kinds))
    func `a difference once found stays settled`(_ trial: Trial) async throws { try await trial.run() }

    @Test(arguments: [("ct", 375), ("ms", 524), ("legacy", 82)])
    func `every movie query finds the rows that upstream expects`(model: String, count: Int) async throws {
        #expect(try await MovieQueries.check(model, on: SQLiteBackend.kinds[0]) == count)
    }
}
