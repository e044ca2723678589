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
        let name = table.name
        let result = try run(
            """
            SELECT t.tgname::text, t.tgenabled IN ('O', 'A'), p.proname::text, t.tgtype::int8,
                CASE t.tgnargs WHEN 0 THEN '' ELSE split_part(encode(t.tgargs, 'escape'), '\\000', 1) END,
                t.tgqual IS NOT NULL
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE c.relname = $1::text AND c.relnamespace = \(CurrentSchema.oid) AND NOT tgisinternal
            """, [.text(PostgresName.physical(name.text))])
        // The bits of pg_trigger.tgtype: 1 for each row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate.
        var wanted = [
            ("zumod_turn", "zumod_take_turn", Int64(2 + 4 + 8 + 16), name.text),
            ("zumod_inserted", "zumod_renew", Int64(1 + 2 + 4), name.text),
            ("zumod_updated", "zumod_renew", Int64(1 + 2 + 16), name.text),
        ]
        if table.softDelete {
            wanted.append(("zumod_deleted", "zumod_keep", Int64(1 + 2 + 8), ""))
            wanted.append(("zumod_truncated", "zumod_keep", Int64(2 + 32), ""))
        }
        let memory = PostgresTriggerDrift(connection: self, table: name)
        let (recorded, found) = (try memory.recorded(), try memory.found())
        var findings: [Finding] = []
        for (trigger, function, type, argument) in wanted {
            let isChanged = recorded[trigger].map { found[trigger]?.isSame(as: $0.state) != true } ?? false
            let row = (0..<result.rowCount).first { result.string($0, 0) == trigger }
            let state: String?
            if let row {
                let isWhole =
                    result.string(row, 2) == function && result.integer(row, 3) == type && result.boolean(row, 5)
                    && result.string(row, 4) == argument && !isChanged
                state = !result.boolean(row, 1) ? "disabled" : isWhole ? nil : "not the one that zumod made"
            } else {
                state = "missing"
            }
            if let state { findings.append(.trigger(trigger, of: name, is: state)) }
        }
        return findings
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
