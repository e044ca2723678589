import Foundation
import SQLiteMigrations
import Testing

@Suite struct `SQLite migrations` {
    @Test func `every SQL file of the folder is in the list, in order and byte for byte`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Migrations/sqlite").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sql") }
        #expect(files.sorted() == SQLiteMigrations.all.map { $0.name + ".sql" })
        for migration in SQLiteMigrations.all {
            let onDisk = try Data(contentsOf: folder.appending(path: migration.name + ".sql"))
            #expect(migration.script == Array(onDisk))
        }
    }

    @Test func `numbers count from 1 and open the file names`() {
        #expect(SQLiteMigrations.all.map(\.number) == Array(1...SQLiteMigrations.all.count))
        for migration in SQLiteMigrations.all {
            #expect(Int(migration.name.prefix(4)) == migration.number)
        }
    }
}
