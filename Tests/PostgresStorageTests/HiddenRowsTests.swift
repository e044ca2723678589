import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Rows that a policy hides from the server's user` {
    @Test func `make an export fail, and verify tells of them`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let role = "server_\(backend.schema)"
        try await `Verifying a PostgreSQL database`.fill(backend)
        try await backend.run(
            """
            CREATE ROLE \(role) LOGIN; GRANT ALL ON SCHEMA \(backend.schema) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(backend.schema) TO \(role);
            GRANT ALL ON ALL SEQUENCES IN SCHEMA \(backend.schema) TO \(role);
            ALTER TABLE "Soft" ENABLE ROW LEVEL SECURITY
            """)
        defer { _ = try? RawSession(backend.url).runNow("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let url = backend.url.replacing("//zumod@", with: "//\(role)@")
        let findings = try await PostgresVerification.findings(at: url, tables: [])
        #expect(findings.contains { $0.problem.contains("its row-level security hides rows") }, "\(findings)")

        let snapshot = try await PostgresSnapshot.open(url: url)
        let table = try #require(try await snapshot.contents().tables.first { $0.table.name == "Soft" }).table
        let error = await #expect(throws: TableError.self) {
            _ = try await snapshot.page(of: table, after: nil, limit: 10, into: RecordedRows())
        }
        #expect(error?.detail.contains("row-level security") == true, "\(String(describing: error))")
        await snapshot.close()
    }
}
