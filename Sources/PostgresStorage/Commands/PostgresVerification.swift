import OData
import TableSQL
public import Tables

/// Reads a database and says what in it is not as it has to be. Changes nothing; servers may go on writing.
public struct PostgresVerification {
    let connection: PostgresConnection
    private let definitions: [TableDefinition]
    var findings: [Finding] = []
    /// The highest version that leaves room, and the tables with rows whose versions don't.
    private var usualVersion: Int64 = 1
    private var relationsAtEnd: [String] = []

    /// - Parameter tables: the tables of the configuration, whose columns and indexes have to be there.
    /// - Throws: `definition` where the URL is none, `unavailable` where the database is away.
    public static func findings(at url: String, tables: [TableDefinition]) async throws(TableError) -> [Finding] {
        let pool = try SchemaTask.pool(url, statementTimeout: .zero)
        do throws(TableError) {
            let findings = try await pool.run { connection throws(PostgresFailure) in
                var verification = PostgresVerification(connection: connection, definitions: tables)
                try verification.run()
                return verification.findings
            }
            await pool.close()
            return findings
        } catch {
            await pool.close()
            throw error
        }
    }

    private init(connection: PostgresConnection, definitions: [TableDefinition]) {
        self.connection = connection
        self.definitions = definitions
    }

    private mutating func run() throws(PostgresFailure) {
        let age = try SchemaAge(on: connection)
        guard age.isKnown, age.pending.isEmpty, !age.isLater else {
            findings.append(.otherSchema(isLater: age.isLater))
            return
        }
        defer { connection.rollback() }
        try connection.beginLongRead()
        let registered = try connection.run(
            "SELECT name, last_stamp, soft_delete, imported_through FROM zumod_tables ORDER BY lower(name)")
        try checkServer()
        try checkFunctions()
        let start = findings.count
        for row in 0..<registered.rowCount {
            guard let name = Identifier(registered.string(row, 0)) else { continue }
            try check(
                RegisteredTable(
                    name: name, lastStamp: registered.integer(row, 1), softDelete: registered.boolean(row, 2),
                    imported: Version(counter: registered.integer(row, 3))))
        }
        findings += try LostTriggers.unanswered(on: connection).map(Finding.lost)
        try checkVersions(tellingAt: start)
    }

    /// Settings under which the server forgets what it acknowledged.
    private mutating func checkServer() throws(PostgresFailure) {
        let settings = try connection.run(
            """
            SELECT name::text, setting FROM pg_settings WHERE setting = 'off'
                AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name
            """)
        for row in 0..<settings.rowCount {
            let name = settings.string(row, 0)
            findings.append(
                Finding(
                    .serverSetting, "the server's setting \(name) is off: a power failure may take acknowledged writes",
                    advice: "a superuser changes the setting, by statements that are sent one by one:",
                    sql: [
                        "ALTER SYSTEM SET \(name) = on", "SELECT pg_reload_conf() /* the setting counts from here */",
                    ]))
        }
    }

    private mutating func checkFunctions() throws(PostgresFailure) {
        let result = try connection.run(
            "SELECT proname::text FROM pg_proc WHERE pronamespace = \(CurrentSchema.oid)")
        let known = Set((0..<result.rowCount).map { result.string($0, 0) })
        for function in MigratedFunction.all where !known.contains(function.name) {
            let firesTriggers = TriggerFunctions.all.contains { $0.name == function.name }
            findings.append(
                Finding(
                    .function, "the function \(function.name) is missing",
                    advice: firesTriggers ? Finding.migration : "make it anew:",
                    sql: firesTriggers ? [] : function.statements))
        }
        for function in try TriggerFunctions.lost(on: connection) where known.contains(function.name) {
            findings.append(
                Finding(
                    .function, "the function \(function.name) is not the one that zumod made", advice: Finding.migration
                ))
        }
        let secret = try connection.run("SELECT 1 FROM zumod_secrets WHERE name = 'continuation'")
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
    }

