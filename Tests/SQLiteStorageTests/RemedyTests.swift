import SQLiteStorage
import Scalars
import StorageTesting
import Tables
import Testing

@Suite struct `The remedies of a SQLite database` {
    /// Those for which a backup, another version or another program's owner helps, and no statement.
    private static let wordy: Set<Finding.Kind> = [
        .damagedFile, .unreadableSchema, .lostColumn, .otherSchema, .brokenRule, .strayReference, .unfitValues,
    ]
    /// What only PostgreSQL has.
    private static let foreign: Set<Finding.Kind> = [
        .invalidIndex, .highID, .serverSetting, .function, .secret, .nullMark, .fineStamps, .obstacle,
    ]

    private typealias Verification = `Verifying a SQLite database`

    @Test(arguments: `Verifying a SQLite database`.damages)
    func `as they are printed leave the database right`(_ damage: `Verifying a SQLite database`.Damage) async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        try await Verification.fill(backend)
        try await backend.runUnseen(damage.sql)
        let findings = try Verification.findings(in: backend)
        let found = try #require(findings.first { $0.problem.contains(damage.words) })
        if Self.wordy.contains(found.kind) {
            #expect(found.sql == [])
            return
        }
        try await heal(findings, in: backend)
        // A start that makes triggers anew leaves word of it, which is answered by itself.
        try await heal(try Verification.findings(in: backend).filter { $0.kind == .loss }, in: backend)
        try await start(backend)
        #expect(try Verification.findings(in: backend) == [])

        let store = try SQLiteTableStore.open(
            backend.location, tables: [Verification.definition], servesClientTables: false)
        let table = try #require(store.table(named: "Soft"))
        var query = TableQuery(limit: 20)
        let live = try await store.list(query, in: table, into: RecordedRows()).rows
        #expect(live.ids.sorted() == damage.live)
        query.includeDeleted = true
        let all = try await store.list(query, in: table, into: RecordedRows()).rows
        #expect(all.ids.sorted() == (damage.live + damage.deleted).sorted())
        // It can be written, at a time of now, and what is written is the last.
        let written = try await store.insert([], id: .text("z"), in: table, into: RecordedRows()).row
        let stamp = try #require(written.updatedAt)
        #expect(stamp.wireText < "2100" && all.stamps.allSatisfy { $0 < stamp.wireText })
        await store.close()
        #expect(try Verification.findings(in: backend) == [])
    }

    private func heal(_ findings: [Finding], in backend: SQLiteBackend) async throws {
        for finding in findings {
            if finding.advice.hasPrefix("run `zumod migrate`") { try await start(backend) }
            guard !finding.sql.isEmpty else { continue }
            try await backend.run(finding.lines.dropFirst(2).joined(separator: "\n"))
        }
    }

    /// As `zumod migrate` and every start do.
    private func start(_ backend: SQLiteBackend) async throws {
        let store = try SQLiteTableStore.open(
            backend.location, tables: [Verification.definition], servesClientTables: false)
        await store.close()
    }

    @Test func `keep what can be understood`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        try await Verification.fill(backend)
        try await backend.runUnseen(
            """
            UPDATE "Soft" SET "version" = 'x', "createdAt" = '2014-05-12 10:11:12' WHERE "id" = 'a';
            UPDATE "Soft" SET "version" = 4, "updatedAt" = 'soon' WHERE "id" = 'b'
            """)
        let before = try backend.query(#"SELECT "createdAt", "text" FROM "Soft" WHERE "id" = 'b'"#)
        for finding in try Verification.findings(in: backend) {
            try await backend.run(finding.lines.dropFirst(2).joined(separator: "\n"))
        }
        #expect(
            try backend.query(#"SELECT "createdAt" FROM "Soft" WHERE "id" = 'a'"#) == [["2014-05-12T10:11:12.000Z"]])
        #expect(try backend.query(#"SELECT "createdAt", "text" FROM "Soft" WHERE "id" = 'b'"#) == before)
    }

    @Test func `are there for every kind of finding`() async throws {
        var found: Set<Finding.Kind> = []
        for damage in Verification.damages {
            let backend = SQLiteBackend.inFile()
            defer { backend.remove() }
            try await Verification.fill(backend)
            try await backend.runUnseen(damage.sql)
            found.formUnion(try Verification.findings(in: backend).map(\.kind))
        }
        #expect(found == Set(Finding.Kind.allCases).subtracting(Self.foreign))
    }

    @Test func `a copy whose rows break another program's rule is no damaged one`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        try await Verification.fill(backend)
        let rule = try #require(Verification.damages.first { $0.description == "another program's rule" })
        try await backend.run(rule.sql)
        guard case .file(let path) = backend.location else { return }
        #expect(try SQLiteBackup.isOfZumod(path))
    }

    @Test func `an error of SQL is no damage of the file`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        try await Verification.fill(backend)
        try await backend.run("DROP TABLE zumod_counters")
        let error = #expect(throws: TableError.self) { _ = try Verification.findings(in: backend) }
        guard case .failed(let detail) = error else {
            throw SQLiteBackend.ShellError(message: "\(String(describing: error))")
        }
        #expect(detail.contains("no such table"))
    }
}
