public import Operating
public import ServerConfiguration
import Tables
public import Transfer

extension TableExport {
    /// Writes the rows of the database that the configuration names.
    /// - Returns: a line about each table.
    public func run(on configuration: Configuration) async throws(CommandFault) -> [String] {
        let snapshot = try await CommandFault.asking(await Database.snapshot(configuration.database))
        do throws(CommandFault) {
            let lines = try await run(on: snapshot)
            await snapshot.close()
            return lines
        } catch {
            await snapshot.close()
            throw error
        }
    }
}

extension TableImport {
    /// Imports the files, one after another, into the configured database.
    /// - Parameter tell: receives a line about each table, and notes.
    public func run(
        on configuration: Configuration, tell: @Sendable (String) -> Void
    ) async throws(CommandFault) {
        try await OperatorDatabase.using(configuration) { database throws(CommandFault) in
            try await run(
                on: database.store, noting: { OperatorDatabase.note(on: $0, in: configuration) }, tell: tell)
        }
    }
}

extension RemoteImport {
    /// Copies the rows into the configured database.
    /// - Parameter tell: receives progress for an operator who waits.
    /// - Returns: what was done, in words.
    public func run(
        on configuration: Configuration, tell: @escaping @Sendable (String) -> Void
    ) async throws(CommandFault) -> [String] {
        try await OperatorDatabase.using(configuration) { database throws(CommandFault) in
            try await run(
                on: database.store, noting: { OperatorDatabase.note(on: $0, in: configuration) }, tell: tell)
        }
    }
}
