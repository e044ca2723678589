import Foundation
import Scripts
import ServerConfiguration
import Synchronization

@testable import ServerApp

/// The databases in which the tables of a fixture have been made, once for each fixture and kind. A server of a test's own
/// begins with a copy, in the place of eighteen migrations and twenty tables.
enum Templates {
    private struct Key: Hashable {
        let kind: TestDatabase
        let fixture: String
        let parts: FixtureParts?
    }

    private static let made = Mutex<[Key: Task<TestDatabase.Template, any Error>]>([:])

    /// - Parameters:
    ///   - fixture: the folder of a whole configuration.
    ///   - settings, files: of whoever asks first: some fixtures have no configuration without.
    ///   - parts: the tables that a server has; nil for all of the fixture's.
    static func template(
        on kind: TestDatabase, of fixture: String, settings: String, files: [String: String], parts: FixtureParts?
    ) async throws -> TestDatabase.Template {
        // Those of scripts are seldom two servers', and are made on each.
        let hasScripts = FileManager.default.fileExists(atPath: "\(fixture)/api")
        let key = Key(kind: kind, fixture: fixture, parts: hasScripts && parts != nil ? .nothing : parts)
        let task = made.withLock { made in
            if let task = made[key] { return task }
            let task = Task { try await make(key, settings: settings, files: files) }
            made[key] = task
            return task
        }
        return try await task.value
    }

    private static func make(
        _ key: Key, settings: String, files: [String: String]
    ) async throws -> TestDatabase.Template {
        let folder = try TestServer.folder(
            of: key.fixture, settings: settings, files: key.parts == nil ? files : [:], parts: key.parts)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = try await key.kind.place(in: folder)
        let configuration = try await TestServer.configuration(in: folder, on: place)
        configuration.scripts?.close()
        let database = try await Database.open(configuration, isPatient: true)
        await database.close()
        return try place.template()
    }
}