    private mutating func check(_ entry: RegisteredTable) throws(PostgresFailure) {
        let name = entry.name
        let relation = PostgresName.physical(name.text)
        let remedies = RowRemedies(of: name, in: .postgres)
        let result = try connection.run(
            SQLText(
                text: """
                    SELECT a.attname::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
                    WHERE c.relname = $1::text AND c.relnamespace = \(CurrentSchema.oid)
                        AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
                    """, bindings: [.text(relation)]))
        let columns = (0..<result.rowCount).map { result.string($0, 0) }
        guard !columns.isEmpty else {
            findings.append(.gone(name, forgetting: remedies.forgetting))
            return
        }
        findings += Finding.shadows(among: columns, of: name, in: relation)
        let missing = SystemColumn.allCases.filter { !columns.contains($0.rawValue) }
        findings += missing.map { .lost($0, of: name) }
        let definition = definitions.first { $0.name == name }
        let ownColumns = try TableSchema(of: name, on: connection)?.columns ?? []
        if let definition { findings += Finding.lost(definition, among: ownColumns) }
        try checkTriggers(of: entry, relation)
        guard missing.isEmpty else { return }
        try checkIndexes(of: name, definition, ownColumns)
        try checkRows(of: entry)
    }

    private mutating func checkTriggers(of entry: RegisteredTable, _ relation: String) throws(PostgresFailure) {
        let name = entry.name
        let result = try connection.run(
            SQLText(
                text: """
                    SELECT t.tgname::text, t.tgenabled IN ('O', 'A'), p.proname::text, t.tgtype::int8,
                        CASE t.tgnargs WHEN 0 THEN '' ELSE split_part(encode(t.tgargs, 'escape'), '\\000', 1) END,
                        t.tgqual IS NOT NULL
                    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
                    WHERE c.relname = $1::text AND c.relnamespace = \(CurrentSchema.oid) AND NOT tgisinternal
                    """, bindings: [.text(relation)]))
        // The bits of pg_trigger.tgtype: 1 for each row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate.
        var wanted = [
            ("zumod_turn", "zumod_take_turn", Int64(2 + 4 + 8 + 16), name.text),
            ("zumod_inserted", "zumod_renew", Int64(1 + 2 + 4), name.text),
            ("zumod_updated", "zumod_renew", Int64(1 + 2 + 16), name.text),
        ]
        if entry.softDelete {
            wanted.append(("zumod_deleted", "zumod_keep", Int64(1 + 2 + 8), ""))
            wanted.append(("zumod_truncated", "zumod_keep", Int64(2 + 32), ""))
        }
        let memory = LostTriggers(connection: connection, table: name)
        let (recorded, found) = (try memory.recorded(), try memory.found())
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
    }

    private mutating func checkIndexes(
        of name: Identifier, _ definition: TableDefinition?, _ columns: [Column]
    ) throws(PostgresFailure) {
        var wanted: [[Field]] = [[.system(.updatedAt), .system(.id)]]
        if let definition {
            // What a definition asks for wrongly is `zumod check`'s to tell.
            let table = Table(name: name, columns: columns, rules: definition.rules)
            wanted += (try? definition.indexFields(of: table)) ?? []
        }
        for statement in wanted.flatMap({ CreateIndexStatement.all($0, of: name, dialect: PostgresDialect()) }) {
            let index = PostgresName.physical(statement.name)
            let found = try connection.run(
                SQLText(
                    text: """
                        SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                        WHERE c.relname = $1::text AND c.relnamespace = \(CurrentSchema.oid)
                        """, bindings: [.text(index)]))
            if found.rowCount == 0 {
                findings.append(.missingIndex(index, of: name))
            } else if !found.boolean(0, 0) {
                findings.append(
                    Finding(
                        .invalidIndex, table: name.text, "its index \(index) is not valid", advice: "make it anew:",
                        sql: ["REINDEX INDEX \"\(index)\""]))
            }
        }
    }

