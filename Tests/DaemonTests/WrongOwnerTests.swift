import Foundation
import Testing
import WireTesting

@Suite("A database that belongs to somebody else", .ownThread)
struct WrongOwnerTests {
    /// What `zumod serve` says of a database, as a user of the machine who is not root.
    private static func complaint(about database: String, in workplace: Workplace) throws -> Workplace.Outcome {
        let serve = ["serve", "--port", "0"]
        let environment = ["ZUMOD_DATABASE_URL": "sqlite:\(database)"]
        guard geteuid() == 0 else { return try workplace.run(serve, environment: environment) }
        let other = ["setpriv", "--reuid", "10001", "--regid", "10001", "--clear-groups", Workplace.binary.path]
        let process = workplace.process(other + serve, environment: environment)
        process.executableURL = URL(filePath: "/usr/bin/env")
        return try workplace.run(process)
    }

    @Test(arguments: ["folder", "folder/new"])
    func `is refused with path, owner and remedy where the folder can't be written`(folder: String) throws {
        let workplace = try Workplace()
        let volume = "\(workplace.path)/folder"
        try FileManager.default.createDirectory(atPath: volume, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: volume)
        let outcome = try Self.complaint(about: "\(workplace.path)/\(folder)/rows.sqlite3", in: workplace)
        let user = geteuid() == 0 ? "10001" : "\(geteuid())"
        let group = geteuid() == 0 ? "10001" : "\(getegid())"
        #expect(outcome.code == 69)
        #expect(outcome.errors.contains("\(volume) belongs to user \(geteuid()) and group \(getegid()) with mode 555"))
        #expect(outcome.errors.contains("user \(user) and group \(group), can't write there"))
        #expect(outcome.errors.contains("chown -R \(user):\(group) \(volume)"), "\(outcome.errors)")
    }

    @Test func `is refused where the file itself can't be written`() throws {
        let workplace = try Workplace()
        let volume = "\(workplace.path)/folder"
        try FileManager.default.createDirectory(atPath: volume, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: volume)
        let file = "\(volume)/rows.sqlite3"
        #expect(FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o400]))
        let outcome = try Self.complaint(about: file, in: workplace)
        #expect(outcome.code == 69)
        #expect(outcome.errors.contains("\(file) belongs to user \(geteuid())"), "\(outcome.errors)")
    }

    @Test func `that is a folder, or lies in a file, is told as that`() throws {
        let workplace = try Workplace(["file": ""])
        let folder = try workplace.run(
            ["serve", "--port", "0"], environment: ["ZUMOD_DATABASE_URL": "sqlite:\(workplace.path)/config"])
        #expect(folder.errors.contains("\(workplace.path)/config can't be the database: it is a folder"))
        let file = try workplace.run(
            ["serve", "--port", "0"], environment: ["ZUMOD_DATABASE_URL": "sqlite:\(workplace.path)/config/file/x/y"])
        #expect(file.errors.contains("\(workplace.path)/config/file is no folder"), "\(file.errors)")
    }
}
