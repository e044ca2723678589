import ByteText
import TableSQL
public import Tables

/// Reads a database and reports what is wrong with it. Changes nothing; servers may keep writing.
public enum PostgresVerification {
    /// - Parameter tables: the tables of the configuration, whose columns and indexes must exist.
    /// - Throws: `definition` if the URL is invalid, `unavailable` if the database is away.
    public static func findings(at url: String, tables: [TableDefinition]) async throws(TableError) -> [Finding] {
        try await SchemaTask.run(url, statementTimeout: .zero) { connection throws(PostgresFailure) in
            let age = try SchemaVersionStatus(on: connection)
            guard age.isCurrent else { return [.otherSchema(isLater: age.isLater)] }
            defer { connection.rollback() }
            try connection.beginLongRead()
            var verification = TableVerification(on: connection, tables)
            let server = try connection.serverFindings() + connection.functionFindings()
            try verification.run()
            return server + verification.findings
        }
    }
}

extension PostgresConnection {
    /// Returns settings with which the server may lose what it has acknowledged.
    fileprivate func serverFindings() throws(PostgresFailure) -> [Finding] {
        let settings = try run(
            """
            SELECT name::text, setting FROM pg_settings WHERE setting = 'off'
                AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name
            """)
        return settings.rows.map { row in
            let name = row.words(0)
            return Finding(
                .serverSetting, "the server's setting \(name) is off: a power failure may take acknowledged writes",
                advice: "a superuser changes the setting, by statements that are sent one by one:",
                sql: ["ALTER SYSTEM SET \(name) = on", "SELECT pg_reload_conf() /* the setting counts from here */"])
        }
    }

    fileprivate func functionFindings() throws(PostgresFailure) -> [Finding] {
        var findings: [Finding] = []
        let result = try run(
            "SELECT proname::text FROM pg_proc WHERE pronamespace = \(CurrentSchema.oid)")
        let known = Set(result.rows.map { $0.words(0) })
        for function in MigratedFunction.all where !known.contains(function.name) {
            let firesTriggers = TriggerFunctions.all.contains { $0.name == function.name }
            findings.append(
                Finding(
                    .function, "the function \(function.name) is missing",
                    advice: firesTriggers ? Finding.migration : "make it anew:",
                    sql: firesTriggers ? [] : function.statements))
        }
        for function in try TriggerFunctions.lost(on: self) where known.contains(function.name) {
            findings.append(
                Finding(
                    .function, "the function \(function.name) is not the one that zumod made", advice: Finding.migration
                ))
        }
        let secret = try run("SELECT 1 FROM zumod_secrets WHERE name = 'continuation'")
        if secret.rowCount == 0 {
            findings.append(
                Finding(
                    .secret, "the secret of continuations is missing, so lists of more than a page fail",
                    advice: "make a new one; lists that are being read begin anew:",
                    sql: [
                        """
                        INSERT INTO zumod_secrets (name, hexadecimal) VALUES ('continuation', \
                        replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''))
                        """
                    ]))
        }
        return findings
    }
}

extension PostgresConnection: VerifiedConnection {
    func triggerFindings(of table: RegisteredTable) throws(PostgresFailure) -> [Finding] {
        let memory = PostgresTriggerDrift(connection: self, table: table.name)
        let (recorded, found) = (try memory.recorded(), try memory.found())
        return PostgresTriggers(for: table.name, softDelete: table.softDelete).all.compactMap { trigger in
            let name = ExactText(trigger.name)
            guard let now = found[name] else { return .trigger(trigger.name, of: table.name, is: "missing") }
            guard now.isEnabled else { return .trigger(trigger.name, of: table.name, is: "disabled") }
            let isChanged = recorded[name].map { !now.isSame(as: $0.state) } ?? false
            if now.text == trigger.state, now.hasCondition, !isChanged { return nil }
            return .trigger(trigger.name, of: table.name, is: "not the one that zumod made")
        }
    }

    /// A sequence that is behind the rows would assign ids that are taken.
    func numberFindings(of name: Identifier) throws(PostgresFailure) -> [Finding] {
        guard let given = try lastNumber(of: name) else { return [] }
        let relation = PostgresName.physical(name.text)
        let sequence = "pg_get_serial_sequence('\"\(relation)\"', 'id')"
        // An id at the end of the sequence would leave no number for later rows, and does no harm until then.
        let condition =
            "\"id\" < (SELECT seqmax / 2 FROM pg_sequence WHERE seqrelid = \(sequence)::regclass)"
        let highest = try run("SELECT coalesce(max(\"id\"), 0)::int8 FROM \"\(relation)\" WHERE \(condition)")
            .integer(0, 0)
        let top = try rows(of: InvariantStatement.highestNumber(of: name)).first?.integer(0) ?? 0
        let end = Finding.idsAtEnd(
            of: name, in: relation, highest: top, given: given,
            counter: "SELECT setval(\(sequence), greatest((SELECT max(\"id\") FROM \"\(relation)\"), 1))")
        if let end { return [end] }
        guard highest > given else { return [] }
        return [
            Finding(
                .highID, table: name.text,
                "a row has a higher id (\(highest)) than the last number that was given (\(given)): inserts will fail",
                advice: "raise the last number:",
                sql: ["SELECT setval(\(sequence), max(\"id\")) FROM \"\(relation)\" WHERE \(condition)"])
        ]
    }
}
