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
    }

    private static let made = Mutex<[Key: Task<TestDatabase.Template, any Error>]>([:])

    /// - Parameters:
    ///   - fixture: the folder of a whole configuration.
    ///   - settings, files: of whoever asks first: some fixtures have no configuration without.
    static func template(
        on kind: TestDatabase, of fixture: String, settings: String, files: [String: String]
    ) async throws -> TestDatabase.Template {
        let key = Key(kind: kind, fixture: fixture)
        let task = made.withLock { made in
            if let task = made[key] { return task }
            let task = Task { try await make(on: kind, of: fixture, settings: settings, files: files) }
            made[key] = task
            return task
        }
        return try await task.value
    }

    private static func make(
        on kind: TestDatabase, of fixture: String, settings: String, files: [String: String]
    ) async throws -> TestDatabase.Template {
        let folder = try TestServer.folder(of: fixture, settings: settings, files: files)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = try kind.place(in: folder)
        let configuration = try await TestServer.configuration(in: folder, on: place)
        configuration.scripts?.close()
        let database = try await Database.open(configuration, isPatient: true)
        await database.close()
        return try place.template()
    }
}
