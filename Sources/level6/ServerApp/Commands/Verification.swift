public import Operating
import PostgresStorage
import SQLiteStorage
public import ServerConfiguration
import Tables

/// `zumod verify`: what in a database is not as it has to be.
public struct Verification: Sendable {
    private let configuration: Configuration

    /// For the database and the tables of a configuration.
    public init(of configuration: Configuration) {
        self.configuration = configuration
    }

    /// Reads the whole database and changes nothing.
    /// - Returns: for each finding what is wrong and, on lines of their own, what to do and the statements that do it.
    public func run() async throws(CommandFault) -> [String] {
        let findings: [Finding]
        do throws(TableError) {
            switch configuration.database {
            case .sqlite(let path):
                findings = try SQLiteVerification.findings(in: path, tables: configuration.tables)
            case .sqliteInMemory:
                throw .definition("a database in memory ends with its server and can't be looked at")
            case .postgres(let url):
                findings = try await PostgresVerification.findings(at: url, tables: configuration.tables)
            }
        } catch {
            throw .application(StartFault(error))
        }
        return findings.flatMap(\.lines)
    }
}
