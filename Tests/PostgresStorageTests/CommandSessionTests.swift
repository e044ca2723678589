import PostgresTesting
import StorageTesting
import Tables
import Testing

@testable import PostgresStorage

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Commands on PostgreSQL` {
    @Test func `leave nothing in a session, which a pooler gives to others and takes from them`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let left = try await SchemaTask.run(backend.url) { connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection).run(keeps: false) { connection throws(PostgresFailure) in
                _ = try connection.run("SELECT 1")
            }
            try connection.beginLongRead()
            connection.rollback()
            let result = try connection.run(
                """
                SELECT (SELECT count(*) FROM pg_prepared_statements),
                    (SELECT count(*) FROM pg_settings WHERE source = 'session'),
                    (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory')
                """)
            return [result.integer(0, 0), result.integer(0, 1), result.integer(0, 2)]
        }
        #expect(left == [0, 0, 0])
    }

    @Test func `read for as long as it takes, whatever their role is bounded by`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let bounds = try await SchemaTask.run(backend.url) { connection throws(PostgresFailure) in
            _ = try connection.run("SET statement_timeout = 1000")
            _ = try connection.run("SET idle_in_transaction_session_timeout = 1000")
            try connection.beginLongRead()
            defer { connection.rollback() }
            let result = try connection.run(
                """
                SELECT current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout'),
                    current_setting('TimeZone')
                """)
            return [result.string(0, 0), result.string(0, 1), result.string(0, 2)]
        }
        #expect(bounds == ["0", "0", "UTC"])
    }
}
