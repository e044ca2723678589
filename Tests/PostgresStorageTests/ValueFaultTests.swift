import PostgresStorage
import PostgresTesting
import StorageTesting
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Values that other programs write into PostgreSQL` {
    private static let digits = String(repeating: "9", count: 39)

    /// Columns with values as SQL, and what is wrong with each.
    private static let values: [(column: String, sql: String, faults: [ValueFault])] = [
        ("text", "'é'", []), ("text", "E'a\\001\\002'", []), ("text", "E'a\\001\\001'", [.zero]),
        ("n", "0.1", []), ("n", "'NaN'", [.endless]), ("n", "'-Infinity'", [.endless]), ("single", "'NaN'", [.endless]),
        ("price", "1.50", []), ("price", "'Infinity'", [.endless]), ("price", digits, [.unfitSize]),
        ("at", "'9999-12-31 23:59:59.999Z'", []), ("at", "'0001-01-01 00:00Z'", []),
        ("at", "'infinity'", [.outOfRange]),
        ("at", "'0044-03-15 12:00 BC'", [.outOfRange]), ("at", "'10000-01-01'", [.outOfRange]),
        ("at", "'2024-01-01 10:00:00.123456Z'", [.finer]), ("at", "'1924-01-01 10:00:00.123Z'", []),
        ("date", "'2024-02-29'", []), ("date", "'-infinity'", [.outOfRange]),
        ("date", "'5874897-12-31'", [.outOfRange]),
        ("day", "'2024-01-01'", []), ("day", "'2024-02-30'", [.otherKind]),
        ("time", "'10:15:30.123'", []), ("time", "'10:15'", [.otherSpelling]), ("time", "'soon'", [.otherKind]),
        ("time", "'10:15:30.12304'", [.otherSpelling, .finer]),
    ]

    private static var definition: TableDefinition {
        TableDefinition(
            name: "Kinds",
            columns: [
                Column("text", .string), Column("n", .number), Column("at", .date), Column("day", .dateOnly),
                Column("time", .timeOnly), Column("price", .decimal),
            ])
    }

    @Test func `are told by verify and by exports, each where it counts`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let tables = [Self.definition]
        try await backend.close(backend.open(tables))
        try await backend.run(
            #"""
            ALTER TABLE "Kinds" ALTER COLUMN "at" TYPE timestamptz; ALTER TABLE "Kinds" ADD COLUMN "date" date,
                ADD COLUMN "single" float4
            """#)
        var expected: [String: Int64] = [:]
        for (number, value) in Self.values.enumerated() {
            let row = "('\(number)', \(value.sql))"
            try await backend.run(#"INSERT INTO "Kinds" ("id", "\#(value.column)") VALUES \#(row)"#)
            for fault in value.faults { expected["\(value.column) \(fault)", default: 0] += 1 }
        }

        let snapshot = try await PostgresSnapshot.open(url: backend.url)
        let table = try #require(try await snapshot.contents().tables.first).table
        let lost = try await snapshot.lostValues(of: table)
        await snapshot.close()
        let counts = Dictionary(uniqueKeysWithValues: lost.map { ("\($0.field.name) \($0.fault)", $0.count) })
        #expect(counts == expected.filter { !$0.key.hasSuffix("otherSpelling") })

        func findings() async throws -> [Finding] {
            try await PostgresVerification.findings(at: backend.url, tables: tables)
                .filter { $0.kind != .serverSetting }
        }
        let found = try await findings()
        #expect(found.count == expected.keys.count { !$0.hasSuffix("finer") && !$0.hasSuffix("unfitSize") }, "\(found)")
        let words = "its column at has dates beyond the years 1 to 9999: 3, in rows such as 12, 13, 14"
        #expect(found.contains { $0.problem == words }, "\(found)")
        for finding in found where !finding.sql.isEmpty {
            try await backend.run(finding.lines.dropFirst(2).joined(separator: "\n"))
        }
        #expect(try await findings() == found.filter { $0.kind == .unfitValues })
    }
}
