import Foundation
import PostgresTesting
import Testing
import WireTesting

/// The databases that every wire test runs on.
enum TestDatabase: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case postgres = "PostgreSQL"

    var testDescription: String { rawValue }

    /// Those that are at hand. `scripts/test-postgres` starts a PostgreSQL server for the tests.
    static let all = allCases.filter { $0 == .sqlite || server != nil }

    /// How many servers of the kind may run at a time.
    var turns: Turns {
        switch self {
        case .sqlite: Self.sqliteTurns
        case .postgres: Self.postgresTurns
        }
    }

    private static let sqliteTurns = Turns(16)
    private static let postgresTurns = Turns(8)
    private static let server = ProcessInfo.processInfo.environment["ZUMOD_TEST_POSTGRES_URL"]

    /// Where a test's own tables are.
    struct Place: Sendable {
        let url: String
        fileprivate let schema: String?

        /// Removes what is not in the test's folder.
        func remove() {
            if let schema { try? TestDatabase.run("DROP SCHEMA IF EXISTS \(schema) CASCADE") }
        }
    }

    /// A fresh file, or a fresh schema.
    func place(in folder: String) throws -> Place {
        guard self == .postgres, let server = Self.server else {
            return Place(url: "sqlite:\(folder)/rows.sqlite3", schema: nil)
        }
        let schema = "zumod_wire_\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
        try Self.run("CREATE SCHEMA \(schema)")
        let options = "-csearch_path%3D\(schema)%20-cclient_min_messages%3Dwarning"
        return Place(url: "\(server)?options=\(options)", schema: schema)
    }

    private static func run(_ sql: String) throws {
        // What is dropped with a schema is told in notices, thousands of lines in all.
        _ = try DatabaseSession((server ?? "") + "?options=-cclient_min_messages%3Dwarning").run(sql)
    }
}
