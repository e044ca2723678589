import Foundation
import TableSQL
import Testing

@Suite struct `Migrations` {
    @Test(arguments: [("sqlite", Migration.sqlite), ("postgres", Migration.postgres)])
    func `every SQL file of the folder is in the list, in order and byte for byte`(
        name: String, migrations: [Migration]
    ) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Migrations/\(name)").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sql") }
        #expect(files.sorted() == migrations.map { $0.name + ".sql" }, "run scripts/list-embedded-files")
        for migration in migrations {
            let onDisk = try Data(contentsOf: folder.appending(path: migration.name + ".sql"))
            #expect(Array(migration.script.utf8) == Array(onDisk))
        }
    }

    @Test(arguments: [Migration.sqlite, Migration.postgres])
    func `numbers count from 1 and open the file names`(migrations: [Migration]) {
        #expect(migrations.map(\.number) == Array(1...migrations.count))
        for migration in migrations {
            #expect(Int(migration.name.prefix(4)) == migration.number)
        }
    }
}