    private mutating func checkRows(of entry: RegisteredTable) throws(PostgresFailure) {
        let (name, dialect) = (entry.name, PostgresDialect())
        let relation = PostgresName.physical(name.text)
        try checkAdoption(of: name, relation)
        let remedies = RowRemedies(of: name, in: .postgres)
        let highest = try connection.run(InvariantStatement.highest(of: name, dialect: dialect))
        guard !highest.isNull(0, 0) else { return }
        let latest = StoredDate.instant(microseconds: highest.integer(0, 0))
        let version = highest.integer(0, 1)
        // Read after the rows: it only grows meanwhile.
        let counter = try connection.run("SELECT last_value FROM zumod_version").integer(0, 0)
        let usual = try connection.run(InvariantStatement.highestUsual(of: name, dialect: dialect))
        usualVersion = max(usualVersion, usual.isNull(0, 1) ? 0 : usual.integer(0, 1))
        if version >= ImportRow.highestVersion.counter { relationsAtEnd.append(relation) }
        // The counters first, of which the remedies of rows take new stamps and versions.
        findings += [
            .stampsAtEnd(
                of: entry, in: relation, latest: latest,
                usual: usual.isNull(0, 0) ? nil : StoredDate.instant(microseconds: usual.integer(0, 0))),
            .highVersion(version, over: counter, in: entry, remedy: remedies.highVersion),
            .lateStamp(latest, in: entry, remedy: remedies.lateStamp),
        ].compactMap(\.self)
        findings += Finding.stamps(
            of: name, repeated: try first(InvariantStatement.repeatedStamps(of: name, dialect: dialect)),
            disordered: try first(InvariantStatement.disorder(of: name, after: entry.imported, dialect: dialect)),
            remedies: (remedies.repeatedStamps, remedies.disorder(after: entry.imported)))
        let tombstones = Finding.visibleTombstones(
            highest.integer(0, 2), in: entry, removal: remedies.visibleTombstones)
        if let tombstones { findings.append(tombstones) }
        try checkNumbers(of: name, relation)
    }

    /// - Parameter place: before the findings of tables, whose remedies take numbers of the counter.
    private mutating func checkVersions(tellingAt place: Int) throws(PostgresFailure) {
        let counter = try connection.run("SELECT last_value FROM zumod_version").integer(0, 0)
        let last = relationsAtEnd.isEmpty ? counter : max(counter, ImportRow.highestVersion.counter)
        if let finding = Finding.versionsAtEnd(
            last, of: relationsAtEnd, counter: "SELECT setval('zumod_version', \(usualVersion))")
        {
            findings.insert(finding, at: place)
        }
    }

    /// A sequence that is behind the rows gives ids that are taken.
    private mutating func checkNumbers(of name: Identifier, _ relation: String) throws(PostgresFailure) {
        guard let schema = try TableSchema(of: name, on: connection), schema.hasIntegerID,
            let given = try GivenNumbers.last(of: name, on: connection)
        else { return }
        let sequence = "pg_get_serial_sequence('\"\(relation)\"', 'id')"
        // An id at the sequence's end would leave no number for the rows to come, and stands in nobody's way until then.
        let condition =
            "\"id\" < (SELECT seqmax / 2 FROM pg_sequence WHERE seqrelid = \(sequence)::regclass)"
        let result = try connection.run(
            SQLText(text: "SELECT coalesce(max(\"id\"), 0)::int8 FROM \"\(relation)\" WHERE \(condition)", bindings: [])
        )
        let highest = result.integer(0, 0)
        let top = try connection.run(InvariantStatement.highestNumber(of: name, dialect: PostgresDialect())).integer(
            0, 0)
        let end = Finding.idsAtEnd(
            of: name, in: relation, highest: top, given: given,
            counter: "SELECT setval(\(sequence), greatest((SELECT max(\"id\") FROM \"\(relation)\"), 1))")
        if let end { findings.append(end) }
        guard highest > given, end == nil else { return }
        findings.append(
            Finding(
                .highID, table: name.text,
                "a row has a higher id (\(highest)) than the last number that was given (\(given)): inserts will fail",
                advice: "raise the last number:",
                sql: ["SELECT setval(\(sequence), max(\"id\")) FROM \"\(relation)\" WHERE \(condition)"]))
    }

    /// - Returns: a number and a stamp as an example; nil where the number is 0.
    private func first(_ sql: SQLText) throws(PostgresFailure) -> (Int64, String)? {
        let result = try connection.run(sql)
        guard result.integer(0, 0) > 0 else { return nil }
        return (result.integer(0, 0), StoredDate.instant(microseconds: result.integer(0, 1)).wireText)
    }
}
