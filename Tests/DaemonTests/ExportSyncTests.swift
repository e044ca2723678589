import Foundation
import Testing
import WireTesting

@Suite("An export and the disk", .ownThread)
struct ExportSyncTests {
    /// A database with a table.
    private func prepared() throws -> Workplace {
        let workplace = try Workplace()
        #expect(try workplace.run("migrate").code == 0)
        return workplace
    }

    @Test func `the file is on disk before it has its name, and the folder is when the export ends`() throws {
        let workplace = try prepared()
        let disk = try WatchedDisk(in: workplace)
        let outcome = try workplace.run("export", "--output", "out/", environment: disk.environment())
        #expect(outcome.code == 0)
        let synced = try disk.synced().filter { $0.contains("/out") }
        #expect(synced.count == 2)
        #expect(synced.first?.contains("/out/TodoItem.jsonl.partial-") == true)
        #expect(synced.last?.hasSuffix("/out") == true)
    }

    @Test func `so it is with a backup`() throws {
        let workplace = try prepared()
        let disk = try WatchedDisk(in: workplace)
        #expect(try workplace.run("backup", "config/copy.sqlite3", environment: disk.environment()).code == 0)
        let synced = try disk.synced().suffix(2)
        #expect(synced.first?.contains("/config/copy.sqlite3.partial-") == true)
        #expect(synced.last?.hasSuffix("/config") == true)
    }

    @Test(arguments: [".partial-", "/out"])
    func `an export that can't be put on disk says so, and fails`(place: String) throws {
        let workplace = try prepared()
        let disk = try WatchedDisk(in: workplace)
        let outcome = try workplace.run("export", "--output", "out/", environment: disk.environment(failingAt: place))
        #expect(outcome.code == 74)
        #expect(outcome.errors.hasPrefix("error: out/TodoItem.jsonl "))
        #expect(outcome.errors.hasSuffix(": Input/output error\n"))
        // What is not sure to be whole doesn't get the name of an export.
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(workplace.path)/out")
        #expect(files == (place == "/out" ? ["TodoItem.jsonl"] : []))
    }
}

/// A library, loaded before the system's own, that notes what a program puts on disk, and refuses it where it is told to.
private struct WatchedDisk {
    private let library: String
    private let log: String

    private struct NoCompiler: Error {
        let code: Int32
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        int fsync(int descriptor) {
            char link[64], path[4096];
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            ssize_t length = readlink(link, path, sizeof path - 2);
            if (length < 0) return -1;
            path[length] = 0;
            // The name's end, or a part of it.
            const char *place = getenv("SYNC_FAILS_AT");
            const char *found = place ? strstr(path, place) : NULL;
            if (found && (place[0] != '/' || strlen(found) == strlen(place))) {
                errno = EIO;
                return -1;
            }
            path[length] = '\\n';
            int log = open(getenv("SYNC_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
            if (log < 0 || write(log, path, length + 1) < 0) abort();
            close(log);
            return (int)syscall(SYS_fsync, descriptor);
        }
        """

    init(in workplace: Workplace) throws {
        library = "\(workplace.path)/disk.so"
        log = "\(workplace.path)/synced"
        let source = "\(workplace.path)/disk.c"
        try Data(Self.source.utf8).write(to: URL(filePath: source))
        // The one that comes with Swift.
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-o", library, source]
        try compiler.run()
        compiler.waitForEnd()
        guard compiler.terminationStatus == 0 else { throw NoCompiler(code: compiler.terminationStatus) }
    }

    /// What a program's environment has to hold.
    /// - Parameter place: a part of the path of what can't be put on disk, or its end, with a slash; nil where all can.
    func environment(failingAt place: String? = nil) -> [String: String] {
        var environment = ["LD_PRELOAD": library, "SYNC_LOG": log]
        environment["SYNC_FAILS_AT"] = place
        return environment
    }

    /// The paths of what was put on disk, in its order.
    func synced() throws -> [String] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
