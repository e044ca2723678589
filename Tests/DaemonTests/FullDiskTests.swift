import Foundation
import Testing
import WireTesting

@Suite(
    "A full disk", .ownThread, .enabled(if: PrivateDisk.isPossible, "this user may not mount a file system of its own"))
struct FullDiskTests {
    /// The size of the disk; the larger one lets SQLite move its log into the file before the disk is full.
    @Test(arguments: ["3m", "16m"])
    func `writes are answered 507, reads go on, and all is well when there is room again`(size: String) throws {
        let workplace = try Workplace()
        let disk = "\(workplace.path)/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let daemon = try Daemon(
            workplace, arguments: ["--database", "sqlite:disk/zumod.sqlite3", "--log-level", "critical"],
            shell: "mount -t tmpfs -o size=\(size) tmpfs '\(disk)' && head -c 1048576 /dev/zero > '\(disk)/ballast'")
        let client = try daemon.client()
        let text = String(repeating: "x", count: 50_000)
        var written: [SeenRow] = []
        var refused: WireResponse?
        for number in 0..<1_000 {
            let answer = try client.exchange("POST", "/tables/TodoItem", #"{"id":"\#(number)","text":"\#(text)"}"#)
            guard answer.code == 201 else {
                refused = answer
                break
            }
            written.append(try answer.row)
        }
        #expect(refused?.code == 507)
        #expect(refused?.text.contains("no room") == true)
        let first = try #require(written.first)
        for _ in 1...3 {
            #expect(try client.exchange("GET", "/tables/TodoItem/\(first.id)").row == first)
            #expect(try client.exchange("POST", "/tables/TodoItem", #"{"text":"\#(text)"}"#).code == 507)
            #expect(try client.exchange("GET", "/tables/TodoItem?$select=id,version,updatedAt").code == 200)
        }
        // The file system of a process is seen through /proc by those who may.
        let ballast = "/proc/\(daemon.processIdentifier)/root\(disk)/ballast"
        try FileManager.default.removeItem(atPath: ballast)
        let after = try client.exchange("POST", "/tables/TodoItem", #"{"id":"after","text":"\#(text)"}"#)
        #expect(after.code == 201)
        #expect(try after.row.updatedAt > #require(written.last).updatedAt)
        for row in written { #expect(try client.exchange("GET", "/tables/TodoItem/\(row.id)").row == row) }
        #expect(daemon.stop() == 0)
    }

    @Test func `a copy that finds no room is named, and a copy where nothing may be written is verified`() throws {
        let workplace = try Workplace()
        #expect(try workplace.run("migrate").code == 0)
        let mount = "mount -t tmpfs -o size=16k tmpfs '\(workplace.path)/config/tables'"
        let full = try workplace.run("backup", "config/tables/copy", after: mount)
        #expect(full.code == 74)
        #expect(full.errors == "error: config/tables/copy can't be written: there is no room for it\n")

        let folder = "\(workplace.path)/kept #1"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(try workplace.run("backup", "kept #1/copy").code == 0)
        let seal = "mount --bind '\(folder)' '\(folder)' && mount -o remount,bind,ro '\(folder)'"
        let verified = try workplace.run("verify", "--database", "sqlite:kept #1/copy", after: seal)
        #expect(verified.code == 0 && verified.output == "ok\n", "\(verified)")
    }
}

/// A file system that only one process sees.
private enum PrivateDisk {
    /// Whether a process may have file systems that others don't see.
    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitForEnd()
        return process.terminationStatus == 0
    }()
}
