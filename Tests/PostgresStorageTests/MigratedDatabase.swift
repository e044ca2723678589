import Foundation
import PostgresStorage
import PostgresTesting

/// Databases that begin with the server's own tables. To copy them takes a fraction of what the migrations take, and those are
/// tried elsewhere.
enum MigratedDatabase {
    private static let schema = "zumod_test"
    /// Made once, by whoever asks first.
    private static let template = Task { try await makeTemplate() }

    /// A database of its own.
    static func copy() async throws -> PostgresBackend {
        guard let server = PostgresBackend.server else { throw PostgresBackend.NoServer() }
        let (name, template) = (newName(), try await template.value)
        try await RawSession(server).run("CREATE DATABASE \(name) TEMPLATE \(template)")
        return backend(in: name, of: server)
    }

    /// Removes a database, whoever has it open.
    static func remove(_ name: String, from server: String) {
        _ = try? RawSession(server).runNow("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
    }

    private static func makeTemplate() async throws -> String {
        guard let server = PostgresBackend.server else { throw PostgresBackend.NoServer() }
        let name = newName()
        try await RawSession(server).run("CREATE DATABASE \(name)")
        let backend = backend(in: name, of: server)
        try await backend.run("CREATE SCHEMA \(schema)")
        try await backend.close(try await backend.open([], servesClientTables: false))
        return name
    }

    private static func newName() -> String {
        "zumod_test_\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
    }

    private static func backend(in name: String, of server: String) -> PostgresBackend {
        let (place, options) = (server.prefix { $0 != "?" }, server.drop { $0 != "?" }.dropFirst())
        let host = place[..<(place.lastIndex(of: "/") ?? place.endIndex)]
        let settings = "options=-csearch_path%3D\(schema)&application_name=\(name)"
        return PostgresBackend(
            url: "\(host)/\(name)?\(options.isEmpty ? "" : "\(options)&")\(settings)", schema: schema, database: name)
    }
}
