public import Operating
public import ServerConfiguration
import Tables

/// `zumod migrate`: updates a database to this version's schema and to the configuration's tables.
public struct DatabaseMigration: Sendable {
    private let configuration: Configuration

    /// Creates a migration of a configuration's database and tables.
    public init(of configuration: Configuration) {
        self.configuration = configuration
    }

    /// Returns the necessary changes, without making any.
    /// - Returns: a line for each change.
    public func pending() async throws(StartFault) -> [String] {
        guard configuration.database != .sqliteInMemory else {
            throw .configuration("a database in memory begins anew with every server; there is nothing to migrate")
        }
        return try await StartFault.asking(await Database.pendingChanges(configuration))
    }

    /// Makes the changes, as a server would at startup.
    /// - Parameter warn: called with anything about the database that operators should know.
    public func perform(warn: @escaping @Sendable (String) -> Void) async throws(StartFault) {
        try await StartFault.asking(await Database.reach(configuration, warn: warn)).close()
    }

    /// Throws if there are changes to make.
    /// - Parameter flag: the flag for which none may be made.
    func refusePending(because flag: String) async throws(StartFault) {
        if configuration.database == .sqliteInMemory { return }
        let changes = try await pending()
        guard changes.isEmpty else {
            throw .configuration(
                "the database's schema is behind, and \(flag) keeps it so; run `zumod migrate`, with --config, --database "
                    + "and --app as here, which:\n" + changes.map { "    \($0)" }.joined(separator: "\n"))
        }
    }
}
