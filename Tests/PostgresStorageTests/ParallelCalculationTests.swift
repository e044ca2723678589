import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Calculations over a table so large that several processes read it` {
    /// What can't be reckoned with plainly, 0 above all, goes by functions that catch errors.
    @Test(arguments: ["add", "subtract", "multiply", "divide", "modulo"])
    func `are done by one`(function: String) async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let store = try await backend.open([TableDefinition(name: "numbers")])
        try await backend.run(
            """
            CREATE TABLE many AS SELECT unnest(ARRAY[0, 1e308, -1e308, 1e-200, 3]::float8[]) AS n;
            SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
            SET max_parallel_workers_per_gather = 2;
            SELECT count(*) FROM many WHERE zumod_\(function)(n, n) > 1
            """)
        try await backend.close(store)
    }
}
