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
    fileprivate static let server = ProcessInfo.processInfo.environment["ZUMOD_TEST_POSTGRES_URL"]

    /// What a test's own database begins as.
    enum Template: Sendable {
        case file(Data)
        /// A database of the server, to which nobody is connected.
        case database(String)
    }

    /// Where a test's own tables are.
    struct Place: Sendable {
        let url: String
        fileprivate let database: String?

        /// Has removed what is not in the test's folder.
        func remove() {
            if let database, let server = TestDatabase.server { OwnDatabases.remove(database, from: server) }
        }

        /// The database as it is, once nobody has it open.
        func template() throws -> Template {
            if let database { return .database(database) }
            return .file(try Data(contentsOf: URL(fileURLWithPath: String(url.dropFirst("sqlite:".count)))))
        }
    }

    /// A fresh database: an empty one, or a copy of a template.
    func place(in folder: String, like template: Template? = nil) async throws -> Place {
        guard self == .postgres, let server = Self.server else {
            let path = "\(folder)/rows.sqlite3"
            if case .file(let bytes) = template { try bytes.write(to: URL(fileURLWithPath: path)) }
            return Place(url: "sqlite:\(path)", database: nil)
        }
        let name = "zumod_wire_\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
        let origin = if case .database(let origin) = template { origin } else { "template1" }
        try await OwnDatabases.make(name, like: origin, on: server)
        return Place(
            url: "\(DatabaseSession.url(name, on: server))?options=-cclient_min_messages%3Dwarning", database: name)
    }
}
