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

        /// Removes what is not in the test's folder, on a thread of its own: PostgreSQL may have to wait for sessions of other
        /// tests, and these for the threads that all tests share.
        func removeApart() async {
            guard let database else { return }
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    try? TestDatabase.run("DROP DATABASE IF EXISTS \(database) WITH (FORCE)")
                    continuation.resume()
                }
            }
        }

        /// The database as it is, once nobody has it open.
        func template() throws -> Template {
            if let database { return .database(database) }
            return .file(try Data(contentsOf: URL(fileURLWithPath: String(url.dropFirst("sqlite:".count)))))
        }
    }

    /// A fresh database: an empty one, or a copy of a template.
    func place(in folder: String, like template: Template? = nil) throws -> Place {
        guard self == .postgres, let server = Self.server else {
            let path = "\(folder)/rows.sqlite3"
            if case .file(let bytes) = template { try bytes.write(to: URL(fileURLWithPath: path)) }
            return Place(url: "sqlite:\(path)", database: nil)
        }
        let name = "zumod_wire_\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
        let origin = if case .database(let origin) = template { origin } else { "template1" }
        // As files: by the log, as is usual, a copy costs three times as much.
        try Self.run("CREATE DATABASE \(name) TEMPLATE \(origin) STRATEGY FILE_COPY")
        return Place(url: DatabaseSession.url(name, on: server) + Self.quietly, database: name)
    }

    private static let quietly = "?options=-cclient_min_messages%3Dwarning"

    private static func run(_ sql: String) throws {
        _ = try DatabaseSession((server ?? "") + quietly).run(sql)
    }
}
