import TableSQL
import Tables

extension PostgresVerification {
    /// What columns may hold that another program made, and that an earlier version adopted as they were.
    mutating func checkAdoption(of name: Identifier, _ relation: String) throws(PostgresFailure) {
        let columns = try connection.run(
            SQLText(
                text: """
                    SELECT bool_or(attname = 'deleted' AND NOT attnotnull), bool_or(attname = 'updatedAt' AND atttypmod <> 3)
                    FROM pg_attribute WHERE attrelid = to_regclass($1::text)
                    """, bindings: [.text("\"\(relation)\"")]))
        if columns.boolean(0, 0) {
            // Such a row is neither deleted nor not, and in no list.
            try tell(
                .nullMark, of: name, relation, where: #""deleted" IS NULL"#, remedy: #""deleted" = false"#,
                "have a null in the column deleted, so that no client ever gets them")
        }
        if columns.boolean(0, 1) {
            // The next page would begin with the row once more.
            try tell(
                .fineStamps, of: name, relation, where: #""updatedAt" <> date_trunc('milliseconds', "updatedAt")"#,
                remedy: #""id" = "id""#, "have stamps between two milliseconds, so that pulls may never end")
        }
    }

    private mutating func tell(
        _ kind: Finding.Kind, of name: Identifier, _ relation: String, where condition: String, remedy: String,
        _ words: String
    ) throws(PostgresFailure) {
        let count = try connection.run("SELECT count(*) FROM \"\(relation)\" WHERE \(condition)").integer(0, 0)
        guard count > 0 else { return }
        findings.append(
            Finding(
                kind, table: name.text, "\(count) of its rows \(words)", advice: "put them right:",
                sql: ["UPDATE \"\(relation)\" SET \(remedy) WHERE \(condition)"]))
    }
}
