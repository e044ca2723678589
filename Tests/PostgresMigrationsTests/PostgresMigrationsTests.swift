import Foundation
import PostgresMigrations
import Testing

@Suite struct `PostgreSQL migrations` {
    @Test func `every SQL file of the folder is in the list, in order and byte for byte`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Migrations/postgres").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sql") }
        #expect(files.sorted() == PostgresMigrations.all.map { $0.name + ".sql" })
        for migration in PostgresMigrations.all {
            let onDisk = try Data(contentsOf: folder.appending(path: migration.name + ".sql"))
            #expect(migration.script == Array(onDisk))
        }
    }

    @Test func `numbers count from 1 and open the file names`() {
        #expect(PostgresMigrations.all.map(\.number) == Array(1...PostgresMigrations.all.count))
        for migration in PostgresMigrations.all {
            #expect(Int(migration.name.prefix(4)) == migration.number)
        }
    }
}
