import Operating
import ServerConfiguration
import Tables

/// The database, opened for a command that writes to it.
enum OperatorDatabase {
    /// Does something with the database, and closes it.
    static func using<Success: Sendable>(
        _ configuration: Configuration, _ body: (Database) async throws(CommandFault) -> Success
    ) async throws(CommandFault) -> Success {
        let database = try await open(configuration)
        do throws(CommandFault) {
            let success = try await body(database)
            await database.close()
            return success
        } catch {
            await database.close()
            throw error
        }
    }

    /// Opens the database as a server would, but without first rows: those that are imported are the table's. A table that
    /// keeps its tombstones goes on to: it is a server that ends that, and the way there may be this command.
    private static func open(_ configuration: Configuration) async throws(CommandFault) -> Database {
        var configuration = configuration
        if configuration.database == .sqliteInMemory {
            throw .usage("a database in memory ends with this command; name a file or a PostgreSQL database")
        }
        configuration.autoCreateTables = true
        let keeping = await tombstoneKeepers(in: configuration.database)
        for index in configuration.tables.indices {
            configuration.tables[index].seed = []
            if keeping.contains(configuration.tables[index].name) {
                configuration.tables[index].rules.softDelete = true
            }
        }
        do throws(TableError) {
            return try await Database.reach(configuration)
        } catch {
            throw .application(StartFault(error))
        }
    }

    /// The tables that have soft delete by now.
    private static func tombstoneKeepers(in database: DatabaseLocation) async -> Set<Identifier> {
        Set(await tables(in: database).filter(\.rules.softDelete).map(\.name))
    }

    /// The tables that are there; none where the database isn't there yet, or is of another version.
    static func tables(in database: DatabaseLocation) async -> [Table] {
        guard let snapshot = try? await Database.snapshot(database) else { return [] }
        let tables = (try? await snapshot.contents())?.tables ?? []
        await snapshot.close()
        return tables.map(\.table)
    }

    /// What an operator has to do so that a table is served; nil where it is.
    static func note(on table: Table, in configuration: Configuration) -> String? {
        guard !configuration.autoCreateTables, !configuration.tables.contains(where: { $0.name == table.name }) else {
            return nil
        }
        var rules = table.rules.softDelete ? ["softDelete: true"] : []
        if table.rules.autoIncrement { rules.append("autoIncrement: true") }
        let content = rules.isEmpty ? "which may be empty" : "with \(rules.joined(separator: " and "))"
        return """
            note: the configuration doesn't name \(table.name), so a server won't serve it: add tables/\(table.name).yaml, \
            \(content)
            """
    }
}
