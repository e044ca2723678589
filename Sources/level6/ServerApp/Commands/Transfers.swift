public import Operating
public import ServerConfiguration
import Tables
public import Transfer

extension TableExport {
    /// Exports rows of the configured database.
    public func run(on configuration: Configuration) async throws(CommandFault) -> ExportReport {
        let snapshot = try await CommandFault.asking(await Database.snapshot(configuration.database))
        do throws(CommandFault) {
            let report = try await run(on: snapshot)
            await snapshot.close()
            return report
        } catch {
            await snapshot.close()
            throw error
        }
    }
}

extension TableImport {
    /// Imports the files, one after another, into the configured database.
    /// - Parameter tell: called with a line for each table, and with notes.
    public func run(
        on configuration: Configuration, tell: @Sendable (String) -> Void
    ) async throws(CommandFault) {
        let names = try tableNames()
        try await OperatorDatabase.using(configuration, tables: names, creates: true, isTrial: isTrial) {
            database throws(CommandFault) in
            try await run(
                on: database.store, database.users,
                noting: { OperatorDatabase.note(on: $0, in: configuration) }, tell: tell)
        }
    }
}

extension RemoteImport {
    /// Copies the rows into the configured database.
    /// - Parameter tell: called with progress, for an operator who waits.
    /// - Returns: a summary, in sentences.
    public func run(
        on configuration: Configuration, tell: @escaping @Sendable (String) -> Void
    ) async throws(CommandFault) -> [String] {
        try await OperatorDatabase.using(configuration, tables: [name], creates: true) {
            database throws(CommandFault) in
            try await run(
                on: database.store, noting: { OperatorDatabase.note(on: $0, in: configuration) }, tell: tell)
        }
    }
}
