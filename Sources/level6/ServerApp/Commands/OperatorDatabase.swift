import Operating
import ServerConfiguration
import Tables

/// The database, opened for a command that writes to it.
enum OperatorDatabase {
    /// Runs a body with the database, and closes it.
    /// - Parameters:
    ///   - names: the tables that are used. One that the configuration doesn't name, such as one of a project
    ///     that `serve --app` serves, is there as it is.
    ///   - creates: whether a missing database is created, with those tables, and one of an earlier version updated;
    ///     else both are refused.
    ///   - isTrial: whether nothing may be changed, so that a schema that is behind is refused.
    static func using<Success: Sendable>(
        _ configuration: Configuration, tables names: Set<Identifier> = [], creates: Bool = false,
        isTrial: Bool = false,
        _ body: (Database) async throws(CommandFault) -> Success
    ) async throws(CommandFault) -> Success {
        if isTrial {
            do throws(StartFault) {
                try await DatabaseMigration(of: configuration).refusePending(because: "--dry-run")
            } catch {
                throw .application(error)
            }
        }
        let database = try await open(configuration, tables: names, creates: creates)
        do throws(CommandFault) {
            let success = try await body(database)
            await database.close()
            return success
        } catch {
            await database.close()
            throw error
        }
    }

    /// Opens the database as a server would, but without seed rows, as the table gets the imported ones. Other missing
    /// tables stay so: a server that creates them gives them theirs. A table that keeps tombstones continues to: only a
    /// server ends that, and this command may be a preparation for it.
    private static func open(
        _ configuration: Configuration, tables names: Set<Identifier>, creates: Bool
    ) async throws(CommandFault) -> Database {
        var configuration = configuration
        if configuration.database == .sqliteInMemory {
            throw .usage("a database in memory ends with this command; name a file or a PostgreSQL database")
        }
        configuration.autoCreateTables = true
        let tables = try await tables(in: configuration, creates: creates)
        let wanted = Set(tables.map(\.name)).union(creates ? names : [])
        configuration.tables.removeAll { !wanted.contains($0.name) }
        let keeping = Set(tables.filter(\.rules.softDelete).map(\.name))
        for index in configuration.tables.indices {
            configuration.tables[index].seed = []
            if keeping.contains(configuration.tables[index].name) {
                configuration.tables[index].rules.softDelete = true
            }
        }
        let unnamed = names.subtracting(configuration.tables.map(\.name))
        // Without columns, as another program may change those meanwhile: a table is served with the ones it has.
        configuration.tables += tables.filter { !$0.isClients && unnamed.contains($0.name) }.map {
            TableDefinition(name: $0.name, rules: $0.rules)
        }
        return try await CommandFault.asking(await Database.reach(configuration))
    }

    /// Returns the existing tables.
    /// - Parameter creates: whether a database of an earlier version is updated first, and a missing one is created.
    static func tables(in configuration: Configuration, creates: Bool) async throws(CommandFault) -> [Table] {
        do throws(TableError) {
            return try await shown(by: configuration.database)
        } catch {
            guard creates else { throw CommandFault(error) }
        }
        var bare = configuration
        bare.tables = []
        bare.autoCreateTables = true
        try await CommandFault.asking(await Database.reach(bare)).close()
        return (try? await shown(by: configuration.database)) ?? []
    }

    private static func shown(by database: DatabaseLocation) async throws(TableError) -> [Table] {
        let snapshot = try await Database.snapshot(database)
        do throws(TableError) {
            let tables = try await snapshot.contents().tables.map(\.table)
            await snapshot.close()
            return tables
        } catch {
            await snapshot.close()
            throw error
        }
    }

    /// Returns what an operator has to do so that a table is served; nil if it already is.
    static func note(on table: Table, in configuration: Configuration) -> String? {
        guard !configuration.autoCreateTables, !configuration.tables.contains(where: { $0.name == table.name }) else {
            return nil
        }
        var rules = table.rules.softDelete ? ["softDelete: true"] : []
        if table.rules.autoIncrement { rules.append("autoIncrement: true") }
        let content = rules.isEmpty ? "which may be empty" : "with \(rules.joined(separator: " and "))"
        return """
            note: the configuration doesn't name \(table.name), so a server won't serve it unless its --app does: add \
            tables/\(table.name).yaml, \(content)
            """
    }
}
