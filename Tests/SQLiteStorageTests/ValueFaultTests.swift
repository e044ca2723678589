import SQLiteStorage
import StorageTesting
import Tables
import Testing

@Suite struct `Values that other programs write into SQLite` {
    private static let digits = String(repeating: "9", count: 39)

    /// Columns with values as SQL, and what is wrong with each.
    private static let values: [(column: String, sql: String, faults: [ValueFault])] = [
        ("text", "'é'", []), ("text", "x'41'", [.otherKind]), ("text", "CAST(x'63616665E9' AS TEXT)", [.garbled]),
        ("text", "'a' || char(0) || 'b'", [.zero]),
        ("n", "'12'", []), ("n", "'big'", [.otherKind]), ("n", "-9e999", [.endless]),
        ("big", "7", []), ("big", "1.5", [.otherKind]), ("big", "9e999", [.endless]),
        ("yes", "1", []), ("yes", "7", [.otherTruth]), ("yes", "'true'", [.otherKind]),
        ("at", "'2024-01-01T10:00:00.000Z'", []), ("at", "'2024-13-01T10:00:00.000Z'", [.otherKind]),
        ("at", "1700000000", [.otherKind]), ("at", "'now'", [.otherKind]),
        ("at", "'2024-01-01 10:00:00'", [.otherSpelling]),
        ("at", "'2024-01-01T10:00:00.1230+02:00'", [.otherSpelling]),
        ("at", "'2024-01-01 10:00:00.12304'", [.otherSpelling, .finer]),
        ("day", "'2024-01-01'", []), ("day", "'2024-02-30'", [.otherKind]), ("day", "2024", [.otherKind]),
        ("time", "'10:15:30.123'", []), ("time", "'10:15'", [.otherSpelling]), ("time", "'25:00'", [.otherKind]),
        ("price", "'1.5e3'", []), ("price", "'much'", [.otherKind]), ("price", "'\(digits)'", [.unfitSize]),
    ]

    private static var definition: TableDefinition {
        TableDefinition(
            name: "Kinds",
            columns: [
                Column("text", .string), Column("n", .number), Column("big", .integer), Column("yes", .boolean),
                Column("at", .date), Column("day", .dateOnly), Column("time", .timeOnly), Column("price", .decimal),
            ])
    }

    @Test func `are told by verify and by exports, each where it counts`() async throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        guard case .file(let path) = backend.location else { return }
        let tables = [Self.definition]
        await (try SQLiteTableStore.open(backend.location, tables: tables, servesClientTables: false)).close()
        var expected: [String: Int64] = [:]
        for (number, value) in Self.values.enumerated() {
            let row = "('\(number)', \(value.sql))"
            try await backend.run(#"INSERT INTO "Kinds" ("id", "\#(value.column)") VALUES \#(row)"#)
            for fault in value.faults { expected["\(value.column) \(fault)", default: 0] += 1 }
        }
        try await backend.run(#"INSERT INTO "Kinds" ("id") VALUES (printf('%0256d', 7))"#)
        expected["id unfitSize"] = 1

        let snapshot = try SQLiteSnapshot.open(path)
        let table = try #require(try await snapshot.contents().tables.first).table
        let lost = try await snapshot.lostValues(of: table)
        await snapshot.close()
        let counts = Dictionary(uniqueKeysWithValues: lost.map { ("\($0.field.name) \($0.fault)", $0.count) })
        #expect(counts == expected.filter { !$0.key.hasSuffix("otherSpelling") })
        #expect(lost.first { $0.fault == .garbled }?.examples == ["2"])

        let findings = try SQLiteVerification.findings(in: path, tables: tables)
        #expect(findings.count == expected.keys.count { !$0.hasSuffix("finer") && !$0.hasSuffix("unfitSize") })
        let words = "its column at has dates in another spelling than the server's: 3, in rows such as 17, 18, 19"
        #expect(findings.contains { $0.problem == words }, "\(findings)")
        for finding in findings { try await backend.run(finding.lines.dropFirst(2).joined(separator: "\n")) }
        let left = try SQLiteVerification.findings(in: path, tables: tables)
        #expect(left == findings.filter { $0.kind == .unfitValues })
        let spelled = try backend.query(#"SELECT "at" FROM "Kinds" WHERE "id" IN ('16', '17', '18') ORDER BY "id""#)
        #expect(spelled == [["now"], ["2024-01-01T10:00:00.000Z"], ["2024-01-01T08:00:00.123Z"]])
        #expect(try backend.query(#"SELECT "time" FROM "Kinds" WHERE "id" = '24'"#) == [["10:15:00.000"]])
    }
}
