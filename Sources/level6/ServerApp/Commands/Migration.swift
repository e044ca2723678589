public import Operating
public import ServerConfiguration
import Tables

/// `zumod migrate`: brings a database to this version's schema and to the configuration's tables.
public struct Migration: Sendable {
    private let configuration: Configuration

    /// For the database and the tables of a configuration.
    public init(of configuration: Configuration) {
        self.configuration = configuration
    }

    /// What has to be done; changes nothing.
    /// - Returns: a line for each change.
    public func pending() async throws(StartFault) -> [String] {
        guard configuration.database != .sqliteInMemory else {
            throw .configuration("a database in memory begins anew with every server; there is nothing to migrate")
        }
        return try await StartFault.asking(await Database.pendingChanges(configuration))
    }

    /// Does it, as a server would at startup.
    /// - Parameter warn: called with anything about the database that the operator should know.
    public func perform(warn: @escaping @Sendable (String) -> Void) async throws(StartFault) {
        try await StartFault.asking(await Database.reach(configuration, warn: warn)).close()
    }

    /// Refuses to continue if there is anything to do.
    func refusePending() async throws(StartFault) {
        if configuration.database == .sqliteInMemory { return }
        let changes = try await pending()
        guard changes.isEmpty else {
            throw .configuration(
                "the database's schema is behind, and --no-migrate keeps it so; run `zumod migrate`, which:\n"
                    + changes.map { "    \($0)" }.joined(separator: "\n"))
        }
    }
}
