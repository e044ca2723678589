import TableSQL
public import Tables

/// The adoption of a table that another program created: it gains the system columns that it lacks, and the triggers
/// and the index of incremental sync. Its own columns and rows stay unchanged.
public struct PostgresAdoption: Sendable {
    /// The table, as the database spells it.
    public let table: Identifier
    /// The SQL statements, in order, which are run in one transaction.
    public let statements: [String]
    /// Columns whose names or types clients can't write; the store leaves them alone.
    public let ignoredColumns: [String]
    private let url: String
    private let softDelete: Bool

    /// Examines a table and plans its adoption; changes nothing.
    ///
    /// - Throws: `definition` if the table doesn't exist, is zumod's already or can't be adopted.
    public static func plan(
        _ table: Identifier, softDelete: Bool, url: String
    ) async throws(TableError) -> PostgresAdoption {
        try TableDefinition(name: table).check()
        return try await SchemaTask.run(url) { connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection).run(keeps: false) { connection throws(PostgresFailure) in
                try connection.migrate()
                return try Self.plan(table, softDelete: softDelete, url: url, on: connection)
            }
        }
    }

    /// Carries out the plan. It waits for the table a few times and briefly, as readers have to wait in the meantime.
    /// - Throws: `definition` if the table has changed since, `unavailable` if another session holds it all the time,
    ///   or the error of a failed statement; nothing was done then.
    public func perform() async throws(TableError) {
        try await perform(attempts: 5)
    }

    /// - Parameter attempts: how many times to wait for the table.
    func perform(attempts: Int) async throws(TableError) {
        for attempt in 1...attempts {
            guard let holder = try await attemptToPerform() else { return }
            guard attempt < attempts else {
                let sentence = "the table \(table) is in use by \(holder), so nothing was changed: "
                throw .unavailable(detail: sentence + "end that transaction, or try again later")
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// How long others can use the table between two attempts.
    private static let pause = Duration.seconds(1)
    /// How long a statement, and those queued after it, wait for a lock.
    private static let lockPatience = Duration.seconds(2)

    /// - Returns: who holds the table if that prevented the adoption; nil if it is done.
    private func attemptToPerform() async throws(TableError) -> String? {
        try await SchemaTask.run(url) { connection throws(PostgresFailure) in
            do throws(PostgresFailure) {
                try SchemaTransaction(connection: connection).run { connection throws(PostgresFailure) in
                    try connection.migrate()
                    let now = try Self.plan(table, softDelete: softDelete, url: url, on: connection)
                    guard now.statements == statements else {
                        throw .table(.definition("the table \(table) has changed since the plan was made"))
                    }
                    for statement in statements {
                        let line = statement.prefix { $0 != "\n" }
                        try Self.explain("\(line) failed", of: table) { () throws(PostgresFailure) in
                            _ = try connection.run(statement)
                        }
                    }
                }
                return nil
            } catch {
                guard case .refused(let state, _) = error, state.meaning == .locked else { throw error }
                let holder = try connection.run(LockHolder.ofAny(table, waitedFor: Self.lockPatience))
                return holder.rowCount > 0 ? holder.string(0, 0) : "another session"
            }
        }
    }

    /// Explains what can't be adopted if PostgreSQL refuses a statement, such as because of an invalid value or a view
    /// that depends on a column; failures of locks and connections are passed on unchanged.
    private static func explain(
        _ what: String, of table: Identifier, _ body: () throws(PostgresFailure) -> Void
    ) throws(PostgresFailure) {
        do throws(PostgresFailure) {
            try body()
        } catch {
            guard case .refused(let state, let detail) = error, state.isOfTheStatement || state.meaning == .stalePlan
            else {
                throw error
            }
            throw .table(
                .definition("the table \(table) can't be adopted, and nothing was changed: \(what): \(detail)"))
        }
    }

    private static func plan(
        _ name: Identifier, softDelete: Bool, url: String, on connection: PostgresConnection
    ) throws(PostgresFailure) -> PostgresAdoption {
        let found = try UnmanagedTable(name, on: connection)
        let relation = "\"\(found.name.text)\""
        if !softDelete {
            try explain("its deleted rows can't be counted", of: found.name) { () throws(PostgresFailure) in
                try found.refuseDeletedRows(on: connection)
            }
        }
        var statements = [
            "SET LOCAL lock_timeout = \(lockPatience.milliseconds)", "LOCK TABLE \(relation) IN ACCESS EXCLUSIVE MODE",
        ]
        statements += found.formerColumns.statements(in: relation)
        for column in found.schema.lostColumns {
            let definition =
                switch column {
                case .id where found.hasPrimaryKey: PostgresDialect().uniqueID
                case .id, .deleted: PostgresDialect().definition(of: column, rules: TableRules())
                // Without a value in the rows that are there.
                case .createdAt, .updatedAt, .version: PostgresDialect().typeName(of: column)
                }
            statements.append("ALTER TABLE \(relation) ADD COLUMN \"\(column.rawValue)\" \(definition)")
        }
        // Every row gets a different stamp, the last one about now. The other program has changed none of them.
        statements += found.triggersOff
        statements.append(
            """
            UPDATE \(relation) AS t SET "version" = nextval('zumod_version'), "deleted" = coalesce(t."deleted", false),
                "createdAt" = coalesce(t."createdAt", date_trunc('milliseconds', now())),
                "updatedAt" = date_trunc('milliseconds', now()) - (o.total - o.place) * interval '1 millisecond'
            FROM (SELECT "id", row_number() OVER (ORDER BY "id") AS place, count(*) OVER () AS total FROM \(relation)) AS o
            WHERE o."id" = t."id"
            """)
        statements += found.triggersOn
        if found.schema.systemColumns.contains(.deleted) {
            // A null would appear in no list and no pull.
            statements.append(
                "ALTER TABLE \(relation) ALTER COLUMN \"deleted\" SET DEFAULT false, ALTER COLUMN \"deleted\" SET NOT NULL"
            )
        }
        for column in [SystemColumn.createdAt, .updatedAt, .version] {
            statements.append("ALTER TABLE \(relation) ALTER COLUMN \"\(column.rawValue)\" SET NOT NULL")
        }
        statements.append(
            """
            INSERT INTO zumod_tables (name, relation, origin, soft_delete, last_stamp, imported_through)
            SELECT '\(found.name.text)', '\(found.name.text)', 'configuration', \(softDelete),
                ceil(extract(epoch FROM now()) * 1000)::bigint, last_value FROM zumod_version
            """)
        statements += PostgresTriggers(for: found.name, softDelete: softDelete).all.map(\.statement)
        statements += CreateIndexStatement.all(Table.syncIndex, of: found.name, dialect: PostgresDialect())
            .map(\.sql.text)
        statements.append("UPDATE zumod_schema SET epoch = epoch + 1")
        return PostgresAdoption(
            table: found.name, statements: statements, ignoredColumns: found.ignoredColumns, url: url,
            softDelete: softDelete)
    }
}
