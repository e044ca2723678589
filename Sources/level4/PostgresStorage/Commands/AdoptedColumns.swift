import TableSQL
import Tables

extension PostgresConnection {
    /// Returns findings about what adoptions refuse, and about columns that an earlier version adopted unchanged.
    func adoptionFindings(of table: Identifier) throws(PostgresFailure) -> [Finding] {
        let relation = PostgresName.physical(table.text)
        let columns = try run(
            """
            SELECT bool_or(attname = 'deleted' AND NOT attnotnull), bool_or(attname = 'updatedAt' AND atttypmod <> 3)
            FROM pg_attribute WHERE attrelid = to_regclass($1::text)
            """, [.text("\"\(relation)\"")])
        var findings: [Finding?] = try AdoptionObstacles.later(in: table, on: self).map {
            Finding(
                .obstacle, table: table.text, $0,
                advice: "undo that: under it, rows or writes get lost to devices, or to the other program")
        }
        if columns.boolean(0, 0) {
            // Such a row is neither deleted nor live, and appears in no list.
            findings.append(
                try finding(
                    .nullMark, of: table, relation, where: #""deleted" IS NULL"#, remedy: #""deleted" = false"#,
                    "have a null in the column deleted, so that no client ever gets them"))
        }
        if columns.boolean(0, 1) {
            // The next page would start with the same row again.
            findings.append(
                try finding(
                    .fineStamps, of: table, relation, where: #""updatedAt" <> date_trunc('milliseconds', "updatedAt")"#,
                    remedy: #""id" = "id""#, "have stamps between two milliseconds, so that pulls may never end"))
        }
        return findings.compactMap(\.self)
    }

    private func finding(
        _ kind: Finding.Kind, of table: Identifier, _ relation: String, where condition: String, remedy: String,
        _ words: String
    ) throws(PostgresFailure) -> Finding? {
        let count = try run("SELECT count(*) FROM \"\(relation)\" WHERE \(condition)").integer(0, 0)
        guard count > 0 else { return nil }
        return Finding(
            kind, table: table.text, "\(count) of its rows \(words)", advice: "put them right:",
            sql: ["UPDATE \"\(relation)\" SET \(remedy) WHERE \(condition)"])
    }
}
