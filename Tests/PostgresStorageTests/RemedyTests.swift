import PostgresStorage
import PostgresTesting
import Scalars
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `The remedies of a PostgreSQL database` {
    private static let wordy: Set<Finding.Kind> = [.lostColumn, .otherSchema, .unfitValues, .obstacle]
    /// What only SQLite has.
    private static let foreign: Set<Finding.Kind> = [
        .oddCells, .damagedFile, .brokenRule, .unreadableSchema, .strayReference, .journal,
    ]

    private typealias Verification = `Verifying a PostgreSQL database`

    /// What is wrong, but for the settings of the tests' server, which forgets on purpose what it acknowledged.
    private func findings(_ backend: PostgresBackend) async throws -> [Finding] {
        try await PostgresVerification.findings(at: backend.url, tables: Verification.definitions)
            .filter { $0.kind != .serverSetting }
    }

    @Test(arguments: `Verifying a PostgreSQL database`.damages)
    func `as they are printed leave the database right`(_ damage: `Verifying a PostgreSQL database`.Damage) async throws
    {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await Verification.fill(backend)
        try await backend.runUnseen(damage.sql)
        let findings = try await findings(backend)
        let found = try #require(findings.first { $0.problem.contains(damage.words) })
        if Self.wordy.contains(found.kind) {
            #expect(found.sql == [])
            return
        }
        try await heal(findings, in: backend)
        // A start that makes triggers anew leaves word of it, which is answered by itself.
        try await heal(try await self.findings(backend).filter { $0.kind == .loss }, in: backend)
        try await backend.close(backend.open(Verification.definitions))
        #expect(try await self.findings(backend) == [])

        let store = try await backend.open(Verification.definitions)
        let table = try #require(store.table(named: "Soft"))
        let live = try await store.list(TableQuery(limit: 20), in: table, into: RecordedRows()).rows
        #expect(live.ids.sorted() == damage.live)
        var query = TableQuery(limit: 20)
        query.includeDeleted = true
        let all = try await store.list(query, in: table, into: RecordedRows()).rows
        #expect(all.ids.sorted() == damage.live)
        // It can be written, at a time of now, and what is written is the last.
        let written = try await store.insert([], id: .text("z"), in: table, into: RecordedRows()).row
        let stamp = try #require(written.updatedAt)
        #expect(stamp.wireText < "2100" && all.stamps.allSatisfy { $0 < stamp.wireText })
        let numbered = try #require(store.table(named: "Numbered"))
        #expect(try await store.insert([], id: nil, in: numbered, into: RecordedRows()).outcome == .written)
        // Others' edits get stamps and versions.
        try await backend.run(#"UPDATE "Soft" SET "text" = 'shell'"#)
        try await backend.close(store)
        #expect(try await self.findings(backend) == [])
    }

    private func heal(_ findings: [Finding], in backend: PostgresBackend) async throws {
        for finding in findings {
            if finding.advice.hasPrefix("run `zumod migrate`") {
                try await backend.close(backend.open(Verification.definitions))
            }
            guard !finding.sql.isEmpty else { continue }
            try await backend.run(finding.lines.dropFirst(2).joined(separator: "\n"))
        }
    }

    @Test func `are there for every kind of finding`() async throws {
        var found: Set<Finding.Kind> = []
        for damage in Verification.damages {
            let backend = try await PostgresBackend.prepared()
            defer { backend.remove() }
            try await Verification.fill(backend)
            try await backend.runUnseen(damage.sql)
            found.formUnion(try await findings(backend).map(\.kind))
        }
        #expect(found == Set(Finding.Kind.allCases).subtracting(Self.foreign).subtracting([.serverSetting]))
    }

    @Test func `of the server's settings are sent one by one`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        try await Verification.fill(backend)
        let session = try RawSession(backend.url)
        // Where the tests' server keeps what it acknowledged, there is nothing to advise.
        guard try await session.run("SHOW fsync") == [["off"]] else { return }
        let all = try await PostgresVerification.findings(at: backend.url, tables: Verification.definitions)
        let setting = try #require(all.first { $0.kind == .serverSetting && $0.problem.contains("fsync") })
        #expect(
            setting.lines.dropFirst(2) == [
                "    ALTER SYSTEM SET fsync = on;", "    SELECT pg_reload_conf() /* the setting counts from here */;",
            ])
    }
}
