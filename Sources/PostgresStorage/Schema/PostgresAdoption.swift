import OData
import PostgresMigrations
import TableSQL
public import Tables

/// How a table that another program made becomes one of zumod's: it gains the system columns that it lacks, the
/// triggers and the index of incremental sync. Its own columns and rows stay as they are.
public struct PostgresAdoption: Sendable {
    /// The table, as the database spells it.
    public let table: Identifier
    /// What is done, as SQL, in order and in one transaction.
    public let statements: [String]
    /// Columns whose names or types no client can write; the store leaves them alone.
    public let ignoredColumns: [String]
    private let url: String
    private let softDelete: Bool

    /// Looks at a table and says what would be done; changes nothing.
    ///
    /// - Throws: `definition` where the table isn't there, is zumod's already or can't become zumod's.
    public static func plan(
        _ table: Identifier, softDelete: Bool, url: String
    ) async throws(TableError) -> PostgresAdoption {
        try TableDefinition(name: table).check()
        return try await SchemaTask.run(url) { connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection).run(keeps: false) { connection throws(PostgresFailure) in
                try MigrationRunner(connection: connection, migrations: PostgresMigrations.all).run()
                return try Self.plan(table, softDelete: softDelete, url: url, on: connection)
            }
        }
    }

    /// Does what the plan says.
    /// - Throws: `definition` where the table has changed since, or a statement fails; nothing was done then.
    public func perform() async throws(TableError) {
        try await SchemaTask.run(url) { connection throws(PostgresFailure) in
            try SchemaTransaction(connection: connection).run { connection throws(PostgresFailure) in
                try MigrationRunner(connection: connection, migrations: PostgresMigrations.all).run()
                let now = try Self.plan(table, softDelete: softDelete, url: url, on: connection)
                guard now.statements == statements else {
                    throw .table(.definition("the table \(table) has changed since the plan was made"))
                }
                for statement in statements { _ = try connection.run(statement) }
            }
        }
    }

    private static func plan(
        _ name: Identifier, softDelete: Bool, url: String, on connection: PostgresConnection
    ) throws(PostgresFailure) -> PostgresAdoption {
        let found = try ForeignTable(name, on: connection)
        let relation = "\"\(found.name.text)\""
        var statements: [String] = []
        if !found.hasID {
            let column = PostgresDialect().definition(of: .id, rules: TableRules())
            statements.append("ALTER TABLE \(relation) ADD COLUMN \"id\" \(column)")
        }
        var rules = TableRules()
        rules.softDelete = softDelete
        for column in [SystemColumn.createdAt, .updatedAt, .version] where !found.systemColumns.contains(column) {
            let type = column == .version ? "bigint" : PostgresDialect().typeName(of: .date)
            statements.append("ALTER TABLE \(relation) ADD COLUMN \"\(column.rawValue)\" \(type)")
        }
        if !found.systemColumns.contains(.deleted) {
            let column = PostgresDialect().definition(of: .deleted, rules: rules)
            statements.append("ALTER TABLE \(relation) ADD COLUMN \"deleted\" \(column)")
        }
        // Each row has a stamp of its own, the last of them about now.
        statements.append(
            """
            UPDATE \(relation) AS t SET "version" = nextval('zumod_version'),
                "createdAt" = coalesce(t."createdAt", now()),
                "updatedAt" = now() - (total - place) * interval '1 millisecond'
            FROM (SELECT "id", row_number() OVER (ORDER BY "id") AS place, count(*) OVER () AS total FROM \(relation)) AS o
            WHERE o."id" = t."id"
            """)
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
