public import Operating
import PostgresStorage
import SQLiteStorage
public import ServerConfiguration
import Tables

/// `zumod verify`: finds what is wrong with a database.
public enum Verification {
    /// Reads the whole database and changes nothing.
    /// - Returns: for each finding, what is wrong and, on separate lines, what to do and the statements that do it.
    public static func run(on configuration: Configuration) async throws(CommandFault) -> [String] {
        try await CommandFault.asking(await findings(in: configuration)).flatMap(\.lines)
    }

    private static func findings(in configuration: Configuration) async throws(TableError) -> [Finding] {
        switch configuration.database {
        case .sqlite(let path): try SQLiteVerification.findings(in: path, tables: configuration.tables)
        case .sqliteInMemory: throw .definition("a database in memory ends with its server and can't be looked at")
        case .postgres(let url): try await PostgresVerification.findings(at: url, tables: configuration.tables)
        }
    }
}
